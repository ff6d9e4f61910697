"""Metrics for Prometheus, and the health port of a controller."""
