"""Simulation: the scheduler on state files instead of real nodes and jobs."""
