"""Environments with people's own packages: the files that tasks keep of them, and who looks after those."""

from __future__ import annotations

LARGEST_NOTE = 1 << 20
FOLDER = ".danlu/environments"
"""In the personal directory."""


def note_file(key: str) -> str:
    """What it is, beside the environment itself."""
    return f"{key}.json"


def lock_file(key: str) -> str:
    """Held by whoever builds or uses it."""
    return f"{key}.lock"
