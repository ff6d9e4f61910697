"""Shared by the commands: output, input and errors."""
