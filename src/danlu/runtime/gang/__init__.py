"""Tasks of one job that reach each other: agents, MPI, SSH."""
