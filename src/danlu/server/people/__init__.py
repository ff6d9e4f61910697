"""People: accounts, groups, sign-in, sessions, keys, tokens."""
