"""Datasets: their records, and the store of their files."""
