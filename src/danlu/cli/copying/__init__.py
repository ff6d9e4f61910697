"""`danlu cp` and `danlu sync`."""
