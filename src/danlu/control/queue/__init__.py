"""Whose turn it is, as people see it."""
