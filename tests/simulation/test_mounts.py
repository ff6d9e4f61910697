"""Jobs with volumes: who waits for whom, and what happens to those whose volume was taken away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.domain import reasons as why
from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, Invalid, VolumeTaken
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare
from tests.simulation.test_clusters import clusters, where
from tests.simulation.world import LIN, World

RUN = {"SIMULATED_RUN_FOR": "1h"}
ANN = Caller(User("ann", UserRole.ENGINEER, 0))
BY = Entry("lin", "made", "")
SHARED = (VolumeShare(SharedWith.USER, "lin", MountMode.RW),)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.store.close()


def volume(world: World, name: str, owner: str = "lin", **keys: Any) -> Volume:
    kind = keys.pop("kind", VolumeKind.BLOCK)
    one = Volume(f"v-{name}", owner, name, kind, 100, 0, 0, **keys)
    return world.store.add_volume(one, 0, by=BY, check=lambda _: None)


def change(world: World, one: Volume, **keys: Any) -> None:
    world.store.edit_volume(one.id, lambda old, _: replace(old, **keys), 0, by=BY)


def mounting(name: str, mode: str = "rw", **keys: Any) -> dict[str, Any]:
    return {"env": RUN, "mounts": [{"volume": name, "path": "/data", "mode": mode, **keys}]}


def test_of_two_writers_the_second_starts_when_the_first_has_left(world: World) -> None:
    volume(world, "disk")
    world.submit("first", **mounting("disk"), max_time="2h")
    world.submit("second", **mounting("disk"))
    world.steps(3)
    assert (world.state("first"), world.state("second")) == (JobState.RUNNING, JobState.QUEUED)
    waiting = world.jobs.waiting(world.jobs.get(LIN, "second"))
    assert isinstance(waiting, why.VolumeBusy)
    assert (waiting.volume, waiting.job, waiting.until is not None) == ("lin:disk", "first", True)
    world.jobs.act(LIN, "first", "stop")
    world.steps(5)
    assert world.state("second") is JobState.RUNNING


def test_of_somebody_elses_job_only_its_owner_is_told(world: World) -> None:
    volume(world, "disk", owner="ann", shares=SHARED)
    file = {"kind": "training", "name": "hers", "command": "true", **mounting("disk")}
    world.jobs.create(ANN, file, start=True)
    world.submit("mine", **mounting("ann:disk"))
    world.steps(3)
    assert world.jobs.waiting(world.jobs.get(LIN, "mine")) == why.VolumeBusy("ann:disk", True, "ann")


def test_a_start_that_would_not_wait_is_refused_with_the_same_sentence(world: World) -> None:
    volume(world, "disk")
    world.submit("first", **mounting("disk"), max_time="2h")
    world.submit("second", **mounting("disk"))
    world.steps(3)
    with pytest.raises(VolumeTaken) as refusal:
        world.submit("third", **mounting("disk", busy="refuse"))
    waiting = world.jobs.waiting(world.jobs.get(LIN, "second"))
    assert waiting is not None
    assert refusal.value.text == waiting.text()
    assert [error.loc for error in refusal.value.errors] == [("mounts", 0, "volume")]
    world.jobs.act(LIN, "second", "stop")
    world.jobs.act(LIN, "first", "stop")
    world.steps(5)
    world.submit("third", **mounting("disk", busy="refuse"))
    world.steps(3)
    assert world.state("third") is JobState.RUNNING


@pytest.mark.parametrize(
    "meanwhile",
    [
        {"shares": ()},
        {"shares": (VolumeShare(SharedWith.USER, "lin", MountMode.RO),)},
        {"shares": SHARED, "sensitive": True},
    ],
)
def test_a_share_that_is_revoked_before_the_task_starts_fails_the_attempt(
    world: World, meanwhile: dict[str, Any]
) -> None:
    one = volume(world, "data", owner="ann", kind=VolumeKind.FILESYSTEM, shares=SHARED)
    world.submit("some-job", **mounting("ann:data"))
    change(world, one, **meanwhile)
    world.steps(5)
    job = world.jobs.get(LIN, "some-job")
    assert job.state is JobState.FAILED
    assert isinstance(job.reason, why.VolumeNotAvailable)
    assert job.reason.volume == "ann:data"
    assert not any(world.cluster.task(key) for key in [(job.attempt_id, "worker-0")])
    with pytest.raises(Invalid):
        world.jobs.act(LIN, "some-job", "start")


def test_a_task_that_runs_keeps_its_volume_and_its_restart_does_not_get_it(world: World) -> None:
    one = volume(world, "data", owner="ann", kind=VolumeKind.FILESYSTEM, shares=SHARED)
    world.submit("some-job", **mounting("ann:data"), on={"task_failed": "restart_job"})
    world.steps(3)
    change(world, one, shares=())
    world.steps(3)
    assert world.state("some-job") is JobState.RUNNING
    world.boot()
    world.steps(3)
    assert world.state("some-job") is JobState.RUNNING


def test_a_volume_is_not_put_in_the_trash_while_a_job_waits_or_runs_with_it(world: World) -> None:
    one = volume(world, "data")
    world.submit("some-job", **mounting("data"))
    with pytest.raises(Conflict, match="in use by job some-job of lin"):
        change(world, one, trashed_at=5)
    world.steps(3)
    with pytest.raises(Conflict):
        change(world, one, trashed_at=5)
    world.jobs.act(LIN, "some-job", "stop")
    world.steps(5)
    change(world, one, trashed_at=5)


def test_a_volume_takes_its_job_to_its_cluster_and_needs_a_claim_there(tmp_path: Path) -> None:
    world = World(tmp_path, clusters(), all_serve=False)
    volume(world, "claimed", kind=VolumeKind.FILESYSTEM, cluster="west", claim="pvc-1")
    volume(world, "unmade", kind=VolumeKind.FILESYSTEM, cluster="west")
    world.submit("there", **mounting("claimed"))
    world.submit("nowhere", **mounting("unmade"))
    world.steps(5)
    assert where(world, "there") == {"west"}
    assert isinstance(world.jobs.get(LIN, "nowhere").reason, why.VolumeNotAvailable)
    world.store.close()
