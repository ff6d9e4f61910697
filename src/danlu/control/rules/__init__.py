"""Rules that administrators set: kept in memory, checked, written and audited."""
