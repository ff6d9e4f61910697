"""Figures for Prometheus, and the small port of a controller."""
