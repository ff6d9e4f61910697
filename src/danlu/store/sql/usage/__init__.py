"""What was used: ledger, scores, trends."""
