"""Everything that administrators rule with: kept in memory, checked, written and noted."""
