"""Commands about resources and their usage."""
