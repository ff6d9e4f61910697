"""Transfers: their workers as real processes, against real servers on loopback."""
