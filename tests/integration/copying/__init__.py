"""Copies between real ends."""
