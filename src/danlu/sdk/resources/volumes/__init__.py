"""Volumes and their files."""
