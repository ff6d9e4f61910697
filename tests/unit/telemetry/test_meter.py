"""What tasks use, added up by node and kept within bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.domain.job import Attempt, Job, Task, TaskState
from danlu.domain.node import Gpu, Node
from danlu.ports.logs import LogKey
from danlu.ports.samples import SampleFile, read_head
from danlu.ports.usage import TimeWindow, Traffic, Usage
from danlu.telemetry import meter as module
from danlu.telemetry.meter import NodeMeter
from danlu.telemetry.usage import FileUsage, Present, node_path
from tests.fakes.builders import job as new_job
from tests.fakes.clock import FakeClock

NAN = float("nan")
STEP = 15_000


def running(name: str, *nodes: str) -> Job:
    tasks = tuple(
        Task("worker", index, node, "", state=TaskState.RUNNING) for index, node in enumerate(nodes)
    )
    return replace(new_job(), id=name, attempt=Attempt(2, tasks, 0), attempts=2)


def machine(name: str, *cards: int, declared: bool = False) -> Node:
    gpus = tuple(Gpu(index, f"{name}-{index}", "A100", declared=declared) for index in cards)
    return Node(name, "", 64_000, 1 << 39, gpus)


class Room:
    """A meter over nodes and tasks that the test decides."""

    def __init__(self, folder: Path, *nodes: Node) -> None:
        self.folder, self.nodes = folder / "usage", nodes
        self.clock = FakeClock(1_800_000_000_000)
        self.jobs: list[Job] = []
        self.used: Mapping[str, Present] = {}
        self.asked_for_nodes = 0
        self.traffic: tuple[int, int] | None = None
        self.usage = FileUsage(folder, self.folder, self.clock)
        self.restart()

    def restart(self) -> None:
        self.meter = NodeMeter(
            self._present, self.folder, lambda: self.jobs, self._nodes, self.clock, lambda: self.traffic
        )

    def look(self, used: Mapping[str, Present] | None = None) -> None:
        """A moment later, with what tasks (job/attempt/task) use then."""
        self.used = used or {}
        self.clock.advance(STEP)
        self.meter.look()

    def seen(self, node: str) -> Usage:
        return self.usage.of_node(node, TimeWindow(3_600_000, 300))

    def _present(self, key: LogKey) -> Present | None:
        return self.used.get("/".join(map(str, key)))

    def _nodes(self) -> tuple[Node, ...]:
        self.asked_for_nodes += 1
        return self.nodes


def test_the_tasks_of_a_node_are_added_up(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a"), machine("b"))
    room.jobs = [running("one", "a", "b"), running("two", "a")]
    room.look(
        {
            "one/2/worker-0": Present(1.5, 100, {}),
            "one/2/worker-1": Present(0.25, 7, {}),
            "two/2/worker-0": Present(2.0, 50, {}),
        }
    )
    room.look(
        {
            "one/2/worker-0": Present(NAN, 100, {}),
            "one/2/worker-1": Present(0.5, 8, {}),
            "two/2/worker-0": Present(1.0, NAN, {}),
        }
    )
    assert (room.seen("a").cpus.mean, room.seen("a").memory.mean) == ([3.5, 1.0], [150, 100])
    assert (room.seen("b").cpus.mean, room.seen("b").memory.mean) == ([0.25, 0.5], [7, 8])


def test_a_card_shared_by_two_counts_once_and_one_that_nobody_holds_rests(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a", 0, 1, 2))
    room.jobs = [running("one", "a"), running("two", "a")]
    room.look(
        {
            "one/2/worker-0": Present(1, 1, {0: (80, 500), 1: (NAN, NAN)}),
            "two/2/worker-0": Present(1, 1, {0: (NAN, 600)}),
        }
    )
    assert [(gpu.index, gpu.busy.mean, gpu.memory.mean) for gpu in room.seen("a").gpus] == [
        (0, [80.0], [600]),
        (1, [None], [None]),
        (2, [0.0], [0]),
    ]


def test_declared_cards_have_no_lines(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a", 0, 1, declared=True))
    room.jobs = [running("one", "a")]
    room.look({"one/2/worker-0": Present(1, 1, {})})
    assert room.seen("a").gpus == ()


def test_a_node_ends_with_one_zero_and_then_costs_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a"))
    room.jobs = [running("one", "a")]
    room.look({"one/2/worker-0": Present(1.0, 100, {})})
    room.jobs = []
    for _ in range(3):
        room.look()
    assert room.seen("a").cpus.mean == [1.0, 0.0]


def test_without_tasks_nobody_looks_at_the_nodes(tmp_path: Path) -> None:
    room = Room(tmp_path, *(machine(f"n{number}") for number in range(10)))
    room.look()
    room.jobs = [running("unmeasured", "n1")]
    room.look()
    assert room.asked_for_nodes == 0
    assert not room.folder.exists()


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a", 0))
    room.jobs = [running("one", "a")]
    room.look({"one/2/worker-0": Present(1.0, 100, {0: (5, 6)})})
    room.restart()
    room.look({"one/2/worker-0": Present(2.0, 100, {0: (7, 8)})})
    assert room.seen("a").cpus.mean == [1.0, 2.0]
    assert room.seen("a").gpus[0].busy.mean == [5.0, 7.0]


def test_a_node_with_other_cards_than_before_begins_anew(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a", 0))
    room.jobs = [running("one", "a")]
    room.look({"one/2/worker-0": Present(1.0, 100, {0: (5, 6)})})
    room.nodes = (machine("a", 0, 1),)
    room.restart()
    room.look({"one/2/worker-0": Present(2.0, 100, {1: (7, 8)})})
    found = room.seen("a")
    assert found.cpus.mean == [2.0]
    assert [gpu.busy.mean for gpu in found.gpus] == [[0.0], [7.0]]


def test_the_older_half_of_too_much_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECORDS", 10)
    room = Room(tmp_path, machine("a", 0))
    room.jobs = [running("one", "a")]
    sizes = []
    for number in range(25):
        room.look({"one/2/worker-0": Present(number, number, {0: (1, number)})})
        sizes.append(len(room.seen("a").times))
    assert max(sizes) == 10
    assert room.seen("a").cpus.mean[-5:] == [20.0, 21.0, 22.0, 23.0, 24.0]
    assert [path.name for path in room.folder.iterdir()] == ["a.usage"]
    head = read_head(node_path(room.folder, "a").read_bytes())
    assert head is not None
    assert head.gpus == (0,)


def test_a_disk_that_is_full_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path, machine("a"))
    room.jobs = [running("one", "a")]
    with monkeypatch.context() as full:
        full.setattr(SampleFile, "append", lambda *_: False)
        room.look({"one/2/worker-0": Present(1.0, 100, {})})
    room.look({"one/2/worker-0": Present(2.0, 100, {})})
    assert room.seen("a").cpus.mean == [2.0]


def carried(room: Room, *counted: tuple[int, int] | None) -> tuple[list[float | None], list[float | None]]:
    for one in counted:
        room.traffic = one
        room.look()
    found = room.usage.of_network(TimeWindow(3_600_000, 300))
    return found.received.mean, found.sent.mean


def test_the_network_is_what_its_counters_gained_by_the_second(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a"))
    assert carried(room, (1_000, 500), (31_000, 500), (31_000, 15_500)) == (
        [None, 2_000, 0],
        [None, 0, 1_000],
    )
    assert room.usage.traffic() == Traffic(0, 1_000, 31_000, 15_500)
    assert room.asked_for_nodes == 0
    room.clock.advance(4 * STEP)
    assert room.usage.traffic() is None


def test_counters_that_began_anew_or_were_not_seen_for_long_tell_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a"))
    received, _ = carried(room, (90_000, 0), (105_000, 0), (0, 0), (15_000, 0))
    assert received == [None, 1_000, None, 1_000]
    room.clock.advance(10 * STEP)
    room.restart()
    received, _ = carried(room, (900_000, 0), (915_000, 0))
    assert received == [None, 1_000, None, 1_000, None, None, 1_000]


def test_a_machine_whose_network_cannot_be_counted_has_none(tmp_path: Path) -> None:
    room = Room(tmp_path, machine("a"))
    assert carried(room, None) == ([], [])
    assert room.usage.traffic() is None


def test_traffic_is_kept_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECORDS", 10)
    room = Room(tmp_path)
    received, _ = carried(room, *((15_000 * number, 0) for number in range(25)))
    assert 5 <= len(received) <= 10
    assert received[1:] == [1_000] * (len(received) - 1)
