"""Commands about what is there and what is used."""
