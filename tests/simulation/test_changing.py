"""A job that waits is changed in place, from the request to its start, on a fake clock; and who holds what it waits for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.control.queue.queue import PlaceQuery
from danlu.control.usage.holders import Holders
from danlu.control.usage.panel import Panel
from danlu.domain.errors import InsufficientQuota, WrongState
from danlu.domain.job import JobState
from danlu.files.changes import SpecChanges
from tests.simulation.queueing import ADMIN, HOUR, MEI, kinds, now, slow_world, submit
from tests.simulation.world import LIN, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = slow_world(tmp_path)
    yield made
    made.store.close()


def in_line(world: World) -> list[str]:
    places, _ = world.queue.places(ADMIN, PlaceQuery())
    return [place.job.spec.name for place in places]


def full(world: World) -> None:
    """Of sixteen cards, four are free."""
    submit(world, "whole", MEI, max_time="2h")
    submit(world, "half", MEI, resources={"gpus": 4, "gpu": "A100"}, expected_time="1h")
    world.steps(3)


def test_the_advice_is_taken_in_place_and_the_job_starts(world: World) -> None:
    full(world)
    job = submit(world, "eager")
    world.step()
    (gpus,) = [one for one in world.queue.why(LIN, "eager").helps if one.key == "gpus"]
    changed = world.jobs.change(LIN, "eager", SpecChanges(gpus=float(gpus.value)))
    assert (changed.id, changed.state, changed.created_at, changed.queued_at) == (
        job.id, JobState.QUEUED, job.created_at, job.queued_at,
    )  # fmt: skip
    world.steps(3)
    found = now(world, job)
    assert (found.state, found.spec_version, len(found.live_tasks[0].gpus)) == (JobState.RUNNING, 2, 4)
    assert "job_changed" in kinds(world, job)
    (entry,) = [one.entry for one in world.store.chain(0, 50) if one.entry.act == "edited"]
    assert (entry.by, entry.before and entry.before["gpus"], entry.after and entry.after["gpus"]) == (
        "lin",
        "8",
        "4",
    )
    with pytest.raises(WrongState):
        world.jobs.change(LIN, "eager", SpecChanges(gpus=2))


def test_less_keeps_the_place_and_more_goes_to_the_back(world: World) -> None:
    full(world)
    for name in ("first", "second"):
        submit(world, name, nodes=2)
    world.step()
    world.jobs.change(LIN, "first", SpecChanges(max_time="1h"))
    world.steps(2)
    assert in_line(world) == ["first", "second"]
    world.jobs.change(LIN, "first", SpecChanges(without=("max_time",)))
    world.steps(2)
    assert in_line(world) == ["second", "first"]


def test_a_queued_job_that_would_exceed_its_quota_stays_as_it_was(world: World) -> None:
    full(world)
    world.quotas.put(ADMIN, "user:lin", {"amounts": {"single": {"gpus": 8000, "cpus": 61000}}})
    job = submit(world, "bounded")
    world.step()
    with pytest.raises(InsufficientQuota):
        world.jobs.change(LIN, "bounded", SpecChanges(cpus=62))
    assert now(world, job).spec_version == 1
    assert world.jobs.change(LIN, "bounded", SpecChanges(gpus=6)).spec_version == 2


def test_holders_are_told_with_their_ends_the_first_to_be_free_first(world: World) -> None:
    full(world)
    holders = Holders(
        world.view, Panel(world.cluster.nodes, world.registry.pools, world.view, world.clock), world.clock
    )
    found = holders.of(LIN, None, 10)
    assert [(one.milli, one.readable) for one in found.holders] == [(4000, False), (8000, False)]
    (model,) = found.models
    assert (model.model, model.jobs, model.amount.used, model.amount.total) == ("A100", 2, 12_000, 16_000)
    half, whole = found.holders
    assert half.expected_end is not None
    assert whole.latest_end is not None
    assert half.expected_end < whole.latest_end <= world.clock.now() + 2 * HOUR
    assert [one.job.spec.name for one in holders.of(MEI, {"A100"}, 10).holders if one.readable] == [
        "half",
        "whole",
    ]
    assert holders.of(LIN, {"V100"}, 10).holders == ()
    assert [one.milli for one in holders.of(LIN, None, 1, ("A100", 1)).holders] == [8000]
    world.clock.advance(HOUR + HOUR // 2)
    assert [one.milli for one in holders.of(LIN, None, 10).holders] == [8000, 4000]
