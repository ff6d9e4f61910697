"""Nodes, maintenance and clusters."""
