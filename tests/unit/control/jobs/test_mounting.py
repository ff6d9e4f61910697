"""Names of volumes are resolved for the person who is to run the job; what speaks against a mount is said at its field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.admission import Admission
from danlu.control.jobs.mounting import Mounting
from danlu.control.rules.registry import Registry
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.errors import Invalid
from danlu.domain.isolation import IsolationForm, TaskIsolation
from danlu.domain.job import JobSpec
from danlu.domain.labels import demanded_labels
from danlu.domain.members import MemberRole
from danlu.domain.mount import Mount
from danlu.domain.node import Node
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import BUILT_IN, CLUSTER_LABEL, Policy, Project, Rule
from danlu.domain.volumes.claims import VolumeClaim
from danlu.domain.volumes.volume import MountMode, SharedWith, Volume, VolumeKind, VolumeShare
from danlu.ports.storage import DiskFigure
from danlu.ports.volumes.records import VolumeSight
from tests.fakes.builders import node
from tests.fakes.clock import FakeClock
from tests.simulation.world import NoCode

FILE = {"kind": "training", "name": "some-job", "command": "true"}
LIN = Caller(User("lin", UserRole.ENGINEER, 0), projects={"vision": MemberRole.MEMBER})
ADMIN = Caller(User("root", UserRole.ADMINISTRATOR, 0))


def volume(owner: str, name: str, **changes: Any) -> Volume:
    plain = Volume(f"{owner}-{name}", owner, name, VolumeKind.FILESYSTEM, 100, 0, 0, gid=1)
    return replace(plain, **changes)


def share(name: str, mode: MountMode, to: SharedWith = SharedWith.USER) -> tuple[VolumeShare, ...]:
    return (VolumeShare(to, name, mode),)


VOLUMES = (
    volume("lin", "data"),
    volume("lin", "disk", kind=VolumeKind.BLOCK),
    volume("lin", "old", trashed_at=5),
    volume("lin", "east", cluster="east"),
    volume("lin", "west", cluster="west"),
    volume("lin", "full"),
    volume("lin", "pool", kind=VolumeKind.BUCKET, capacity=0),
    volume("ann", "secret"),
    volume("ann", "shown", shares=share("lin", MountMode.RO)),
    volume("ann", "ours", shares=share("vision", MountMode.RW, SharedWith.PROJECT)),
    volume("ann", "patients", shares=share("lin", MountMode.RW), sensitive=True),
    volume("ann", "world", public=True),
)
FULL = DiskFigure(200, 1, 0)
PLAIN = TaskIsolation(IsolationForm.PROCESS)


class Kept:
    """These volumes, and one dataset of lin's with two versions."""

    def __init__(self, *volumes: Volume) -> None:
        self.all = volumes
        self.cifar = Dataset("d1", "lin", "cifar", 1, 1, last=2)
        self.versions = {n: Version(f"x{n}", "d1", n, f"{n:064}", 1, 0, 1, 1, "lin", 1) for n in (1, 2)}

    def dataset(self, dataset_id: str) -> Dataset | None:
        return self.cifar if dataset_id == "d1" else None

    def find_dataset(self, owner: str, name: str) -> Dataset | None:
        return self.cifar if (owner, name) == ("lin", "cifar") else None

    def version(self, dataset_id: str, number: int | None) -> Version | None:
        return self.versions.get(number or 2)

    def tagged(self, dataset_id: str, tag: str) -> Version | None:
        return self.versions[1] if tag == "good" else None

    def version_by_id(self, version_id: str) -> Version | None:
        return next((one for one in self.versions.values() if one.id == version_id), None)

    def volume(self, volume_id: str) -> Volume | None:
        return next((one for one in self.all if one.id == volume_id), None)

    def find_volume(self, owner: str, name: str) -> Volume | None:
        found = (one for one in self.all if (one.owner, one.name) == (owner, name) and one.trashed_at is None)
        return next(found, None)

    def volumes(self, sight: VolumeSight | None) -> tuple[Volume, ...]:
        return self.all

    def volume_login(self, volume_id: str) -> bytes | None:
        return None

    def volume_claim(self, volume_id: str) -> VolumeClaim | None:
        return None


class Rulebook:
    def rules(self) -> tuple[Rule, ...]:
        return (*BUILT_IN, Project("western", node_selector={"cluster": "west"}, open=True))


def on(cluster: str) -> Node:
    kubernetes = {"engine": "kubernetes"} if cluster != "local" else {}
    named = cluster if cluster != "local" else ""
    return replace(node(f"n-{cluster}", 1), cluster=named, labels={"cluster": cluster, **kubernetes})


NODES = [on("local"), on("east"), on("west")]


def door(*volumes: Volume, nodes: list[Node] = NODES) -> Admission:
    mounting = Mounting(Kept(*volumes), lambda name: FULL if name == "lin-full" else None)
    registry = Registry(Rulebook(), FakeClock())  # type: ignore[arg-type]
    return Admission(lambda: nodes, NoCode(), registry, {"host"}, Policy(), mounting)


