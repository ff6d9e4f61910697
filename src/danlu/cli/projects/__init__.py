"""Commands about projects, their members, and requests."""
