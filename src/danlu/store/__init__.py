"""Adapters of the store."""
