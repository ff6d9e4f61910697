"""Rules that administrators set; all kinds share the same routes."""
