"""Environments with one's own packages."""
