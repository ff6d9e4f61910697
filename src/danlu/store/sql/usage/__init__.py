"""Past usage: ledger, scores, trends."""
