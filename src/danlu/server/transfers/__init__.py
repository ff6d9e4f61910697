"""Transfers between places outside and volumes, and their schedules."""
