"""Live data: events and logs, read once for all listeners."""
