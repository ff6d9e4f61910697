"""Outputs of jobs: what is kept of what they leave."""
