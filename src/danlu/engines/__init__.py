"""Adapters that run attempts: one package per kind of machine room."""
