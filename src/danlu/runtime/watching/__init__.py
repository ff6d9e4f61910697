"""A task while it runs: its child, orders, and what it uses."""
