"""The network of a job's own: a namespace for each attempt, and the few doors that lead out of it."""
