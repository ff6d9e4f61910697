"""Volumes beyond their capacity: who goes on writing is ended in time, who would write waits, and nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.control.plane.count_often import volumes_often
from danlu.control.plane.mount_watch import PATIENCE_MS, MountWatch
from danlu.control.plane.personal_places import PersonalPlaces
from danlu.domain import reasons as why
from danlu.domain.errors import Invalid
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.volumes.volume import VolumeKind
from danlu.ports.storage import DiskFigure
from tests.simulation.test_mounts import change, mounting, volume
from tests.simulation.world import LIN, World

A_TENTH = -10
GIB = 2**30


class Watched:
    """A world with a volume of lin's of 100 bytes, which may take 200: a small one may take its capacity again."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        self.volume = volume(self.world, "data", kind=VolumeKind.FILESYSTEM)
        self.own: dict[str, DiskFigure] = {}
        self.places = PersonalPlaces(
            lambda: self.world.view.live(), self.world.cluster.nodes, self.own.get, {"lin": 100}.get, A_TENTH
        )
        self.restart()

    def restart(self, tolerance: int = A_TENTH) -> None:
        """All that is not in the database is forgotten."""
        self.watch = MountWatch(
            self.world.store,
            lambda: self.world.controller.view.live(),
            lambda volume_id: self.world.figures.get(volume_id),
            lambda name: Caller(User(name, UserRole.ENGINEER, 0)),
            lambda job_id, event: self.world.controller.found(job_id, event),
            self.world.clock,
            tolerance,
            self.places.of,
        )

    def run(self, name: str, mode: str = "rw", **more: object) -> None:
        self.world.submit(name, **mounting("data", mode), **more)
        self.world.steps(3)
        assert self.world.state(name) is JobState.RUNNING

    def counted(self, used: int, after: int = 0) -> None:
        """Time passes, the volume is counted, and somebody looks."""
        self.world.clock.advance(after)
        self.world.figures[self.volume.id] = DiskFigure(used, 1, self.world.clock.now())
        self.watch.look()
        self.world.steps(2)

    def told(self, name: str) -> list[str]:
        events = self.world.store.events_of(self.world.jobs.get(LIN, name).id, 0, 1_000)
        return [
            one.data.get("what", one.kind)
            for one in events
            if one.kind in ("mount_changed", "volume_overrun")
        ]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    one = Watched(tmp_path)
    yield one
    one.world.store.close()


