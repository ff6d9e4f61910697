"""Nobody can queue for a machine that does not exist."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.control.admission import Admission
from danlu.domain.errors import Invalid
from tests.fakes.builders import node
from tests.simulation.world import NoCode

NODES = [node("a1", 8), node("a2", 8), node("r1", 4, "RTX3090", cpus=16, org="public")]


def refused(**keys: Any) -> list[str]:
    admission = Admission(lambda: NODES, NoCode(), {"public", "vision"}, {"host"})
    try:
        admission.read({"kind": "training", "name": "some-job", "command": "true", **keys})
    except Invalid as error:
        return [
            f"{'.'.join(map(str, e.loc))}: {e.message}" + (f" ({e.hint})" if e.hint else "")
            for e in error.errors
        ]
    return []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"resources": {"gpus": 8}}, []),
        ({"resources": {"gpus": 9}}, ["resources.gpus: 9 is more than any node has (8)"]),
        ({"resources": {"gpus": 8, "gpu": "RTX3090"}}, ["resources.gpus: 8 is more than any node has (4)"]),
        ({"resources": {"cpus": 65}}, ["resources.cpus: 65 is more than any node has (64)"]),
        ({"resources": {"memory": "1TiB"}}, ["resources.memory: 1TiB is more than any node has (512GiB)"]),
        ({"resources": {"gpus": 1, "gpu": "A10"}}, ["resources.gpu: no node has GPU model 'A10' (there are A100, RTX3090) (did you mean 'A100'?)"]),
        ({"resources": {"gpus": 8}, "nodes": 3}, ["nodes: 3 tasks of this size are more than all nodes together can hold (2) (ask for fewer or smaller tasks)"]),
        ({"project": "vison"}, ["project: there is no project 'vison' (did you mean 'vision'?)"]),
        ({"image": "pytorch:2"}, ["image: image 'pytorch:2' cannot run here (use image: host, the machine's own Python environment)"]),
        ({"node_selector": {"org": "privat"}}, ["node_selector: no node is labelled org=privat (`danlu nodes` shows the labels there are)"]),
        ({"node_selector": {"org": "public"}, "resources": {"gpus": 8}}, ["resources.gpus: 8 is more than any node has (4)"]),
    ],
)  # fmt: skip
def test_what_is_not_here_is_refused_at_its_place(keys: dict[str, Any], expected: list[str]) -> None:
    assert refused(**keys) == expected


def test_a_role_is_blamed_where_its_size_stands() -> None:
    roles = [{"name": "ps"}, {"name": "w", "resources": {"gpus": 16}}]
    assert refused(roles=roles) == ["roles.1.resources.gpus: 16 is more than any node has (8)"]


def test_mistakes_of_form_and_of_size_are_told_together() -> None:
    told = refused(comand="x", resources={"gpus": 9, "cpu": 4})
    assert "resources.gpus: 9 is more than any node has (8)" in told
    assert any(line.startswith("comand:") for line in told)


def test_a_minimum_that_fits_is_enough() -> None:
    assert refused(roles=[{"name": "w", "replicas": 3, "min": 2, "resources": {"gpus": 8}}]) == []
