"""Addresses of things below the API."""

from __future__ import annotations


def segment(text: str) -> str:
    """One part of a path, whatever characters it has; of a job, its id."""
    from urllib.parse import quote  # commands that ask nobody start faster without

    return quote(str(getattr(text, "id", text)), safe="")
