"""Versions of datasets as folders that tasks see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Trees(Protocol):
    """Any thread. A tree is read-only, and shared by all tasks of this machine that mount its version."""

    def place(self, root: str) -> Path:
        """Where the tree of a version is, once it is there."""

    def ready(self, root: str, /) -> bool:
        """Whether it is there; if so it stays for a while, even if no job uses it yet."""

    def prepare(self, root: str, done: Callable[[], None], /) -> str | None:
        """Make it in the background, unless that is under way; `done` is called when it is there, or cannot be. The
        reason why it could not be made last time, if that was a moment ago: then nothing is begun."""


class NoTrees:
    """Where no version can be shown."""

    def place(self, root: str) -> Path:
        raise FileNotFoundError(root)

    def ready(self, _root: str) -> bool:
        return False

    def prepare(self, _root: str, _done: Callable[[], None]) -> str | None:
        return "this engine keeps no datasets"
