"""Clusters to measure on: nodes without machines, an API server that holds anything, loads that end by themselves."""