def read(caller: Caller, *mounts: dict[str, Any], **keys: Any) -> JobSpec:
    placed = [{"path": f"/m{at}", **mount} for at, mount in enumerate(mounts)]
    return door(*VOLUMES).read({**FILE, **keys, "mounts": placed}, caller)


def refused(caller: Caller, *mounts: dict[str, Any], **keys: Any) -> list[tuple[str, str]]:
    try:
        read(caller, *mounts, **keys)
    except Invalid as error:
        mine = [one for one in error.errors if one.loc[0] == "mounts"]
        assert all(one.message and one.text.zh and one.hint for one in mine)
        return [(".".join(map(str, one.loc)), one.code) for one in error.errors]
    return []


RW = {"mode": "rw"}


@pytest.mark.parametrize(
    ("mounts", "keys", "expected"),
    [
        ([{"volume": "data", **RW}], {"nodes": 2}, []),
        ([{"volume": "lin:data"}], {}, []),
        ([{"volume": "disk", **RW}], {}, []),
        ([{"volume": "disk"}], {"nodes": 2}, []),
        ([{"volume": "disk", **RW}], {"nodes": 2}, [("mounts.0.mode", "block_written_by_many")]),
        ([{"volume": "disk", **RW}], {"nodes": "auto", "resources": {"gpus": 2}}, [("mounts.0.mode", "block_written_by_many"), ]),
        ([{"volume": "nothing"}], {}, [("mounts.0.volume", "no_such_volume")]),
        ([{"volume": "ann:secret"}], {}, [("mounts.0.volume", "no_such_volume")]),
        ([{"volume": "ann:patients"}], {}, [("mounts.0.volume", "no_such_volume")]),
        ([{"volume": "ann:shown"}], {}, []),
        ([{"volume": "ann:shown", **RW}], {}, [("mounts.0.mode", "read_only_share")]),
        ([{"volume": "ann:ours", **RW}], {}, []),
        ([{"volume": "ann:world", **RW}], {}, [("mounts.0.mode", "read_only_share")]),
        ([{"volume": "old"}], {}, [("mounts.0.volume", "volume_in_trash")]),
        ([{"volume": "lin:old"}], {}, [("mounts.0.volume", "volume_in_trash")]),
        ([{"volume": "full"}], {}, []),
        ([{"volume": "full", **RW}], {}, [("mounts.0.mode", "volume_full")]),
        ([{"volume": "personal"}], {}, [("mounts.0.volume", "no_such_volume")]),
        ([{"volume": "data", "path": "/mnt/lin/data"}], {}, [("mounts.0.path", "reserved")]),
        ([{"volume": "data", "path": "/archives/lin"}], {}, [("mounts.0.path", "reserved")]),
        ([{"volume": "data", "path": "/mnt/data"}], {}, []),
        ([{"volume": "east"}, {"volume": "west"}], {}, [("mounts.1.volume", "other_cluster")]),
        ([{"volume": "east"}], {"project": "western"}, [("mounts.0.volume", "other_cluster")]),
        ([{"volume": "west"}], {"project": "western"}, []),
        ([{"volume": "data"}], {"image": "pytorch:2"}, [("mounts.0.volume", "other_cluster")]),
        ([{"volume": "east"}], {"image": "pytorch:2"}, []),
        ([{"local": "1GiB"}], {"image": "pytorch:2"}, []),
    ],
)  # fmt: skip
def test_what_speaks_against_a_mount_is_said_at_its_field(
    mounts: list[dict[str, Any]], keys: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    found = refused(LIN, *mounts, **keys)
    assert [one for one in found if one[0].startswith("mounts")] == expected


def test_a_volume_of_others_that_one_may_not_read_is_told_as_if_it_did_not_exist() -> None:
    told = []
    for name in ("ann:secret", "ann:nothing"):
        with pytest.raises(Invalid) as refusal:
            read(LIN, {"volume": name})
        told.append(refusal.value.errors[0].message.replace(name, "NAME"))
    assert told[0] == told[1]
    assert "secret" not in told[0]
    assert "ann:secret" not in str([one.hint for one in refusal.value.errors])


def test_who_may_write_to_all_volumes_may_mount_them_but_not_what_is_sensitive_without_permission() -> None:
    assert refused(ADMIN, {"volume": "ann:secret", **RW}) == []
    viewer = Caller(User("vic", UserRole.VIEWER, 0), projects={"vision": MemberRole.VIEWER})
    assert refused(viewer, {"volume": "ann:ours", **RW}) == [("mounts.0.mode", "read_only_share")]


def test_sensitive_data_needs_a_permission_besides_the_share() -> None:
    cleared = replace(LIN, granted=frozenset({Permission.VOLUME_SENSITIVE}))
    assert refused(cleared, {"volume": "ann:patients", **RW}) == []


def test_both_clusters_are_named() -> None:
    with pytest.raises(Invalid) as refusal:
        read(LIN, {"volume": "east"}, {"volume": "west"})
    text = refusal.value.errors[0].text
    assert all(name in said for name in ("east", "west") for said in (text.en, text.zh))


def test_the_specification_keeps_which_volume_was_meant() -> None:
    (mount,) = read(LIN, {"volume": "disk", **RW, "busy": "refuse"}).mounts
    assert (mount.volume, mount.id, mount.block, mount.cluster) == ("lin:disk", "lin-disk", True, "local")
    assert mount.refuses


def test_a_volume_ties_the_job_to_its_cluster() -> None:
    found = refused(LIN, {"volume": "east"}, node_selector={"cluster": "west"})
    assert ("node_selector.cluster", "contradiction") in found


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (volume("ann", "ours"), "no_such_volume"),
        (volume("ann", "ours", shares=share("lin", MountMode.RO)), "read_only_share"),
        (volume("ann", "ours", shares=share("lin", MountMode.RW), trashed_at=9), "no_such_volume"),
        (None, "no_such_volume"),
    ],
)
def test_what_changed_since_is_noticed_when_the_job_is_started(now: Volume | None, code: str) -> None:
    spec = read(LIN, {"volume": "ann:ours", **RW})
    with pytest.raises(Invalid) as refusal:
        door(*([now] if now else [])).still_allowed(spec, LIN)
    assert [one.code for one in refusal.value.errors] == [code]


