"""Flavors: what is on offer, and many at once."""
