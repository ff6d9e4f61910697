"""Nouns and pure rules: what Danlu talks about, with no IO, clock or randomness."""
