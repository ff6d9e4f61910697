"""The queue on a real server."""
