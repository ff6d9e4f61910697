"""Members of projects, and requests."""
