"""What is kept of tasks after their end: their working folders, until a bound is reached."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from danlu.domain.job import Time
from danlu.ports.files import PlaceBelow


class RunKey(NamedTuple):
    """One try of a task of an attempt."""

    job_id: str
    attempt: int
    run: str


class GoneCause(StrEnum):
    """Why results were removed: too old, more than their owner may keep, or the disk was nearly full."""

    AGE = "age"
    SIZE = "size"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class GoneResults:
    """Results that were there and were removed."""

    since: Time
    cause: GoneCause


@dataclass(frozen=True, slots=True)
class KeptAttempt:
    """The results of one attempt; `size` is None until they were counted."""

    job_id: str
    attempt: int
    owner: str
    ended_at: Time
    size: int | None = None
    wanted: bool = False
    """Somebody asked to keep them: only who deletes the job removes them."""


class Results(Protocol):
    """Any thread, any process that shares the data directory."""

    def work(self, key: RunKey) -> PlaceBelow | None:
        """The working folder, while the task has it or after that; None if there is none."""

    def shelved(self, key: RunKey) -> PlaceBelow | None:
        """The same only once it was put away: nothing writes to it and nothing moves it any more, but whoever removes
        it."""

    def checkpoints(self, owner: str, folder: str) -> PlaceBelow:
        """A folder in the owner's personal directory."""

    def gone(self, job_id: str, attempt: int) -> GoneResults | None: ...

    def of_job(self, job_id: str) -> tuple[KeptAttempt, ...]:
        """What is kept of a job, the oldest attempt first."""

    def of_owner(self, owner: str) -> tuple[KeptAttempt, ...]:
        """As of the last count."""

    def counted_at(self) -> Time | None:
        """When everything was last counted; None before."""

    def want(self, job_id: str, wanted: bool) -> None:
        """Keep a job's results, or no longer. Doing it twice is doing it once."""

    def remove(self, job_id: str) -> None:
        """All results of a job. Already gone is success."""
