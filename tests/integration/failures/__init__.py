"""Failures under real processes: hangs, stacks, bad nodes."""
