"""Outputs of jobs on a real server."""
