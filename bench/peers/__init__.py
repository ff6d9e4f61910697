"""Others, measured in the same run."""
