"""What nodes receive and send: by node, or once for the machine that virtual nodes share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.cli.machines.nodes import _print_all, _print_one
from danlu.sdk import Node
from danlu.sdk.models import NodeNetwork

OWN = NodeNetwork(3 << 20, 2_048, shared=False)
SHARED = replace(OWN, shared=True)


def test_a_machine_has_its_own_and_a_cluster_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    _print_all([Node("here", "ready", network=OWN), Node("pod-1", "ready", cluster="lab")])
    heads, here, there = capsys.readouterr().out.splitlines()
    assert "NETWORK" in heads
    assert "3 MiB/s in, 2 KiB/s out" in here
    assert there[heads.index("NETWORK")] == "-"


def test_virtual_nodes_share_one_that_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    _print_all([Node(f"n{number}", "ready", virtual=True, network=SHARED) for number in range(3)])
    said = capsys.readouterr()
    assert "NETWORK" not in said.out
    assert said.err.splitlines() == [
        "network: 3 MiB/s in, 2 KiB/s out (the whole machine, shared by its virtual nodes)"
    ]


@pytest.mark.parametrize(
    ("network", "told"),
    [
        (OWN, "3 MiB/s in, 2 KiB/s out"),
        (SHARED, "3 MiB/s in, 2 KiB/s out (the whole machine, shared by its virtual nodes)"),
        (None, "-"),
    ],
)
def test_one_node_says_whose_figures_they_are(
    capsys: pytest.CaptureFixture[str], network: NodeNetwork | None, told: str
) -> None:
    _print_one(Node("n1", "ready", network=network))
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("network")]
    assert line.removeprefix("network").strip() == told
