"""Talking to an API server: signing in, requests, streams and channels."""
