"""Quotas and budgets from submit to the end, on a fake clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.domain.errors import BudgetSpent, InsufficientQuota, Invalid
from danlu.domain.job import Job, JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import PriorityClass
from danlu.ports.governance import AuditQuery
from tests.simulation.queueing import ADMIN, HOUR, now, slow_world
from tests.simulation.world import World

LIN = Caller(User("lin", UserRole.ENGINEER, 0, groups=("nlp",)))
MEI = Caller(User("mei", UserRole.ENGINEER, 0, groups=("nlp",)))
DAY = 24 * HOUR
FIRST_OF_FEBRUARY_2027 = 1_801_440_000_000


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = slow_world(tmp_path)
    for caller in (LIN, MEI):
        made.store.edit_user(caller.name, lambda known, _: replace(known, groups=("nlp",)))
    yield made
    made.store.close()


def file_of(name: str) -> dict[str, Any]:
    return {"kind": "training", "name": name, "command": "true", "env": {"SIMULATED_RUN_FOR": "2000h"}}


def start(world: World, name: str, who: Caller = LIN, gpus: int = 1, **keys: Any) -> Job:
    size = {"gpus": gpus, "gpu": "A100", "cpus": 1}
    return world.jobs.create(who, {**file_of(name), "resources": size, **keys}, start=True)


def limit(world: World, name: str, gpus: int, within: str = "all") -> None:
    world.quotas.put(ADMIN, name, {"amounts": {within: {"gpus": gpus * 1000}}})


def test_a_start_beyond_the_quota_says_how_much_is_used_asked_and_bounded_and_by_which_jobs(
    world: World,
) -> None:
    limit(world, "default", 3, "workspace")
    start(world, "notebook", kind="workspace", gpus=2)
    start(world, "scratch", kind="workspace")
    start(world, "training", gpus=8)
    with pytest.raises(InsufficientQuota) as refused:
        start(world, "another", kind="workspace")
    detail = "insufficient quota: lin uses 3 of 3 GPUs for workspaces and requests 1 more"
    assert refused.value.detail == detail
    (short,) = refused.value.shortfalls
    assert (short.quota, short.within, short.resource) == ("user:lin", "workspace", "gpus")
    assert (short.used, short.asked, short.limit) == (3000, 1000, 3000)
    assert short.jobs == ("lin:notebook", "lin:scratch")
    (error,) = refused.value.errors
    assert (error.loc, error.value, error.bound) == (("resources", "gpus"), "1", "3")
    assert error.hint is not None
    assert error.hint.en == "stop one of lin:notebook, lin:scratch, or request more: danlu request quota"
    assert world.store.find("lin", "another") is None


def test_every_way_to_start_is_bounded_and_making_a_job_is_not(world: World) -> None:
    limit(world, "default", 1)
    running = start(world, "first")
    made = world.jobs.create(LIN, {**file_of("second"), "resources": {"gpus": 1, "gpu": "A100"}})
    for again in ("start", "restart"):
        with pytest.raises(InsufficientQuota):
            world.jobs.act(LIN, made.id, again)
    with pytest.raises(InsufficientQuota):
        world.jobs.clone(LIN, running.id, start=True)
    assert world.jobs.clone(LIN, running.id).state is JobState.CREATED
    assert now(world, made).state is JobState.CREATED
    world.jobs.act(LIN, running.id, "stop")
    assert world.jobs.act(LIN, made.id, "start").state is JobState.QUEUED


def test_lowering_a_quota_touches_nothing_that_runs_or_queues_again(world: World) -> None:
    limit(world, "default", 4)
    job = start(world, "first", gpus=4)
    world.steps(3)
    assert now(world, job).state is JobState.RUNNING
    limit(world, "default", 1)
    world.steps(3)
    assert now(world, job).state is JobState.RUNNING
    assert world.jobs.act(LIN, job.id, "restart").active
    for _ in range(60):
        world.step(1_000)
    assert (now(world, job).state, now(world, job).attempts) == (JobState.RUNNING, 2)
    with pytest.raises(InsufficientQuota, match="uses 4 of 1 GPUs and requests 1 more"):
        start(world, "second")
    start(world, "without", gpus=0, resources={"cpus": 1})


def test_a_raise_ends_by_itself_and_is_swept_away_with_the_next_edit(world: World) -> None:
    limit(world, "default", 1)
    start(world, "first")
    raised = world.quotas.raise_for(ADMIN, "user:lin", {"all": {"gpus": 2000}}, 7 * DAY, "a deadline")
    assert [(one.by, one.reason) for one in raised.raises] == [("root", "a deadline")]
    second = start(world, "second")
    (row,) = world.quotas.of_user(LIN, "lin").bounds
    assert (row[0].limit, row[0].source, row[0].until, row[1]) == (
        2000,
        "raise",
        raised.raises[0].until,
        2000,
    )
    world.clock.advance(7 * DAY)
    assert now(world, second).active
    with pytest.raises(InsufficientQuota, match="uses 2 of 1 GPUs"):
        start(world, "third")
    ((bound, used),) = world.quotas.of_user(LIN, "lin").bounds
    assert (bound.limit, bound.source, bound.until, used) == (1000, "default", None, 2000)
    assert world.registry.quotas()["user:lin"].raises == raised.raises
    assert world.quotas.edit(ADMIN, "user:lin", {"description": "as before"}).raises == ()
    (noted,) = world.store.noted(AuditQuery(act="raised"))
    assert (noted.entry.by, noted.entry.subject, noted.entry.reason) == (
        "root",
        "quota:user:lin",
        "a deadline",
    )


def test_a_group_is_bounded_as_a_whole_and_others_jobs_are_not_named(world: World) -> None:
    limit(world, "group:nlp", 3)
    start(world, "secret-of-mei", MEI, gpus=2)
    start(world, "mine")
    with pytest.raises(InsufficientQuota, match="group nlp uses 3 of 3 GPUs and requests 1 more") as refused:
        start(world, "another")
    assert refused.value.shortfalls[0].jobs == ("mei", "lin:mine")
    stranger = Caller(User("otto", UserRole.ENGINEER, 0))
    start(world, "anothers", stranger, gpus=4)
    ((bound, used),) = world.quotas.of_group(LIN, "nlp").bounds
    assert (bound.quota, bound.limit, used) == ("group:nlp", 3000, 3000)


def test_what_is_checked_before_it_is_sent_tells_the_quota_too(world: World) -> None:
    limit(world, "default", 1)
    start(world, "first")
    with pytest.raises(InsufficientQuota) as told:
        world.jobs.check(LIN, {**file_of("second"), "resources": {"gpus": 1, "gpu": "A100"}})
    assert [(error.loc, error.code) for error in told.value.errors] == [
        (("resources", "gpus"), "insufficient_quota")
    ]


# ── urgent jobs ──────────────────────────────────────────────────────────────────────────────────────


def urgent(world: World, hours: float | None = None) -> None:
    budget = None if hours is None else round(hours * 1000)
    world.registry.add(ADMIN, PriorityClass("urgent", 400, needs_reason=True, budget_milli=budget))


def test_an_urgent_job_says_why_and_the_audit_log_keeps_it(world: World) -> None:
    urgent(world)
    with pytest.raises(Invalid) as missing:
        start(world, "hurry", priority="urgent", justification="  ")
    assert [(error.loc, error.code) for error in missing.value.errors] == [(("justification",), "missing")]
    start(world, "hurry", priority="urgent", justification="the paper is due on Friday")
    start(world, "patient")
    (noted,) = world.store.noted(AuditQuery(act="started"))
    entry = noted.entry
    assert (entry.by, entry.subject, entry.reason) == ("lin", "job:lin:hurry#1", "the paper is due on Friday")
    start(world, "hurry", priority="urgent", justification="again")
    assert {one.entry.subject for one in world.store.noted(AuditQuery(act="started"))} == {
        "job:lin:hurry#1",
        "job:lin:hurry#2",
    }


def test_a_budget_counts_what_ended_and_what_runs_and_renews_with_the_month(world: World) -> None:
    urgent(world, hours=5)
    why: dict[str, Any] = {"priority": "urgent", "justification": "soon"}
    world.clock.advance(FIRST_OF_FEBRUARY_2027 - HOUR - world.clock.now())
    first = start(world, "first", gpus=2, **why)
    world.steps(3)
    began = world.clock.now()
    world.step(FIRST_OF_FEBRUARY_2027 + HOUR - began)
    (budget,) = world.budgets.of(LIN.user)
    assert (budget.priority, budget.budget, budget.spent) == ("urgent", 5000, 2000)
    assert budget.since == FIRST_OF_FEBRUARY_2027
    world.jobs.act(LIN, first.id, "stop")
    world.steps(60)
    (budget,) = world.budgets.of(LIN.user)
    assert 2000 <= budget.spent < 2050
    second = start(world, "second", gpus=2, **why)
    world.steps(3)
    world.step(2 * HOUR)
    with pytest.raises(BudgetSpent) as spent:
        start(world, "third", **why)
    assert "of 5 GPU-hours on urgent jobs this month; the budget renews on 2027-03-01" in spent.value.detail
    assert [(error.loc, error.code) for error in spent.value.errors] == [(("priority",), "budget_spent")]
    assert now(world, second).state is JobState.RUNNING
    start(world, "third")
    start(world, "others", MEI, **why)
    world.clock.advance(28 * DAY)
    (budget,) = world.budgets.of(LIN.user)
    assert budget.since == FIRST_OF_FEBRUARY_2027 + 28 * DAY
