"""Beside and inside the task: launch, supervise, enter. Standard library only, Python 3.8 and newer."""
