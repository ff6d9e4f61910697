"""Copies between this machine, volumes, buckets and the web: one plan, one comparison, ends of four kinds."""
