"""Volumes: places for data."""
