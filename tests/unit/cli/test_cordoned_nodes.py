"""The list of nodes says why some of them take nothing."""

from __future__ import annotations

import pytest

from danlu.cli.machines.nodes import _print_all
from danlu.sdk import Node


def test_why_nodes_are_cordoned_stands_below_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [
        Node("n1", "cordoned", why="put aside: failed 3 times"),
        Node("n2", "cordoned", note="a fan is loud"),
        Node("n3", "ready", note="an old note"),
    ]
    _print_all(nodes)
    said = capsys.readouterr()
    assert said.err.splitlines() == ["n1: put aside: failed 3 times", "n2: a fan is loud"]
