"""Logs and figures of what runs."""
