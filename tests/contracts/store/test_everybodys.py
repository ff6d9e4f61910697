"""Everybody's jobs are listed whole, page by page, and tell nothing of those that the reader may not read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.queue.everybodys import Everybodys, EverybodysPage, EverybodysQuery, SeenUpTo
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.ports.store import JobQuery
from danlu.server.queue.render import anybodys
from tests.contracts.store.building import NOW, added, completed, creation, new_job, queued

MEI = Caller(User("mei", UserRole.ENGINEER, NOW))
ADMIN = Caller(User("admin", UserRole.ADMINISTRATOR, NOW))


def pages(store, caller: Caller, **wanted: Any) -> list[EverybodysPage]:
    found = [Everybodys(store).page(caller, EverybodysQuery(**wanted))]
    while found[-1].next is not None:
        found.append(Everybodys(store).page(caller, EverybodysQuery(**{**wanted, "after": found[-1].next})))
    return found


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_jobs_that_were_created_together_are_each_listed_once(store, limit):
    moments = (NOW, NOW, NOW, NOW + 1, NOW + 2, NOW + 2)
    made = [store.add(creation(replace(new_job(f"job-{at}"), created_at=at))) for at in moments]
    found = pages(store, ADMIN, limit=limit)
    listed = [one.row.id for page in found for one in page.jobs]
    assert listed == [row.id for row in store.page(JobQuery(limit=100)).rows]
    assert sorted(listed) == sorted(job.id for job in made)
    assert all(len(page.jobs) <= limit and page.total == len(moments) for page in found)


def test_every_state_is_listed_and_can_be_asked_for(store):
    created = added(store, "created")
    waits = queued(store, added(store, "waits"))
    ended = completed(store, added(store, "ended", owner="mei"))

    def listed(**wanted: Any) -> set[str]:
        return {one.row.id for page in pages(store, MEI, **wanted) for one in page.jobs}

    assert listed() == {created.id, waits.id, ended.id}
    assert listed(states=(JobState.CREATED, JobState.COMPLETED)) == {created.id, ended.id}
    assert listed(states=(JobState.QUEUED,), limit=1) == {waits.id}
    assert listed(owner="mei") == {ended.id}
    assert listed(owner="nobody") == set()


def test_a_place_beyond_all_jobs_is_empty_and_one_of_the_future_is_the_beginning(store):
    job = added(store)
    far = EverybodysQuery(after=SeenUpTo(10**15 - 1, 0))
    assert [one.row.id for one in Everybodys(store).page(MEI, far).jobs] == [job.id]
    for after in (SeenUpTo(0, 0), SeenUpTo(job.created_at, 1), SeenUpTo(job.created_at, 9999)):
        page = Everybodys(store).page(MEI, EverybodysQuery(after=after))
        assert (page.jobs, page.next) == ((), None)


def test_whoever_reads_every_field_of_others_jobs_learns_owner_kind_size_and_times(store):
    secret: dict[str, Any] = {
        "description": "secret",
        "env": {"KEY": "secret"},
        "image": "env:secret",
        "node_selector": {"a": "secret"},
    }
    made = [
        store.add(creation(replace(new_job("secret-name", **secret), created_at=NOW + at))) for at in range(2)
    ]
    own = added(store, "open-name", owner="mei")
    completed(store, made[0])
    found = pages(store, MEI, limit=1)
    told = [anybodys(one, MEI) for page in found for one in page.jobs]
    theirs = [one for one in told if not one["mine"]]
    assert len(theirs) == 2
    text = json.dumps([theirs, [[page.next.created, page.next.jobs] for page in found if page.next]])
    for hidden in ("secret", *(job.id for job in made)):
        assert hidden not in text
    assert {key for one in theirs for key, value in one.items() if value is not None} <= {
        *("owner", "project", "kind", "class", "priority", "state", "mine"),
        *("gpus", "gpu_model", "cpus", "memory", "nodes"),
        *("created_at", "queued_at", "started_at", "ended_at"),
    }
    (mine,) = (one for one in told if one["mine"])
    assert (mine["job_id"], mine["name"]) == (own.id, "open-name")
    names = {anybodys(one, ADMIN)["name"] for page in pages(store, ADMIN) for one in page.jobs}
    assert names == {"secret-name#1", "secret-name#2", "open-name"}
