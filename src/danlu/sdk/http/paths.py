"""Addresses of things below the API."""

from __future__ import annotations


def segment(text: str) -> str:
    """One part of a path, whatever characters it has."""
    from urllib.parse import quote  # commands that ask nobody start faster without

    return quote(text, safe="")