def test_another_volume_of_the_same_name_is_not_the_one_that_was_meant() -> None:
    spec = read(LIN, {"volume": "data"})
    with pytest.raises(Invalid):
        door(volume("lin", "data", id="another")).still_allowed(spec, LIN)
    renamed = volume("lin", "renamed", id="lin-data")
    door(renamed).still_allowed(spec, LIN)


def test_to_plain_processes_nothing_can_be_mounted() -> None:
    plain = [replace(on("local"), isolation=PLAIN)]
    for mount in ({"local": True, "path": "/a"}, {"volume": "data", "path": "/a"}):
        with pytest.raises(Invalid) as refusal:
            door(*VOLUMES, nodes=plain).read({**FILE, "mounts": [mount]}, LIN)
        assert [(one.loc, one.code) for one in refusal.value.errors] == [(("mounts",), "not_available")]
        assert "bubblewrap" in refusal.value.errors[0].hint.en  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("ref", "number"), [("cifar", 2), ("cifar@v1", 1), ("lin:cifar@good", 1), ("cifar@latest", 2)]
)
def test_a_tag_is_resolved_when_the_job_is_written(ref: str, number: int) -> None:
    (mount,) = read(LIN, {"dataset": ref}).mounts
    assert (mount.dataset, mount.version) == (f"lin:cifar@v{number}", f"x{number}")
    assert mount.read_only
    again = read(LIN, {"dataset": mount.dataset}).mounts
    assert again == (mount,)


@pytest.mark.parametrize("ref", ["cifar@v3", "cifar@nothing", "ann:cifar", "digits", "ann:cifar@v1"])
def test_a_version_that_is_not_there_is_said_at_its_field(ref: str) -> None:
    assert refused(LIN, {"dataset": ref}) == [("mounts.0.dataset", "no_such_dataset")]


def test_another_persons_dataset_is_answered_like_one_that_does_not_exist() -> None:
    ann = Caller(User("ann", UserRole.ENGINEER, 0))
    assert refused(ann, {"dataset": "lin:cifar@v1"}) == [("mounts.0.dataset", "no_such_dataset")]


def test_datasets_and_buckets_go_to_wherever_a_job_runs() -> None:
    fetched = ({"dataset": "cifar"}, {"volume": "pool"}, {"bucket": "pool/train"})
    for more in ({}, {"image": "pytorch:2"}):
        assert [mount.cluster for mount in read(LIN, *fetched, **more).mounts] == ["", "", ""]
    assert [mount.cluster for mount in read(LIN, *fetched, {"volume": "east"}).mounts][-1] == "east"
    assert refused(LIN, {"volume": "pool", "mode": "rw"}) == [("mounts.0.mode", "bucket_mounted_rw")]


def test_a_version_is_mounted_to_be_read() -> None:
    assert refused(LIN, {"dataset": "cifar", "mode": "rw"}) == [("mounts.0.mode", "read_only_dataset")]


def test_a_login_stays_on_danlus_own_machine():
    asked = {"bucket": "pool", "login": "env"}
    assert ("mounts.0.login", "login_leaves") in refused(LIN, asked, image="registry.lab/torch:2")
    assert ("mounts.0.login", "login_leaves") not in refused(LIN, asked)
    spec = replace(read(LIN, {"bucket": "pool"}), mounts=(Mount("lin:pool", "/m0", login=True),))
    assert demanded_labels(spec, None) == {CLUSTER_LABEL: "local"}
