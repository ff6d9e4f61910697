"""Claims of volumes on a fake clock: what the records say comes to be, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from danlu.control.plane.claims import LATER_MS, MEASURED_MS, SOON_MS, ClaimKeeper
from danlu.domain.audit import Entry
from danlu.domain.errors import Unavailable
from danlu.domain.rules import KubernetesCluster
from danlu.domain.volumes.claims import ClaimNote, ClaimState, VolumeClaim
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.domain.words import same
from danlu.ports.clusters import ClusterCredentials
from danlu.store.sql import SqlStore
from tests.databases import sqlite_at
from tests.fakes.clock import FakeClock

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
        self, cluster: KubernetesCluster, access: ClusterCredentials, claims: Collection[str]
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
