"""Copies of buckets near the jobs that mount them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol


class CopyOf(NamedTuple):
    """What a job reads of a bucket: the volume's id, and what is below a folder of it; empty: all."""

    volume: str
    below: str = ""


class CopyFailed(Exception):
    """It cannot be had, and why."""


class BucketCopies(Protocol):
    """Any thread."""

    def want(self, attempt_id: str, copies: Iterable[CopyOf]) -> str | None:
        """Have copies for an attempt: how far that is, in words, or None once all are there. It goes on by itself;
        asking again is harmless. CopyFailed if it cannot be, until the attempt is dropped."""

    def folder(self, attempt_id: str, copy: CopyOf) -> Path:
        """Where the files of a copy are, once it is there."""

    def drop(self, attempt_id: str) -> None:
        """The attempt is over, or will never begin: stop fetching, and forget its folders. Idempotent."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call this when the copies of an attempt are there, or cannot be had."""

    def sweep(self, keep: Collection[str]) -> None:
        """Drop all attempts but these."""
