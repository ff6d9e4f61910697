"""Nodes and clusters: moved, maintained, added."""
