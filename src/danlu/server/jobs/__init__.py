"""Jobs: verbs, files, logs, terminals, metrics."""
