"""Access to running tasks for people: commands, ports and stacks."""
