"""The queue as clients see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.queue.backlog import backlog_of
from danlu.control.queue.queue import Place, Wait
from danlu.control.usage.holders import HeldGpus, held_by
from danlu.domain import reasons as why
from danlu.domain.job import Attempt, JobClass, JobState, Task, Turn
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.resources import GpuGrant
from danlu.scheduler.whatif import Alternative
from danlu.server.queue import render as render_queue
from danlu.server.queue.models import Holder, QueueItem, Why
from tests.fakes.builders import job

EVE = Caller(User("eve", UserRole.ENGINEER, 0))
QUEUED = replace(job("train", gpus=2, gpu="A100", nodes=3), state=JobState.QUEUED, queued_at=5, turn=Turn(7))
PLACE = Place(("A100", JobClass.DISTRIBUTED), 4, QUEUED, why.BehindOthers(3), readable=True)

WAITING = backlog_of({PLACE.lane: tuple(replace(QUEUED, id=f"j{at}") for at in range(6))})
NOBODY = HeldGpus((), (), False)


def test_a_place_is_as_documented_and_of_others_nothing_more_is_told_than_its_size():
    own = QueueItem.model_validate(render_queue.place(PLACE, EVE))
    assert (own.gpus, own.nodes, own.position, own.name, own.mine) == (6, 3, 4, "train", False)
    assert (own.queued_at, own.pinned_at) == ("1970-01-01T00:00:00.005Z", "1970-01-01T00:00:00.007Z")
    assert own.reason is not None
    other = QueueItem.model_validate(render_queue.place(replace(PLACE, readable=False), EVE))
    assert (other.name, other.job_id, other.reason) == (None, None, None)
    hidden = {"name", "job_id", "reason"}
    assert other.model_dump(exclude=hidden) == own.model_dump(exclude=hidden)


@pytest.mark.parametrize(
    ("change", "english"),
    [
        (
            Alternative("max_time", "4h45m"),
            "with a max_time of 4h45m it would start now, and be ended after that",
        ),
        (Alternative("gpus", "4"), "with 4 GPUs per task it would start now"),
        (Alternative("tasks", "2"), "with 2 tasks it would start now"),
        (Alternative("gpu", "V100"), "on V100 it would start now"),
        (Alternative("project", "nlp"), "in project nlp it would start now"),
        (Alternative("node_selector", ""), "without its node_selector it would start now"),
        (Alternative("topology", ""), "without topology.same it would start now"),
    ],
    ids=lambda value: value.key if isinstance(value, Alternative) else "",
)
def test_every_change_that_would_help_is_told_in_both_languages(change, english):
    wait = Wait(QUEUED, why.BehindOthers(3), (PLACE,), (), 3, (change,))
    (told,) = Why.model_validate(render_queue.wait(wait, NOBODY, WAITING, EVE)).helps
    assert (told.change, told.value, told.text.en) == (change.key, change.value, english)
    assert change.value in told.text.zh
    assert "可立即启动" in told.text.zh
    option = f"--{change.key.replace('_', '-')} {change.value}" if change.value else f"--without {change.key}"
    assert told.command == f"danlu edit {QUEUED.id} {option}"


def test_a_place_says_how_many_wait_there():
    told = Why.model_validate(
        render_queue.wait(Wait(QUEUED, None, (PLACE,), (), 3, ()), NOBODY, WAITING, EVE)
    )
    assert [(place.position, place.waiting) for place in told.places] == [(4, 6)]


def test_of_others_who_hold_gpus_only_owner_kind_size_and_times_are_told():
    task = Task("worker", 0, "a100-0", "", (GpuGrant(0), GpuGrant(1)), "A100")
    running = replace(job("train", gpus=2, expected_time="1h"), state=JobState.RUNNING, started_at=1000)
    running = replace(running, attempt=Attempt(1, (task,), created_at=500))
    (other,) = held_by(running, readable=False)
    told = Holder.model_validate(render_queue.holder(other, EVE))
    assert (told.owner, told.gpus, told.nodes, told.kind, told.name, told.job_id) == (
        running.owner, 2, 1, "training", None, None,
    )  # fmt: skip
    assert (told.began_at, told.expected_end, told.latest_end) == (
        "1970-01-01T00:00:00.500Z", "1970-01-01T01:00:01.000Z", None,
    )  # fmt: skip
    (own,) = held_by(running, readable=True)
    assert render_queue.holder(own, EVE)["name"] == "train"


def test_fewer_gpus_for_a_total_are_fewer_in_all():
    total = replace(QUEUED, spec=job("train", gpus=8, gpu="A100", nodes="auto").spec)
    wait = Wait(total, None, (), (), 0, (Alternative("gpus", "4"),))
    (told,) = render_queue.wait(wait, NOBODY, WAITING, EVE)["helps"]
    assert told["text"]["en"] == "with 4 GPUs in all it would start now"
