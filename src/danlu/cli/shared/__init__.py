"""What several rooms of the command line use: how things look, are read and fail."""
