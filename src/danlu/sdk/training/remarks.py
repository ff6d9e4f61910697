"""Danlu's own messages in the output of a training."""

from __future__ import annotations

import sys

_warned: set[str] = set()


def warn_once(sentence: str) -> None:
    """A line on the program's error output, the same one only once."""
    if sentence in _warned or sys.stderr is None:
        return
    _warned.add(sentence)
    print(f"danlu: {sentence}", file=sys.stderr, flush=True)
