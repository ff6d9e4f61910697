"""Who is who: accounts, groups, sign-in, sessions, keys, tokens."""
