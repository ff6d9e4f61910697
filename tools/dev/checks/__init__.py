"""The checks of `./dev check` that are our own; each runs as `python -m tools.dev.checks.<name>`."""
