"""A job's code on its way to the task."""
