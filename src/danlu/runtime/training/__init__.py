"""What a training tells by files."""
