"""Everybody's jobs in every state: of those that one may not read only owner, kind, size and times."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.domain.job import JobState, Kind, Time
from danlu.domain.permissions import Caller, Permission
from danlu.ports.store import JobQuery, JobRow, JobStore


@dataclass(frozen=True, slots=True)
class SeenUpTo:
    """How far a list was read: to so many of the jobs created at a moment. It names no job, for readers may know of a
    job of others when it was created, but not which one it is."""

    created: Time
    jobs: int


@dataclass(frozen=True, slots=True)
class EverybodysQuery:
    """Which jobs, the newest first; nothing asked for is no bound. There is no search and no order by name, which would
    tell the names of others' jobs."""

    states: tuple[JobState, ...] = ()
    kind: Kind | None = None
    project: str | None = None
    owner: str | None = None
    limit: int = 100
    after: SeenUpTo | None = None


@dataclass(frozen=True, slots=True)
class AnybodysJob:
    """`readable` says whether the caller may know which job it is."""

    row: JobRow
    readable: bool


@dataclass(frozen=True, slots=True)
class EverybodysPage:
    jobs: tuple[AnybodysJob, ...]
    next: SeenUpTo | None
    total: int


class Everybodys:
    """Any thread."""

    def __init__(self, store: JobStore) -> None:
        self._store = store

    def page(self, caller: Caller, query: EverybodysQuery) -> EverybodysPage:
        caller.require(Permission.QUEUE_READ)
        seen = query.after
        skipped = seen.jobs if seen else 0
        found = self._store.page(
            JobQuery(
                owners=None if query.owner is None else (query.owner,),
                states=query.states,
                kinds=() if query.kind is None else (query.kind,),
                project=query.project,
                limit=query.limit + skipped,
                until=seen.created if seen else None,
            )
        )
        rows = found.rows[skipped:]
        more = _seen_up_to(rows, seen) if rows and found.next_cursor is not None else None
        return EverybodysPage(tuple(_shown(row, caller) for row in rows), more, found.total)


def _seen_up_to(rows: tuple[JobRow, ...], before: SeenUpTo | None) -> SeenUpTo:
    last = rows[-1].created_at
    same = sum(row.created_at == last for row in rows)
    return SeenUpTo(last, same + (before.jobs if before and before.created == last else 0))


def _shown(row: JobRow, caller: Caller) -> AnybodysJob:
    return AnybodysJob(row, caller.reaches(row.id) and caller.may(Permission.JOB_READ, row.owner))
