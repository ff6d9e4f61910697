"""Commands about Danlu itself."""
