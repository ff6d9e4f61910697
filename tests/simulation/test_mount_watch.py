"""What running jobs are told of the volumes that they mount: once per change, and not lost in a crash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from danlu.control.plane.mount_watch import MountWatch
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeKind, VolumeShare
from danlu.ports.storage import DiskFigure
from tests.simulation.test_mounts import SHARED, change, mounting, volume
from tests.simulation.world import LIN, World

READS = (VolumeShare(SharedWith.USER, "lin", MountMode.RO),)


@dataclass
class Watched:
    """A running job of lin's with ann's volume of 100 bytes, and who looks after it."""

    world: World
    used: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.volume = volume(self.world, "data", "ann", kind=VolumeKind.FILESYSTEM, shares=SHARED)
        self.world.submit("some-job", **mounting("ann:data"))
        self.world.steps(3)
        self.restart()

    def restart(self) -> None:
        """All that is not in the database is forgotten."""
        self.watch = MountWatch(
            self.world.store,
            lambda: self.world.controller.view.live(),
            lambda volume_id: DiskFigure(self.used[volume_id], 0, 0) if volume_id in self.used else None,
            lambda name: Caller(User(name, UserRole.ENGINEER, 0)),
            lambda job_id, event: self.world.controller.found(job_id, event),
            self.world.clock,
        )

    def look(self, used: int | None = None) -> list[str]:
        """What has been written of it in all, after a look."""
        if used is not None:
            self.used[self.volume.id] = used
        self.watch.look()
        self.world.steps(2)
        return self.written()

    def written(self) -> list[str]:
        job = self.world.jobs.get(LIN, "some-job")
        events = self.world.store.events_of(job.id, 0, 1_000)
        return [one.data["what"] for one in events if one.kind == "mount_changed"]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    world = World(tmp_path)
    yield Watched(world)
    world.store.close()


def test_a_volume_that_fills_up_is_told_once_at_each_bound(watched: Watched) -> None:
    assert watched.look() == []  # nothing was counted yet
    assert watched.look(89) == []
    assert watched.look(90) == ["nearly_full"]
    assert watched.look() == ["nearly_full"]
    assert watched.look(86) == ["nearly_full"]
    assert watched.look(91) == ["nearly_full"]  # around the bound: once
    assert watched.look(100) == ["nearly_full", "full"]
    assert watched.look(99) == ["nearly_full", "full"]
    assert watched.look(40) == ["nearly_full", "full", "room"]
    assert watched.world.state("some-job") is JobState.RUNNING


def test_it_says_how_full_in_both_languages(watched: Watched) -> None:
    watched.look(95)
    job = watched.world.jobs.get(LIN, "some-job")
    (event,) = (one for one in watched.world.store.events_of(job.id, 0, 99) if one.kind == "mount_changed")
    assert event.text.en == "volume ann:data is nearly full: 95B of 100B are used"
    assert event.text.zh == "存储卷 ann:data 即将写满：已用 95B，容量 100B"
    assert event.owner == "lin"


@pytest.mark.parametrize(
    ("meanwhile", "what"),
    [
        ({"shares": ()}, "revoked"),
        ({"shares": READS}, "read_only"),
        ({"sensitive": True}, "sensitive"),
    ],
)
def test_access_taken_away_is_told_once_and_the_job_runs_on(
    watched: Watched, meanwhile: dict[str, object], what: str
) -> None:
    assert watched.look() == []
    change(watched.world, watched.volume, **meanwhile)
    assert watched.look() == [what]
    assert watched.look() == [what]
    assert watched.world.state("some-job") is JobState.RUNNING
    change(watched.world, watched.volume, shares=SHARED, sensitive=False)
    assert watched.look() == [what, "usable"]


def test_a_restart_repeats_nothing(watched: Watched) -> None:
    change(watched.world, watched.volume, shares=READS)
    assert watched.look(100) == ["read_only", "full"]
    watched.restart()
    assert watched.look() == ["read_only", "full"]
    assert watched.look(50) == ["read_only", "full", "room"]


def test_who_may_not_use_a_volume_any_more_learns_nothing_of_how_full_it_is(watched: Watched) -> None:
    change(watched.world, watched.volume, shares=())
    assert watched.look(100) == ["revoked"]
    change(watched.world, watched.volume, shares=SHARED)
    assert watched.look(100) == ["revoked", "usable", "full"]


def test_what_was_seen_but_not_written_before_a_crash_is_told_after_it(watched: Watched) -> None:
    lost: list[str] = []
    watched.watch._tell = lambda job_id, _: lost.append(job_id)
    assert watched.look(95) == []
    assert len(lost) == 1
    assert watched.look() == []
    assert len(lost) == 1  # not again at every look
    watched.restart()
    assert watched.look() == ["nearly_full"]


def test_what_never_arrives_is_told_again_without_a_restart(watched: Watched) -> None:
    tell, watched.watch._tell = watched.watch._tell, lambda *_: None
    assert watched.look(95) == []
    watched.watch._tell = tell
    watched.world.steps(3, 60_000)
    assert watched.look() == ["nearly_full"]


def test_a_new_attempt_is_told_anew_and_a_job_that_is_over_nothing(watched: Watched) -> None:
    assert watched.look(95) == ["nearly_full"]
    watched.world.jobs.act(LIN, "some-job", "restart")
    watched.world.steps(5)
    assert watched.world.state("some-job") is JobState.RUNNING
    assert watched.look() == ["nearly_full", "nearly_full"]
    watched.world.jobs.act(LIN, "some-job", "stop")
    watched.world.steps(5)
    assert watched.look(100) == ["nearly_full", "nearly_full"]
