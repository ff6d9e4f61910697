"""The whole control plane on a fake clock, with faults injected."""
