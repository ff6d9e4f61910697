"""`danlu transfer` and `danlu import`."""
