"""`danlu dataset`: versions of data that never change."""
