"""Volumes: places for data that stay after a job, and who may use them how."""
