"""Outputs: what a job declares to be kept of its working folder, and what became of it."""
