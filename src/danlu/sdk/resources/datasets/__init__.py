"""Datasets: versions of data that never change, and how they are read."""
