"""The store's own queries, timed in the bench's process on the same database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bench.govern.size import DAY, HOUR, Size, project, user
from bench.table import percentile
from danlu.domain.job import ACTIVE, JobState
from danlu.domain.requests import RequestState
from danlu.ports.governance import AuditQuery, HourlyQuery, RequestQuery
from danlu.ports.store import JobQuery
from danlu.store.sql import SqlStore

_CALLS, _SECONDS = 30, 5.0
Query = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class Timed:
    """Milliseconds: of the wall, and of this process's CPU, in which SQLite does its work and PostgreSQL does not."""

    median: float
    p95: float
    cpu: float


def timed(query: Callable[[], object]) -> Timed:
    """The first time does not count."""
    query()
    walls: list[float] = []
    began, cpu = time.perf_counter(), time.process_time()
    while len(walls) < _CALLS and time.perf_counter() - began < _SECONDS:
        before = time.perf_counter()
        query()
        walls.append((time.perf_counter() - before) * 1000)
    spent = (time.process_time() - cpu) / len(walls) * 1000
    return Timed(percentile(walls, 0.5), percentile(walls, 0.95), spent)


def queries(store: SqlStore, size: Size, now: int) -> Iterator[Query]:
    """What the pages of governance read, one call each."""
    day = now - now % DAY + DAY
    month = HourlyQuery(day - 30 * DAY, day, DAY, gpus=True)
    hour = now - now % HOUR + HOUR
    week = HourlyQuery(hour - 7 * DAY, hour, HOUR, gpus=True)
    team = tuple(user(number) for number in range(1, size.users, size.groups))
    yield from _trends("30 days", store, size, month)
    yield from _trends("7 days by the hour", store, size, week)
    yield "capacity, 30 days", lambda: store.capacity(month.since, month.until, DAY)
    yield "spent", lambda: store.spent(user(7), "normal", now - 30 * DAY)
    yield "holdings of a person", lambda: store.holdings((user(7),))
    yield f"holdings of a group of {len(team)}", lambda: store.holdings(team)
    yield "holders in a group", lambda: store.holders(team, None, "gpus", 5)
    yield "users", store.users
    yield "a user", lambda: store.user(user(7))
    yield "members of a project", lambda: store.members(project(1))
    yield "memberships of a person", lambda: store.memberships(user(7))
    yield "member counts", store.member_counts
    yield "requests, all", lambda: store.requests(RequestQuery(limit=100))
    yield "requests, open", lambda: store.requests(RequestQuery(states=(RequestState.OPEN,), limit=100))
    yield "requests, own", lambda: store.requests(RequestQuery(users=(user(7),), limit=100))
    yield "rules", store.rules
    for words, query in _audit(size).items():
        yield f"audit, {words}", lambda query=query: store.noted(query)  # type: ignore[misc]
    yield "audit, a thousand links of the chain", lambda: store.chain(1_000, 1_000)
    for words, jobs in _jobs().items():
        yield f"jobs, {words}", lambda jobs=jobs: store.page(jobs)  # type: ignore[misc]


def _trends(words: str, store: SqlStore, size: Size, query: HourlyQuery) -> Iterator[Query]:
    """As the panel asks: of people first how large they are, then the largest."""
    largest = tuple(user(number) for number in range(0, size.users, size.users // 49))[:49]
    kinds = {
        "all together": query,
        "by project": replace(query, by="project"),
        "by model": replace(query, by="model"),
        "by user: how large each is": replace(query, by="user", step=10_000 * 365 * DAY),
        "by user: the 49 largest": replace(query, by="user", keys=largest),
        "one person": replace(query, users=(user(7),)),
        "one project by user": replace(query, projects=(project(1),), by="user"),
    }
    for kind, asked in kinds.items():
        yield f"trend, {words}, {kind}", lambda asked=asked: store.trend(asked)  # type: ignore[misc]


def _audit(size: Size) -> dict[str, AuditQuery]:
    return {
        "newest": AuditQuery(limit=101),
        "by person": AuditQuery(by=user(7), limit=101),
        "by act": AuditQuery(act="token_made", limit=101),
        "by subject": AuditQuery(subject=f"quota:user:{user(3)}", limit=101),
        "by kind of subject": AuditQuery(subject="project:", limit=101),
        "search, many found": AuditQuery(search="nothing", after=size.audit - 25_000, limit=101),
        "search, none found": AuditQuery(search="no such word", after=size.audit - 25_000, limit=101),
        "of a person, search": AuditQuery(by=user(7), search="no such word", limit=101),
    }


def _jobs() -> dict[str, JobQuery]:
    return {
        "newest": JobQuery(),
        "of a person": JobQuery(owners=(user(7),)),
        "active of a person": JobQuery(owners=(user(7),), states=tuple(ACTIVE), limit=1),
        "queued in a project": JobQuery(project=project(1), states=(JobState.QUEUED,), limit=1),
    }
