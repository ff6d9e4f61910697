"""Volumes: their records, their files, and what changes them."""
