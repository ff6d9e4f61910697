"""What no node has is decided once, for the job at the door and for the flavors on offer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.jobs.sizes import Beyond, Lack, NoSuchGpu, WholeOnly, holds, lacking, too_many
from danlu.domain.node import Node
from danlu.domain.quantity import GIB
from danlu.domain.resources import Resources
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES
from danlu.files.reading import read_job_file
from danlu.scheduler.cluster import AllNodes
from tests.fakes.queue import node, size

OURS = node("n1", 8)
THEIRS = replace(OURS, name="k1", labels={ENGINE_LABEL: KUBERNETES})
PLAIN = node("c1", 0, cpus=128)


@pytest.mark.parametrize(
    ("wanted", "nodes", "lacks"),
    [
        (size(8), [OURS], []),
        (size(0, cpus=100), [OURS, PLAIN], []),
        (size(1, "H100"), [OURS, PLAIN], [NoSuchGpu(("H100",), ("A100",))]),
        (size(1, "H100"), [PLAIN], [NoSuchGpu(("H100",), ())]),
        (size(1, "H100|A100"), [OURS], []),
        (size(0.5), [OURS, THEIRS], []),
        (size(0.5), [THEIRS, PLAIN], [WholeOnly(500)]),
        (size(0.5, None), [THEIRS], [WholeOnly(500)]),
        (size(9), [OURS, PLAIN], [Beyond("gpus", 9000, 8000)]),
        (size(1, None), [PLAIN], [Beyond("gpus", 1000, 0)]),
        (size(1, cpus=100), [OURS, PLAIN], [Beyond("cpus", 100_000, 64_000)]),
        (size(9, cpus=65, memory=513), [OURS], [
            Beyond("gpus", 9000, 8000), Beyond("cpus", 65_000, 64_000), Beyond("memory", 513 * GIB, 512 * GIB),
        ]),
    ],
)  # fmt: skip
def test_what_no_single_node_has(wanted: Resources, nodes: list[Node], lacks: list[Lack]):
    assert list(lacking(wanted, nodes)) == lacks


@pytest.mark.parametrize(
    ("one", "wanted", "fits"),
    [
        (OURS, size(8), True),
        (OURS, size(0.5), True),
        (OURS, size(9), False),
        (OURS, size(1, "H100"), False),
        (OURS, size(1, cpus=65), False),
        (THEIRS, size(0.5), False),
        (THEIRS, size(1), True),
        (PLAIN, size(0, cpus=100), True),
        (PLAIN, size(1, None), False),
    ],
)
def test_a_node_holds_a_task_or_not(one: Node, wanted: Resources, fits: bool):
    assert holds(one, wanted) is fits


def test_too_many_tasks_say_how_many_would_fit():
    file = {"kind": "training", "name": "some-job", "command": "true", "nodes": 5, "resources": {"gpus": 8}}
    found = too_many(read_job_file(file).result(), AllNodes([node("n1", 8), node("n2", 8)], {}))
    assert (found.place, found.count, found.fit, found.clusters) == (0, 5, 2, ())


def test_of_several_clusters_those_that_could_hold_most_are_named_first():
    file = {"kind": "training", "name": "some-job", "command": "true", "nodes": 5, "resources": {"gpus": 8}}
    nodes = [
        node(f"{name}.{cluster}", 8, cluster=cluster)
        for cluster, name in (("a", "x"), ("b", "x"), ("b", "y"))
    ]
    assert too_many(read_job_file(file).result(), AllNodes(nodes, {})).clusters == (("b", 2), ("a", 1))
