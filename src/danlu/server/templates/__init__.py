"""Templates: job files to start from."""
