"""What an engine is told of a job, and how often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from danlu.control.plane.mounts import MountAccess
from danlu.control.plane.orders import order_of
from danlu.control.plane.telling import Telling
from danlu.domain.errors import Unavailable
from danlu.domain.job import Attempt, Job, JobState, Task
from danlu.domain.lifecycle import KILL_AT_ONCE
from danlu.domain.reasons import Preempted
from danlu.domain.words import same
from danlu.ports.engine import AttemptOrder, Engine
from tests.fakes.builders import job

LEAVES = Preempted("public", "high", "low")


class Ear:
    """Notes what an engine is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.deaf = False

    def start(self, order: AttemptOrder) -> None:
        self._hear("start", order)

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        self._hear(f"stop within {grace_ms}", order)

    def forget(self, attempt_id: str) -> None:
        self.heard.append(f"forget {attempt_id}")

    def _hear(self, word: str, order: AttemptOrder) -> None:
        if self.deaf:
            raise Unavailable(same("not now"))
        self.heard.append(f"{word}: {order.attempt_id} {' '.join(task.name for task in order.tasks)}")

    def take(self) -> list[str]:
        heard, self.heard = self.heard, []
        return heard


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def telling(ear: Ear) -> Telling:
    orders = lambda job, only: order_of(job, "http://danlu", only)  # noqa: E731
    return Telling(cast(Engine, ear), orders, MountAccess(), lambda *_: None)


def placed(state: JobState = JobState.RUNNING, attempt: int = 1, **second: Any) -> Job:
    """A job of two tasks; the second may be otherwise."""
    first, other = (Task("worker", index, "n1", "10.0.0.1") for index in range(2))
    tasks = (first, replace(other, **second))
    made = replace(job("some-job", nodes=2, checkpoint={"grace": "5s"}), state=state, attempts=attempt)
    return replace(made, attempt=Attempt(attempt, tasks, 0))


def test_a_start_is_told_once(telling: Telling, ear: Ear) -> None:
    for _ in range(2):
        telling.tell("j", placed())
    assert ear.take() == ["start: some-job-1 worker-0 worker-1"]
    assert telling.has_told("j")


def test_a_start_is_told_again_when_a_task_that_waited_is_due(telling: Telling, ear: Ear) -> None:
    telling.tell("j", placed(not_before=9, tries=1))
    telling.tell("j", placed(tries=1))
    assert ear.take() == ["start: some-job-1 worker-0 worker-1-r1"] * 2


def test_a_stop_is_told_once_and_again_with_another_grace(telling: Telling, ear: Ear) -> None:
    telling.tell("j", placed())
    for state in (JobState.STOPPING, JobState.STOPPING, JobState.FAILED):
        telling.tell("j", placed(state))
    _, first, second = ear.take()
    assert first == "stop within 5000: some-job-1 worker-0 worker-1"
    assert second == f"stop within {KILL_AT_ONCE}: some-job-1 worker-0 worker-1"


@pytest.mark.parametrize("now", [None, replace(placed(JobState.QUEUED), attempt=None)], ids=["gone", "over"])
def test_an_attempt_that_is_over_is_forgotten_once(telling: Telling, ear: Ear, now: Job | None) -> None:
    telling.tell("j", placed())
    for _ in range(2):
        telling.tell("j", now)
    assert ear.take()[1:] == ["forget some-job-1"]
    assert not telling.has_told("j")


def test_the_next_attempt_is_started_once_the_former_is_forgotten(telling: Telling, ear: Ear) -> None:
    telling.tell("j", placed())
    telling.tell("j", placed(attempt=2))
    assert ear.take()[1:] == ["forget some-job-1", "start: some-job-2 worker-0 worker-1"]


def test_a_task_that_is_to_go_is_stopped_alone_and_told_once(telling: Telling, ear: Ear) -> None:
    for _ in range(2):
        telling.tell("j", placed(leaving=LEAVES))
    assert ear.take() == ["start: some-job-1 worker-0 worker-1", "stop within 5000: some-job-1 worker-1"]


def test_when_another_is_to_go_as_well_both_are_told(telling: Telling, ear: Ear) -> None:
    one = placed(leaving=LEAVES)
    assert one.attempt is not None
    both = tuple(replace(task, leaving=LEAVES) for task in one.attempt.tasks)
    telling.tell("j", one)
    telling.tell("j", replace(one, attempt=replace(one.attempt, tasks=both)))
    assert ear.take()[2:] == ["stop within 5000: some-job-1 worker-0 worker-1"]


def test_in_the_next_attempt_the_same_task_is_told_to_go_again(telling: Telling, ear: Ear) -> None:
    for attempt in (1, 2):
        telling.tell("j", placed(attempt=attempt, leaving=LEAVES))
    assert ear.take()[-1] == "stop within 5000: some-job-2 worker-1"


@pytest.mark.parametrize("now", [placed(), placed(JobState.STOPPING)], ids=["start", "stop"])
def test_what_was_refused_is_told_again(telling: Telling, ear: Ear, now: Job) -> None:
    ear.deaf = True
    with pytest.raises(Unavailable):
        telling.tell("j", now)
    assert not telling.has_told("j")
    ear.deaf = False
    telling.tell("j", now)
    assert len(ear.take()) == 1
