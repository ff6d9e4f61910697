"""Adapters that keep the truth."""