def test_who_goes_on_writing_is_warned_and_then_ended_with_the_numbers(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(201)
    assert watched.told("writer") == ["over"]
    watched.counted(220, after=PATIENCE_MS)
    assert watched.told("writer") == ["over", "volume_overrun"]
    watched.world.steps(3)
    job = watched.world.jobs.get(LIN, "writer")
    assert job.state is JobState.FAILED
    assert job.reason == why.VolumeFull("lin:data", 220, 100)
    assert job.reason.text().en == "volume lin:data is full: 220B are used, its capacity is 100B"
    assert job.reason.text().zh == "存储卷 lin:data 已满：已用 220B，容量 100B"


def test_no_policy_starts_it_again(watched: Watched) -> None:
    watched.run("writer", on={"task_failed": "restart_job"}, restarts=3)
    watched.counted(201)
    watched.counted(220, after=PATIENCE_MS)
    watched.world.steps(20)
    assert watched.world.state("writer") is JobState.FAILED


@pytest.mark.parametrize("used", [201, 200, 150])
def test_what_does_not_grow_beyond_the_warning_ends_nobody(watched: Watched, used: int) -> None:
    watched.run("writer")
    watched.counted(201)
    for _ in range(5):
        watched.counted(used, after=PATIENCE_MS)
    assert watched.world.state("writer") is JobState.RUNNING


def test_within_the_tolerance_a_volume_may_grow(watched: Watched) -> None:
    watched.run("writer")
    for used in (101, 150, 199, 200):
        watched.counted(used, after=PATIENCE_MS)
    assert watched.world.state("writer") is JobState.RUNNING
    assert watched.told("writer") == ["full"]


def test_there_is_time_between_the_warning_and_the_end(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(201)
    watched.counted(300, after=PATIENCE_MS // 4)
    assert watched.world.state("writer") is JobState.RUNNING


def test_who_makes_room_after_the_warning_is_measured_by_what_comes_after(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(300)
    watched.counted(220, after=PATIENCE_MS)
    assert watched.world.state("writer") is JobState.RUNNING
    watched.counted(221, after=PATIENCE_MS)
    watched.world.steps(3)
    assert watched.world.state("writer") is JobState.FAILED


def test_a_warning_is_over_when_there_is_room(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(201)
    watched.counted(50, after=PATIENCE_MS)
    watched.counted(201, after=PATIENCE_MS)
    assert watched.told("writer") == ["over", "room", "over"]
    assert watched.world.state("writer") is JobState.RUNNING


def test_all_who_write_are_ended_and_readers_run_on(watched: Watched) -> None:
    for name, mode in (("first", "rw"), ("second", "rw"), ("reader", "ro")):
        watched.run(name, mode)
    watched.counted(201)
    watched.counted(220, after=PATIENCE_MS)
    watched.world.steps(3)
    states = [watched.world.state(name) for name in ("first", "second", "reader")]
    assert states == [JobState.FAILED, JobState.FAILED, JobState.RUNNING]
    assert watched.told("reader") == []


def test_a_restart_forgets_no_warning(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(201)
    watched.restart()
    watched.world.boot()
    watched.world.steps(2)
    watched.counted(220, after=PATIENCE_MS)
    watched.world.steps(3)
    assert watched.world.state("writer") is JobState.FAILED


def test_who_may_learn_nothing_of_a_volume_any_more_is_ended_all_the_same(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.run("writer")
    change(watched.world, watched.volume, owner="ann")
    watched.counted(201)
    assert watched.told("writer") == ["revoked"]
    watched.counted(220, after=PATIENCE_MS)
    watched.world.steps(3)
    assert watched.world.state("writer") is JobState.FAILED
    watched.world.store.close()


def test_where_capacities_are_only_measured_nobody_is_ended(watched: Watched) -> None:
    watched.restart(tolerance=0)
    watched.run("writer")
    watched.counted(900)
    watched.counted(9_000, after=PATIENCE_MS)
    watched.world.steps(3)
    assert watched.world.state("writer") is JobState.RUNNING
    assert watched.told("writer") == ["full"]


def test_a_volume_of_a_cluster_is_its_storages_to_bound(watched: Watched) -> None:
    watched.run("writer")
    change(watched.world, watched.volume, claim="pvc-1")
    watched.counted(900)
    watched.counted(9_000, after=PATIENCE_MS)
    watched.world.steps(3)
    assert watched.world.state("writer") is JobState.RUNNING


def test_a_start_that_would_write_to_a_full_volume_is_refused_at_its_field(watched: Watched) -> None:
    watched.counted(101)
    with pytest.raises(Invalid) as refused:
        watched.world.submit("writer", **mounting("data"))
    (error,) = refused.value.errors
    assert (error.loc, error.code) == (("mounts", 0, "mode"), "volume_full")
    assert error.text.en == "volume lin:data is full: it takes 101B, its capacity is 100B"
    watched.run("reader", "ro")


def test_a_job_in_the_queue_waits_for_room_and_loses_nothing(watched: Watched) -> None:
    watched.run("writer")
    watched.world.jobs.act(LIN, "writer", "restart")
    watched.counted(101)
    watched.world.steps(5, 2_000)
    assert watched.world.state("writer") is JobState.QUEUED
    waiting = watched.world.jobs.waiting(watched.world.jobs.get(LIN, "writer"))
    assert waiting == why.VolumeFull("lin:data", 101, 100)
    watched.counted(80)
    watched.world.steps(3, 2_000)
    assert watched.world.state("writer") is JobState.RUNNING


def test_a_volume_that_was_enlarged_has_room_at_once(watched: Watched) -> None:
    watched.world.submit("writer", **mounting("data"))
    watched.counted(101)
    watched.world.steps(3, 2_000)
    assert watched.world.state("writer") is JobState.QUEUED
    change(watched.world, watched.volume, capacity=200)
    watched.world.steps(3, 2_000)
    assert watched.world.state("writer") is JobState.RUNNING


def test_a_restart_on_a_full_volume_is_refused_and_the_job_runs_on(watched: Watched) -> None:
    watched.run("writer")
    watched.counted(101)
    with pytest.raises(Invalid):
        watched.world.jobs.act(LIN, "writer", "restart")
    assert watched.world.state("writer") is JobState.RUNNING


def test_jobs_without_the_volume_pass_who_waits_for_room(watched: Watched) -> None:
    watched.world.submit("writer", **mounting("data"), resources={"gpus": 8}, nodes=2)
    watched.world.figures[watched.volume.id] = DiskFigure(101, 1, 0)
    watched.world.steps(2)
    watched.world.submit("other", resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "1h"})
    watched.world.steps(3)
    states = (watched.world.state("writer"), watched.world.state("other"))
    assert states == (JobState.QUEUED, JobState.RUNNING)


def test_a_personal_directory_beyond_its_bound_ends_its_owners_jobs_in_the_same_way(watched: Watched) -> None:
    watched.world.submit("writer", env={"SIMULATED_RUN_FOR": "1h"})
    watched.world.steps(3)
    for used in (201, 220):
        watched.own["lin"] = DiskFigure(used, 1, watched.world.clock.now())
        watched.watch.look()
        watched.world.steps(2)
        watched.world.clock.advance(PATIENCE_MS)
    watched.world.steps(3)
    assert watched.told("writer") == ["over", "volume_overrun"]
    assert watched.world.jobs.get(LIN, "writer").reason == why.VolumeFull("personal", 220, 100)


def test_a_personal_directory_without_a_bound_ends_nobody(watched: Watched) -> None:
    watched.places._bound = lambda _: None
    watched.world.submit("writer", env={"SIMULATED_RUN_FOR": "1h"})
    watched.world.steps(3)
    for used in (201, 220):
        watched.own["lin"] = DiskFigure(used, 1, watched.world.clock.now())
        watched.watch.look()
        watched.world.clock.advance(PATIENCE_MS)
    assert watched.told("writer") == []


def test_personal_directories_are_counted_often_from_half_of_their_bound_on(watched: Watched) -> None:
    often = watched.places.often(watched.world.clock)
    watched.own["lin"] = DiskFigure(60, 1, 0)
    assert often.due() == []  # none of lin's jobs runs
    watched.world.submit("writer", env={"SIMULATED_RUN_FOR": "1h"})
    watched.world.steps(3)
    assert often.due() == ["lin"]
    watched.own["lin"] = DiskFigure(40, 1, 0)
    assert often.due() == []


# ── in time ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rate", [GIB // 4, 2 * GIB])
@pytest.mark.parametrize("count_s", [0, 20], ids=["few files", "a million files"])
def test_from_beyond_the_tolerance_to_the_end_it_takes_two_minutes_at_most(
    watched: Watched, rate: int, count_s: int
) -> None:
    """One thread counts as CountOften says, and a count takes a while; a job writes as fast as a disk does."""
    world = watched.world
    capacity = 100 * GIB
    change(world, watched.volume, capacity=capacity)
    watched.run("writer")
    often = volumes_often(world.store, world.view.active, world.figures.get, world.clock)
    began, seen = world.clock.now(), 0
    crossed = ended = counting_until = None
    while ended is None:
        now = world.clock.now()
        used = rate * (now - began) // 1_000
        if crossed is None and used > capacity + capacity // 10:
            crossed = now
        if counting_until is not None and now >= counting_until:
            world.figures[watched.volume.id] = DiskFigure(seen, 1_000_000, now)
            counting_until = None
            watched.watch.look()
        if counting_until is None and often.due():
            counting_until, seen = now + 1_000 * count_s, used  # at worst it sees what was there first
        world.step(1_000)
        job = world.jobs.get(LIN, "writer")
        ended = now if job.state is JobState.STOPPING or not job.active else None
        assert now - began < 3_600_000
    assert crossed is not None
    assert 0 < ended - crossed <= 120_000


def test_volumes_that_nobody_writes_to_are_not_counted_often(watched: Watched) -> None:
    world = watched.world
    often = volumes_often(world.store, world.view.active, world.figures.get, world.clock)
    volume(world, "quiet", kind=VolumeKind.FILESYSTEM)
    watched.run("reader", "ro")
    assert often.due() == []
    watched.run("writer")
    assert often.due() == [watched.volume.id]
    world.figures[watched.volume.id] = DiskFigure(10, 1, world.clock.now())
    assert often.due() == []
    world.clock.advance(10_000)
    assert often.due() == []
    world.clock.advance(10_000)
    assert often.due() == [watched.volume.id]


def test_a_volume_that_fills_up_or_grows_is_counted_twice_as_often(watched: Watched) -> None:
    world = watched.world
    often = volumes_often(world.store, world.view.active, world.figures.get, world.clock)
    watched.run("writer")

    def counted(used: int) -> None:
        world.figures[watched.volume.id] = replace(DiskFigure(used, 1, 0), counted_at=world.clock.now())
        often.due()

    counted(10)
    counted(16)  # it grew by more than a twentieth
    world.clock.advance(10_000)
    assert often.due() == [watched.volume.id]
    counted(16)
    world.clock.advance(10_000)
    assert often.due() == []
    counted(50)
    world.clock.advance(10_000)
    assert often.due() == [watched.volume.id]


def test_a_full_volume_that_a_job_waits_for_is_counted_often(watched: Watched) -> None:
    world = watched.world
    often = volumes_often(world.store, world.view.active, world.figures.get, world.clock)
    world.submit("writer", **mounting("data"))
    world.figures[watched.volume.id] = DiskFigure(101, 1, world.clock.now())
    world.steps(3)
    world.clock.advance(20_000)
    assert often.due() == [watched.volume.id]
