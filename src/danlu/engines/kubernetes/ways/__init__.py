"""People's ways into running tasks."""
