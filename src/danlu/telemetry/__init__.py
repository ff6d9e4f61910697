"""Logs, metrics and usage of tasks."""
