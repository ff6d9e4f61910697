"""A few changes to a job's file."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.domain.errors import Invalid
from danlu.files.changes import SpecChanges, changed_file
from danlu.files.reading import read_job_file
from tests.fakes.builders import job

FLAVORS = {"half": job("some", gpus=4, gpu="A100", cpus=32).spec.roles[0].resources}


def changed(changes: SpecChanges, **file: Any) -> dict[str, Any]:
    data = {"kind": "training", "name": "train", "command": "true", **file}
    spec = read_job_file(data, FLAVORS).spec
    assert spec is not None
    return changed_file(spec, changes)


def test_a_size_is_changed_and_the_rest_stays() -> None:
    file = changed(
        SpecChanges(gpus=2, project="nlp"), resources={"gpus": 4, "gpu": "A100", "cpus": 16}, nodes=2
    )
    assert (file["resources"]["gpus"], file["resources"]["gpu"], file["nodes"]) == (2, "A100", 2)
    assert (file["project"], file["command"]) == ("nlp", "true")


def test_a_flavor_gives_way_to_the_size_it_gave() -> None:
    file = changed(SpecChanges(gpus=2), flavor="half")
    assert "flavor" not in file
    assert (file["resources"]["gpus"], file["resources"]["cpus"]) == (2, 16)
    assert changed(SpecChanges(flavor="half"), resources={"gpus": 1})["flavor"] == "half"


def test_fewer_gpus_take_their_part_along_unless_it_is_named() -> None:
    size = {"gpus": 8, "cpus": 60.5, "memory": "512GiB"}
    fewer = changed(SpecChanges(gpus=2), resources=size)["resources"]
    assert (fewer["gpus"], fewer["cpus"], fewer["memory"]) == (2, 15.125, "128GiB")
    assert changed(SpecChanges(gpus=2, cpus=32), resources=size)["resources"]["cpus"] == 32


def test_tasks_of_a_plain_file_and_of_a_role() -> None:
    assert changed(SpecChanges(tasks=2), nodes=4)["nodes"] == 2
    roles = [{"name": "chief", "replicas": 4, "min": 2, "command": "true"}]
    (role,) = changed(SpecChanges(tasks=1, gpus=1), command=None, roles=roles)["roles"]
    assert (role.get("replicas"), role.get("min"), role["resources"]["gpus"]) == (1, None, 1)


def test_what_is_taken_out_is_gone() -> None:
    rest = changed(
        SpecChanges(without=("node_selector", "topology")),
        node_selector={"rack": "r1"},
        topology={"same": "rack"},
    )
    assert "node_selector" not in rest
    assert "same" not in rest.get("topology", {})


def test_sizes_of_several_roles_are_not_guessed() -> None:
    roles = [{"name": name, "replicas": 1, "command": "true"} for name in ("ps", "worker")]
    with pytest.raises(Invalid) as refused:
        changed(SpecChanges(gpus=2, tasks=3), command=None, roles=roles)
    assert [(error.loc, error.code) for error in refused.value.errors] == [
        (("gpus",), "several_roles"),
        (("tasks",), "several_roles"),
    ]
    assert "ps, worker" in refused.value.errors[0].message
