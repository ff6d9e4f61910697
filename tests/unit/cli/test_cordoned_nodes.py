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


def test_when_nodes_close_stands_there_too(capsys: pytest.CaptureFixture[str]) -> None:
    _print_all(
        [Node("n1", "ready", closes_at="2026-05-01T10:00:00Z", maintenance="fans"), Node("n2", "ready")]
    )
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("n1: closes ")
    assert line.endswith("(maintenance fans)")


def test_of_nodes_that_take_no_jobs_the_idle_gpus_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    cards = tuple({"index": index} for index in range(4))
    _print_all([Node("n1", "cordoned", gpu_model="T4", gpus=cards, used={"gpus": 1}, free={"gpus": 0})])
    assert capsys.readouterr().err.splitlines() == ["T4: 4 GPUs, 0 free, 3 idle on nodes that take no jobs."]
