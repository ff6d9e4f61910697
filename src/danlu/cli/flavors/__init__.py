"""Commands about flavors."""
