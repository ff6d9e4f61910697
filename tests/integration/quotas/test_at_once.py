"""Fifty starts at once never exceed a quota: on both databases, and with two servers on one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from danlu.bootstrap.clock import RandomIds, SystemClock
from danlu.control.jobs.admission import Admission
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.starts import Starts
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.rules.registry import Registry
from danlu.domain.errors import InsufficientQuota
from danlu.domain.job import Job
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import Policy
from danlu.engines.virtual import virtual_nodes
from danlu.store.sql import SqlStore
from tests.live import PATIENCE

ADMIN = Caller(User("root", UserRole.ADMINISTRATOR, 0))
PEOPLE = [
    Caller(User(name, UserRole.ENGINEER, 0, groups=("nlp",))) for name in ("lin", "mei", "wang", "zhao")
]
STARTS, LIMIT = 50, 7
NODES = virtual_nodes("4x8xA100")


class NoCode:
    def holds(self, digest: str, path: str) -> bool | None:
        return None

    def has(self, digest: str) -> bool:
        return False

    def path(self, digest: str) -> None:
        return None

    async def put(self, digest: str, chunks: Any) -> int:
        raise AssertionError("nothing is uploaded here")


class Half:
    """What a server does with jobs, on a store of its own."""

    def __init__(self, url: str) -> None:
        clock = SystemClock()
        self.store = SqlStore.open(url, busy_timeout=60)
        self.registry = Registry(self.store, clock, inventory=lambda: NODES)
        self.quotas = Quotas(self.registry, self.store, clock)
        budgets = Budgets(self.registry, self.store, lambda _: (), clock)
        admission = Admission(lambda: NODES, NoCode(), self.registry, None, Policy())
        starts = Starts(self.registry, self.quotas, budgets)
        self.jobs = Jobs(self.store, admission, clock, RandomIds(clock), lambda: None, starts=starts)


@pytest.fixture(params=["sqlite", "postgresql", "postgresql, two servers"])
def halves(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Half]]:
    url = f"sqlite:///{tmp_path / 'danlu.db'}"
    if request.param.startswith("postgresql"):
        url = request.getfixturevalue("postgres_url")
    with ExitStack() as stack:
        made = []
        for _ in range(2 if "two" in request.param else 1):
            made.append(Half(url))
            stack.callback(made[-1].store.close)
        made[0].registry.seed()
        for one in PEOPLE:
            made[0].store.add_user(one.user)
        yield made


@pytest.mark.parametrize(
    ("quota", "people"), [("user:lin", PEOPLE[:1]), ("group:nlp", PEOPLE)], ids=["user", "group"]
)
@pytest.mark.parametrize("way", ["submit", "start"])
@pytest.mark.timeout(300)
def test_fifty_starts_at_once_never_exceed_a_quota(
    halves: list[Half], quota: str, people: list[Caller], way: str
) -> None:
    halves[0].quotas.put(ADMIN, quota, {"amounts": {"all": {"gpus": LIMIT * 1000}}})
    for half in halves:
        half.registry.reread()
    who = [people[at % len(people)] for at in range(STARTS)]
    made = [create(halves[0], who[at], f"job-{at}") for at in range(STARTS)] if way == "start" else []
    barrier = Barrier(STARTS)

    def attempt(at: int) -> Job | InsufficientQuota:
        half = halves[at % len(halves)]
        barrier.wait(PATIENCE)
        try:
            if way == "start":
                return half.jobs.act(who[at], made[at].id, "start")
            return create(half, who[at], f"job-{at}", start=True)
        except InsufficientQuota as refused:
            return refused

    with ThreadPoolExecutor(STARTS) as threads:
        results = list(threads.map(attempt, range(STARTS)))

    passed = [one for one in results if isinstance(one, Job)]
    refused = [one for one in results if isinstance(one, InsufficientQuota)]
    assert (len(passed), len(refused)) == (LIMIT, STARTS - LIMIT)
    held = halves[0].store.holdings([one.name for one in people])
    assert (sum(one.gpu_milli for one in held), sum(one.jobs for one in held)) == (LIMIT * 1000, LIMIT)
    for one in refused:
        (short,) = one.shortfalls
        assert (short.quota, short.used, short.asked, short.limit) == (
            quota,
            LIMIT * 1000,
            1000,
            LIMIT * 1000,
        )
        assert short.jobs


def create(half: Half, who: Caller, name: str, start: bool = False) -> Job:
    size = {"gpus": 1, "gpu": "A100", "cpus": 1}
    file = {"kind": "training", "name": name, "command": "true", "resources": size}
    return half.jobs.create(who, file, start=start)
