"""A machine whose disk is nearly full takes no more tasks."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from danlu.domain.node import LowDisk, NodeState
from danlu.engines.local import bounds
from danlu.engines.local.bounds import DiskReserve, part_of_disk
from tests.fakes.builders import node

GIB = 2**30
NODES = (node("a", 8), node("b", 8))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A disk of which so many bytes are free."""
    disk = SimpleNamespace(f_bavail=0, f_frsize=1)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    monkeypatch.setattr(bounds, "_LOOK_EVERY_S", 0.0)
    return disk


def test_below_the_reserve_nodes_are_closed_and_say_why(disk: SimpleNamespace) -> None:
    reserve = DiskReserve(Path("/"), 10 * GIB)
    disk.f_bavail = 10 * GIB
    assert reserve.applied(NODES) is NODES
    disk.f_bavail = 10 * GIB - 1
    closed = reserve.applied(NODES)
    assert [one.state for one in closed] == [NodeState.CORDONED] * 2
    assert closed[0].low_disk is not None
    assert closed[0].low_disk.reserve == 10 * GIB
    assert closed[0].why.endswith("left, 10GiB are kept free (disk_reserve)")


def test_they_open_again_with_a_little_more_and_do_not_change_with_every_file(disk: SimpleNamespace) -> None:
    reserve = DiskReserve(Path("/"), 10 * GIB)
    disk.f_bavail = 5 * GIB + GIB // 100
    closed = reserve.applied(NODES)
    step = GIB // 10
    assert closed[0].low_disk == LowDisk(disk.f_bavail - disk.f_bavail % step, 10 * GIB)
    disk.f_bavail += GIB // 100
    assert reserve.applied(NODES) is closed
    disk.f_bavail = 10 * GIB + GIB // 2
    assert reserve.applied(NODES)[0].state is NodeState.CORDONED
    disk.f_bavail = 11 * GIB
    assert reserve.applied(NODES) is NODES


def test_without_a_reserve_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", None)
    assert DiskReserve(Path("/"), 0).applied(NODES) is NODES


def test_a_bound_may_be_a_part_of_the_disk(disk: SimpleNamespace) -> None:
    disk.f_blocks = 200 * GIB
    assert [part_of_disk(Path("/"), bound) for bound in (-90, GIB, 0)] == [180 * GIB, GIB, 0]
