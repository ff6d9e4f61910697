"""Claims of volumes on a fake clock: what the records say comes to be, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from danlu.control.plane.claims import LATER_MS, MEASURED_MS, SOON_MS, ClaimKeeper
from danlu.control.plane.mounts import MountAccess
from danlu.domain.audit import Entry
from danlu.domain.errors import Invalid, Unavailable
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import same
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import ClaimOrder
from danlu.store.sql import SqlStore
from tests.databases import sqlite_at
from tests.fakes.clock import FakeClock
from tests.simulation.test_clusters import clusters
from tests.simulation.world import LIN, World

BY = Entry("lin", "created", "")
LAB = KubernetesCluster("lab", filesystem_class="nfs")
ONE = Volume(
    "v1", "lin", "data", VolumeKind.FILESYSTEM, 7, 0, 0, cluster="lab", claim="c1", storage_class="nfs"
)


@dataclass
class ScriptedClaims:
    """Implements ports.volumes.claims.ClusterClaims: makes what is wanted, unless it is down or dies on the way."""

    there: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    down: bool = False
    dies: bool = False
    used: dict[str, int] | None = None

    def keep(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        wanted: Sequence[tuple[Volume, VolumeClaim | None]],
        leaving: Sequence[VolumeClaim],
    ) -> tuple[tuple[VolumeClaim, ...], tuple[str, ...]]:
        self.looks += 1
        if self.down:
            raise Unavailable(same("connection refused"))
        gone = tuple(claim.volume for claim in leaving if claim.name not in self.there)
        for claim in leaving:
            self.there.pop(claim.name, None)
        for one, _ in wanted:
            self.there[one.claim] = one.capacity
        if self.dies:
            raise RuntimeError("killed")
        found = (
            replace(
                known or VolumeClaim(one.id, one.cluster, one.claim),
                state=ClaimState.BOUND,
                note=ClaimNote.NONE,
                told="",
                uid="u",
                capacity=one.capacity,
            )
            for one, known in wanted
        )
        return tuple(found), gone

    def sizes(
        self, cluster: KubernetesCluster, access: ClusterCredentials, claims: Mapping[str, int]
    ) -> Mapping[str, int] | None:
        return self.used


@dataclass
class Scene:
    store: SqlStore
    cluster: ScriptedClaims = field(default_factory=ScriptedClaims)
    clock: FakeClock = field(default_factory=FakeClock)
    clusters: dict[str, KubernetesCluster] = field(default_factory=lambda: {"lab": LAB})

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.keeper = ClaimKeeper(
            self.store, self.cluster, lambda: self.clusters, lambda _: ClusterCredentials(), self.clock
        )

    def add(self, one: Volume = ONE) -> None:
        self.store.add_volume(one, 0, by=BY, check=lambda _: None)

    def edit(self, **keys: object) -> None:
        self.store.edit_volume("v1", lambda one, _: replace(one, **keys), 0, by=BY)  # type: ignore[arg-type]

    def found(self) -> VolumeClaim:
        claim = self.store.volume_claim("v1")
        assert claim is not None
        return claim


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    store = SqlStore.open(sqlite_at(tmp_path / "danlu.db"))
    yield Scene(store)
    store.close()


def test_without_volumes_no_cluster_is_looked_at(scene: Scene):
    scene.keeper.round()
    assert scene.cluster.looks == 0


def test_a_claim_comes_at_once_and_is_looked_at_seldom_when_it_is_there(scene: Scene):
    scene.add()
    scene.keeper.round()
    assert scene.cluster.there == {"c1": 7}
    scene.keeper.round()
    scene.clock.advance(SOON_MS)
    scene.keeper.round()
    assert (scene.cluster.looks, scene.found().state) == (1, ClaimState.BOUND)
    scene.clock.advance(LATER_MS - SOON_MS)
    scene.keeper.round()
    assert scene.cluster.looks == 2
    scene.edit(capacity=9)
    scene.keeper.round()
    assert scene.cluster.there == {"c1": 9}


def test_a_process_that_dies_between_making_and_noting_makes_nothing_twice(scene: Scene):
    scene.add()
    scene.cluster.dies = True
    with pytest.raises(RuntimeError):
        scene.keeper.round()
    assert scene.store.volume_claim("v1") is None
    scene.cluster.dies = False
    scene.restart()
    scene.keeper.round()
    assert (scene.cluster.there, scene.found().uid) == ({"c1": 7}, "u")


def test_what_is_known_stays_while_a_cluster_is_away(scene: Scene):
    scene.add()
    scene.keeper.round()
    scene.cluster.down = True
    scene.clock.advance(LATER_MS)
    scene.keeper.round()
    found = scene.found()
    assert (found.state, found.note, found.told) == (
        ClaimState.BOUND,
        ClaimNote.UNREACHABLE,
        "connection refused",
    )
    scene.cluster.down = False
    scene.clock.advance(LATER_MS)
    scene.keeper.round()
    assert scene.found().note is ClaimNote.NONE


def test_a_claim_goes_after_its_volume_also_if_the_process_died_in_between(scene: Scene):
    scene.add()
    scene.keeper.round()
    scene.edit(trashed_at=0)
    scene.keeper.round()
    assert scene.cluster.there == {"c1": 7}, "in the trash it can still be restored"
    scene.store.remove_volume("v1", 0, by=BY)
    scene.restart()
    scene.keeper.round()
    assert scene.cluster.there == {}
    scene.clock.advance(SOON_MS)
    scene.keeper.round()
    assert scene.store.kept_claims().leaving == ()


def test_a_cluster_that_was_removed_is_left_alone(scene: Scene):
    scene.add()
    scene.clusters.clear()
    scene.keeper.round()
    assert scene.cluster.looks == 0


def test_sizes_have_an_age_and_stay_where_nobody_may_measure(scene: Scene):
    scene.add()
    scene.cluster.used = {"c1": 5}
    scene.keeper.round()
    measured_at = scene.clock.now()
    assert (scene.found().used, scene.found().used_at) == (5, measured_at)
    scene.cluster.used = None
    scene.clock.advance(MEASURED_MS)
    scene.keeper.round()
    assert (scene.found().used, scene.found().used_at) == (5, measured_at)


# ── jobs that mount what only some nodes have ────────────────────────────────────────────────────────


@pytest.fixture
def east(tmp_path: Path) -> Iterator[World]:
    nodes = tuple(replace(node, labels={**node.labels, "host": node.name}) for node in clusters())
    world = World(tmp_path, nodes, all_serve=False)
    yield world
    world.store.close()


def hosts(world: World, name: str) -> set[str]:
    return {task.node for task in world.jobs.get(LIN, name).live_tasks}


def mounting(**keys: object) -> dict[str, object]:
    return {
        "image": "python:3.12",
        "env": {"SIMULATED_RUN_FOR": "10s"},
        "mounts": [{"volume": "data", "path": "/data", "mode": "rw"}],
        **keys,
    }


@pytest.mark.parametrize("host", ["a100-0.east", "a100-1.east"])
def test_a_job_goes_to_the_node_that_has_its_volume(east: World, host: str) -> None:
    one = replace(ONE, cluster="east")
    east.store.add_volume(one, 0, by=BY, check=lambda _: None)
    found = VolumeClaim("v1", "east", "c1", ClaimState.BOUND, ClaimNote.NONE, uid="u", nodes={"host": host})
    east.submit("waits", **mounting(resources={"gpus": 8}))
    east.store.keep_claims([found])
    east.steps(3)
    assert hosts(east, "waits") == {host}


def test_a_job_waits_for_the_node_that_has_its_volume_and_says_so(east: World) -> None:
    one = replace(ONE, cluster="east")
    east.store.add_volume(one, 0, by=BY, check=lambda _: None)
    host = "a100-0.east"
    found = VolumeClaim("v1", "east", "c1", ClaimState.BOUND, ClaimNote.NONE, uid="u", nodes={"host": host})
    east.store.keep_claims([found])
    run = {"SIMULATED_RUN_FOR": "1h"}
    east.submit("first", **mounting(resources={"gpus": 8}, env=run))
    east.steps(3)
    assert hosts(east, "first") == {host}
    east.submit("second", **mounting(resources={"gpus": 8}))
    east.steps(3)
    assert east.state("second") is JobState.QUEUED, "the other node is free, and has no such volume"
    assert east.jobs.waiting(east.jobs.get(LIN, "second")) is not None


def test_the_first_job_of_a_new_volume_brings_its_claim_along_and_later_ones_do_not(east: World) -> None:
    one = replace(ONE, cluster="east")
    east.store.add_volume(one, 0, by=BY, check=lambda _: None)
    east.submit("first", **mounting())
    east.steps(3)
    job = east.jobs.get(LIN, "first")
    access = MountAccess(east.store, lambda name: Caller(User(name, UserRole.ENGINEER, 0)))
    [mount] = access.granted(job)
    assert mount.new == ClaimOrder("c1", "nfs", 7, True, "lin", "v1")
    east.store.keep_claims([VolumeClaim("v1", "east", "c1", uid="u")])
    [mount] = access.granted(job)
    assert (mount.claim, mount.new) == ("c1", None)


def test_a_volume_that_its_cluster_lost_is_refused_where_it_is_mounted(east: World) -> None:
    one = replace(ONE, cluster="east")
    east.store.add_volume(one, 0, by=BY, check=lambda _: None)
    lost = VolumeClaim("v1", "east", "c1", ClaimState.LOST, ClaimNote.VANISHED, uid="u")
    east.store.keep_claims([lost])
    with pytest.raises(Invalid) as refused:
        east.submit("first", **mounting())
    [error] = refused.value.errors
    assert (error.loc, error.code) == (("mounts", 0, "volume"), "volume_lost")
    east.store.keep_claims([replace(lost, state=ClaimState.PENDING)])
    assert east.submit("first", **mounting()).state is JobState.QUEUED
