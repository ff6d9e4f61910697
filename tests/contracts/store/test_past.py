"""A past that was made up goes whole and once into a store without jobs, and the store goes on from there."""

from __future__ import annotations

import pytest

from danlu.control.demo import DEMO_NODES, made_up
from danlu.engines.virtual import virtual_nodes
from danlu.ports.past import Past
from danlu.ports.store import JobQuery
from danlu.store.sql import SqlStore
from tests.contracts.store.building import added

NOW, HOUR = 1_790_000_000_000, 3_600_000


@pytest.fixture(scope="module")
def past() -> Past:
    made = made_up(virtual_nodes(DEMO_NODES), NOW, "admin", 6 * HOUR)
    assert made is not None
    return made


def test_all_of_it_is_kept_once_and_new_jobs_come_after_it(store: SqlStore, past: Past) -> None:
    assert store.remember(past)
    assert not store.remember(past)
    assert store.page(JobQuery(limit=1)).total == len(past.jobs)
    for one in past.jobs[:: len(past.jobs) // 10]:
        found = store.get(one.job.id)
        assert found is not None
        assert (found.state, found.attempts, found.spec) == (one.job.state, one.job.attempts, one.job.spec)
        told = [(told.at, told.event.kind) for told in past.events if told.job.id == one.job.id]
        assert [(kept.time, kept.kind) for kept in store.events_of(one.job.id, 0, 1000)] == told
    newest = store.events_after(0, 100_000)[-1].seq
    noted = store.last_noted()
    assert noted is not None
    assert noted.time == past.entries[-1][0]
    after = added(store, "after-it")
    (created,) = store.events_of(after.id, 0, 10)
    assert created.seq > newest


def test_a_store_with_a_job_refuses_it(store: SqlStore, past: Past) -> None:
    added(store, "mine")
    assert not store.remember(past)
    assert store.page(JobQuery(limit=1)).total == 1
