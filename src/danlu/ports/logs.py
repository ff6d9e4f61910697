"""Logs of tasks: stored per task of an attempt, addressed by byte offset."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class LogKey(NamedTuple):
    """One task's log."""

    job_id: str
    attempt: int
    task: str


@dataclass(frozen=True, slots=True)
class LogChunk:
    """Whole records between two offsets, as they lie in the file (see `danlu.ports.supervision`)."""

    start: int
    end: int
    records: bytes


@dataclass(frozen=True, slots=True)
class LogFound:
    """Records that were searched for, each with its offset, and how far one look got: the log's end where `whole`."""

    records: tuple[tuple[int, bytes], ...]
    end: int
    whole: bool


class LogReader(Protocol):
    """An offset is where a record begins; a log that does not exist (yet) reads as empty."""

    def read(self, key: LogKey, offset: int, limit: int) -> LogChunk:
        """Whole records from `offset` on, about `limit` bytes of them and at least one if there is one."""

    def tail(self, key: LogKey, lines: int) -> int:
        """The offset at which the last `lines` lines start."""

    def since(self, key: LogKey, time_ms: int) -> int:
        """The offset of the first record at or after a moment."""

    def find(self, key: LogKey, text: str, offset: int, limit: int) -> LogFound:
        """Records from `offset` on that contain a text (case does not matter), at most `limit`. One look reads a
        bounded part of the log; the next one goes on from `end`."""

    def size(self, key: LogKey) -> int: ...

    def remove(self, job_id: str) -> None:
        """All logs of a job. Already gone is success."""


class LogFollower(Protocol):
    """Live logs for many readers at once."""

    def follow(self, key: LogKey, offset: int) -> AsyncIterator[LogChunk]:
        """Chunks as they are written, without end: the caller leaves when the task is over and `size` is reached.
        Yields an empty chunk about once a second when nothing was written."""
