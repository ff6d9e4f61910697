"""A past that never was, for demonstrations: jobs with their events and what they used, written at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.audit import Entry
from danlu.domain.events import Event
from danlu.domain.job import Attempt, Job, Time
from danlu.domain.score import Charge, Settled
from danlu.ports.governance import CapacityRow, HourRow
from danlu.ports.logs import LogKey
from danlu.ports.reports import ReportedPoint


@dataclass(frozen=True, slots=True)
class PastEvent:
    """An event of a job, when it was, and who caused it."""

    at: Time
    job: Job
    event: Event
    actor: str | None


@dataclass(frozen=True, slots=True)
class PastJob:
    """A job as it ended, with all its attempts."""

    job: Job
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class PastLog:
    """What a task printed, with times, and the metrics that it reported."""

    key: LogKey
    lines: tuple[tuple[Time, str], ...]
    points: tuple[ReportedPoint, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """From `began` until `until`; events and entries in the order of time."""

    began: Time
    until: Time
    jobs: tuple[PastJob, ...]
    events: tuple[PastEvent, ...]
    charges: tuple[Charge, ...]
    settled: tuple[Settled, ...]
    hours: tuple[HourRow, ...]
    capacity: tuple[CapacityRow, ...]
    entries: tuple[tuple[Time, Entry], ...]
    logs: tuple[PastLog, ...]


class PastStore(Protocol):
    def remember(self, past: Past) -> bool:
        """Write all of it in one transaction, unless there are jobs already: a real past is never mixed with one that
        was made up. Returns whether it was written."""


class PastLogs(Protocol):
    def keep(self, logs: Sequence[PastLog]) -> None:
        """Write them where the logs of tasks are."""
