"""What a supervisor writes on disk: log and status."""
