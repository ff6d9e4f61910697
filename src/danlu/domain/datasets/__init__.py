"""Datasets: versions of data that never change, and who may use them."""
