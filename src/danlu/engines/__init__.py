"""Adapters that run attempts: one package for each kind of infrastructure."""
