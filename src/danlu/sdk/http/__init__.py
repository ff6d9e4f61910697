"""Talking to the server: where it is, one connection to it, its streams and its errors."""
