"""Which node an event is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.job import Attempt, Task, TaskState
from danlu.domain.subjects import subject_of
from tests.fakes.builders import job as some_job


def task(index: int, node: str, state: TaskState = TaskState.RUNNING) -> Task:
    return Task("worker", index, node, "10.0.0.1", state=state)


APART = (task(0, "n0"), task(1, "n1"))
TOGETHER = (task(0, "n0"), task(1, "n0"))
ONE_LEFT = (task(0, "n0", TaskState.SUCCEEDED), task(1, "n1"))
MADE_ROOM = why.Preempted("nlp", "high", "low")


@pytest.mark.parametrize(
    ("event", "tasks", "subject"),
    [
        (ev.Placed(1, APART), APART, None),
        (ev.Placed(1, TOGETHER), TOGETHER, "node:n0"),
        (ev.Grown(1, (task(2, "n2"),)), (*APART, task(2, "n2")), "node:n2"),
        (ev.Nominated(TOGETHER, ()), (), "node:n0"),
        (ev.TaskDelayed("j-1", "worker-1", "no disk"), APART, "node:n1"),
        (ev.TaskRunning("j-1", "worker-1", 5), APART, "node:n1"),
        (ev.TaskEnded("j-1", "worker-0", 5), ONE_LEFT, "node:n0"),
        (ev.TaskStarting("j-1", "worker-0", "code"), APART, None),
        (ev.Evicted(1, "other", MADE_ROOM), APART, None),
        (ev.Evicted(1, "other", MADE_ROOM), ONE_LEFT, "node:n1"),
        (ev.Evicted(1, "other", MADE_ROOM, ("worker-1",)), APART, "node:n1"),
        (ev.StopOverdue(5), ONE_LEFT, "node:n1"),
        (ev.StateChanged("running", "failed"), TOGETHER, None),
        (ev.StartRequested("lin"), (), None),
    ],
)
def test_an_event_is_about_the_one_node_it_concerns(event, tasks, subject):
    job = some_job()
    placed = replace(job, attempts=1, attempt=Attempt(1, tasks, 0)) if tasks else job
    assert subject_of(event, placed) == subject


def test_a_rule_of_a_node_is_about_it_and_other_rules_are_not():
    assert subject_of(ev.RuleChanged("admin", "node", "n0", "edited")) == "node:n0"
    assert subject_of(ev.RuleChanged("admin", "pool", "n0", "edited")) is None
    assert subject_of(ev.SignedIn("lin", "password")) is None
