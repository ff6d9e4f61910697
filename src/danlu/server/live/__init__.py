"""What is told as it happens: events and logs, read once for everybody who listens."""
