"""Commands about people, groups, keys and tokens."""
