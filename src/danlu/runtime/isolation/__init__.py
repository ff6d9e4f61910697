"""How far a task is kept apart: control groups, sandbox, processes."""
