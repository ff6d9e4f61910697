"""What outputs name is resolved for the person who is to run the job; what speaks against it is said at its field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from danlu.control.outputs.resolving import OutputTargets
from danlu.domain.datasets.dataset import Dataset
from danlu.domain.errors import FieldError
from danlu.domain.job import JobSpec
from danlu.domain.labels import demanded_labels
from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import CLUSTER_LABEL, Project
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeShare
from danlu.files.reading import read_job_file
from danlu.ports.volumes.records import VolumeSight
from tests.unit.control.jobs.test_mounting import Kept, share, volume

FILE = {"kind": "training", "name": "some-job", "command": "true"}
LIN = Caller(User("lin", UserRole.ENGINEER, 0), projects={"vision": MemberRole.MEMBER})
VIEWER = Caller(User("lin", UserRole.VIEWER, 0))
OURS = (VolumeShare(SharedWith.USER, "lin", MountMode.RW),)
SETS = (
    Dataset("d1", "lin", "features", 1, 1),
    Dataset("d2", "ann", "ours", 1, 1, shares=OURS),
    Dataset("d3", "ann", "shown", 1, 1, public=True),
    Dataset("d4", "ann", "secret", 1, 1),
    Dataset("d5", "lin", "old", 1, 1, trashed_at=5),
)
VOLUMES = (
    volume("lin", "models"),
    volume("lin", "old", trashed_at=5),
    volume("lin", "east", cluster="east"),
    volume("ann", "ours", shares=share("lin", MountMode.RW)),
    volume("ann", "shown", shares=share("lin", MountMode.RO)),
    volume("ann", "secret"),
)


class Targets(Kept):
    def datasets(self, sight: VolumeSight | None) -> tuple[Dataset, ...]:
        return SETS

    def dataset(self, dataset_id: str) -> Dataset | None:
        return next((one for one in SETS if one.id == dataset_id), None)

    def find_dataset(self, owner: str, name: str) -> Dataset | None:
        found = (one for one in SETS if (one.owner, one.name) == (owner, name) and one.trashed_at is None)
        return next(found, None)


def resolved(
    *outputs: dict[str, Any], who: Caller = LIN, project: Project | None = None, **keys: Any
) -> tuple[JobSpec, list[FieldError]]:
    data = {**FILE, **keys, "outputs": [{"path": "out", **one} for one in outputs]}
    return OutputTargets(Targets(*VOLUMES)).resolved(read_job_file(data).result(), who, project)


def refused(*outputs: dict[str, Any], **keys: Any) -> list[tuple[str, str]]:
    errors = resolved(*outputs, **keys)[1]
    assert all(one.text.zh and one.hint for one in errors)
    return [(".".join(map(str, one.loc)), one.code) for one in errors]


def test_names_are_known_by_what_they_meant() -> None:
    spec, errors = resolved(
        {"dataset": "features"}, {"dataset": "ann:ours"}, {"to": "models:/{name}/"}, {"to": "personal:/x"}
    )
    assert errors == []
    assert [(one.dataset, one.to, one.id) for one in spec.outputs] == [
        ("lin:features", "", "d1"),
        ("ann:ours", "", "d2"),
        ("", "lin:models:/{name}/", "lin-models"),
        ("", "personal:/x", "personal"),
    ]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"dataset": "nothing-like-it"}, [("outputs.0.dataset", "no_such_dataset")]),
        ({"dataset": "ann:secret"}, [("outputs.0.dataset", "no_such_dataset")]),
        ({"dataset": "old"}, [("outputs.0.dataset", "no_such_dataset")]),
        ({"dataset": "ann:shown"}, [("outputs.0.dataset", "read_only_share")]),
        ({"to": "nothing:/"}, [("outputs.0.to", "no_such_volume")]),
        ({"to": "ann:secret:/"}, [("outputs.0.to", "no_such_volume")]),
        ({"to": "ann:shown:/"}, [("outputs.0.to", "read_only_share")]),
        ({"to": "ann:ours:/"}, []),
        ({"to": "east:/"}, [("outputs.0.to", "other_cluster")]),
        ({"to": "models:/", "task": "worker-1"}, [("outputs.0.task", "bad_value")]),
        ({"to": "models:/", "task": "worker-0"}, []),
    ],
)
def test_what_may_not_be_written_is_refused(output: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert refused(output) == expected


def test_a_dataset_that_is_missing_is_offered_to_be_created_or_was_misspelt() -> None:
    hints = [str(one.hint.en) for one in resolved({"dataset": "xyz"}, {"dataset": "featurs"})[1] if one.hint]
    assert hints == ["create it first: danlu dataset create xyz", "did you mean 'features'?"]
    (likely,) = resolved({"to": "modles:/a/{run}/"})[1]
    assert likely.hint is not None
    assert likely.hint.en == "did you mean 'models:/a/{run}/'?"


def test_who_only_looks_on_writes_nothing() -> None:
    assert refused({"dataset": "features"}, {"to": "models:/"}, who=VIEWER) == [
        ("outputs.0.dataset", "read_only_share"),
        ("outputs.1.to", "read_only_share"),
    ]


def test_pods_leave_nothing_so_that_outputs_are_refused_with_the_reason() -> None:
    west = Project("western", node_selector={"cluster": "west"})
    for keys in ({"image": "busybox:1"}, {"node_selector": {"cluster": "west"}}, {"project": west}):
        assert refused({"to": "models:/"}, **keys) == [("outputs", "not_available")]
    spec = resolved({"to": "models:/"})[0]
    assert demanded_labels(spec, None) == {CLUSTER_LABEL: "local"}
    assert demanded_labels(spec, None, all_serve=True) == {}


def test_a_start_decides_again_by_what_was_meant() -> None:
    spec = resolved({"dataset": "features"}, {"to": "models:/"})[0]
    targets = OutputTargets(Targets(volume("lin", "models", trashed_at=7)))
    assert [(one.loc, one.code) for one in targets.again(spec, LIN)] == [
        (("outputs", 1, "to"), "volume_in_trash")
    ]
    gone = replace(spec, outputs=(replace(spec.outputs[0], id="d9"),))
    assert [one.code for one in targets.again(gone, LIN)] == ["no_such_dataset"]
