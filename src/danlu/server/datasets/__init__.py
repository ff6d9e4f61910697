"""Datasets over HTTP."""
