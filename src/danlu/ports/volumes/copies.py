"""Copies of buckets near the jobs that mount them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from danlu.domain.words import NOTHING, Words


class CopyOf(NamedTuple):
    """What a job reads of a bucket: the volume's id, and what is below a folder of it; empty: all."""

    volume: str
    below: str = ""


class CopyFailed(Exception):
    """It cannot be had, and why: a code of domain.reasons.BucketNotCopied with its bytes or number, and what a store
    or the machine said."""

    def __init__(self, code: str, size: int = 0, bound: int = 0, told: Words = NOTHING) -> None:
        super().__init__(told.en or code)
        self.code, self.size, self.bound, self.told = code, size, bound, told


class FetchProgress(NamedTuple):
    """How far it is: so much of `size` bytes; before that is known, 0 of 0."""

    percent: int = 0
    size: int = 0


class BucketCopies(Protocol):
    """Any thread."""

    def want(self, attempt_id: str, copies: Iterable[CopyOf]) -> FetchProgress | None:
        """Have copies for an attempt: how far that is, or None once all are there. It goes on by itself;
        asking again is harmless. CopyFailed if it cannot be, until the attempt is dropped."""

    def folder(self, attempt_id: str, copy: CopyOf) -> Path:
        """Where the files of a copy are, once it is there."""

    def drop(self, attempt_id: str) -> None:
        """The attempt is over, or will never begin: stop fetching, and forget its folders. Idempotent."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Call this when the copies of an attempt are there, or cannot be had."""

    def sweep(self, keep: Collection[str]) -> None:
        """Drop all attempts but these."""
