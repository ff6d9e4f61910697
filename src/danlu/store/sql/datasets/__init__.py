"""Datasets: their records, versions, tags, acts, and which jobs read them."""
