"""One engine over many: who is asked for what, and what becomes of it when clusters come and go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import pytest

from danlu.domain.errors import Unavailable
from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.job import Task
from danlu.domain.node import Node
from danlu.domain.reasons import NodeLost
from danlu.domain.resources import Resources
from danlu.engines.several import Engines
from danlu.ports.engine import AttemptOrder, TaskOrder
from tests.fakes.clock import START, FakeClock


class Scripted:
    """An engine that notes what it is told and says what it is given to say."""

    def __init__(self, *nodes: str) -> None:
        self.nodes = nodes
        self.told: list[tuple[object, ...]] = []
        self.reports: list[TaskEvent] = []
        self.broken = False
        self.closed = False

    def inventory(self) -> Sequence[Node]:
        return [Node(name, "", 1000, 1) for name in self.nodes]

    def start(self, order: AttemptOrder) -> None:
        self.told.append(("start", order.attempt_id, *(task.seen for task in order.tasks)))

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        self.told.append(("stop", order.attempt_id, grace_ms))

    def events(self) -> Sequence[TaskEvent]:
        if self.broken:
            raise RuntimeError("out of order")
        reports, self.reports = self.reports, []
        return reports

    def listen(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def forget(self, attempt_id: str) -> None:
        self.told.append(("forget", attempt_id))

    def sweep(self, keep: Collection[str]) -> None:
        self.told.append(("sweep", *sorted(keep)))

    def close(self) -> None:
        self.closed = True


class Telling(Scripted):
    """One that can tell where processes are, too."""

    def stacks(self, attempt_id: str, task: Task) -> str:
        return f"{attempt_id} {task.run} stands still"


@pytest.fixture
def base() -> Scripted:
    return Scripted("box", "lab.example.com")


@pytest.fixture
def east() -> Scripted:
    return Scripted("n1.east", "n2.rack.east")


@pytest.fixture
def engines(base: Scripted, east: Scripted) -> Engines:
    made = Engines(base, FakeClock())
    made.set("east", east)
    return made


def order(node: str, attempt: str = "job-1", *tasks: str) -> AttemptOrder:
    names = tasks or ("w-0",)
    parts = tuple(TaskOrder(name, "w", node, "", (), Resources(), "true", {}, False) for name in names)
    return AttemptOrder(attempt, "job", 1, "lin", "host", None, parts)


@pytest.mark.parametrize("node", ["n1.east", "n2.rack.east", "gone-by-now.east"])
def test_an_attempt_goes_to_the_cluster_its_node_names(
    engines: Engines, base: Scripted, east: Scripted, node: str
):
    engines.start(order(node))
    engines.stop(order(node), 500)
    engines.forget("job-1")
    assert east.told == [("start", "job-1", False), ("stop", "job-1", 500), ("forget", "job-1")]
    assert base.told == []


@pytest.mark.parametrize("node", ["box", "lab.example.com", "renamed"])
def test_what_is_on_no_cluster_is_this_machines(engines: Engines, base: Scripted, east: Scripted, node: str):
    engines.start(order(node))
    assert base.told == [("start", "job-1", False)]
    assert east.told == []


@pytest.mark.parametrize("node", ["n1.west", "box"])
def test_what_is_on_a_cluster_that_is_no_more_is_lost(node: str):
    engines, woken = Engines(None, FakeClock()), []
    engines.listen(lambda: woken.append(1))
    engines.start(order(node, "job-1", "w-0", "w-1"))
    lost = [TaskEnded("job-1", name, START, NodeLost(name, node)) for name in ("w-0", "w-1")]
    assert engines.events() == lost
    assert woken
    engines.stop(order(node, "job-1", "w-0", "w-1"), 0)
    assert engines.events() == lost


def test_the_inventory_is_everybodys_by_name(engines: Engines):
    names = [node.name for node in engines.inventory()]
    assert names == ["box", "lab.example.com", "n1.east", "n2.rack.east"]


def test_one_engines_trouble_keeps_back_nobody_elses_news(engines: Engines, base: Scripted, east: Scripted):
    east.broken, base.reports = True, [TaskRunning("a-1", "w", 1)]
    east.reports = [TaskRunning("b-1", "w", 2)]
    assert engines.events() == [TaskRunning("a-1", "w", 1)]
    east.broken = False
    assert engines.events() == [TaskRunning("b-1", "w", 2)]


def test_a_listener_hears_of_clusters_that_come_later(engines: Engines):
    woken: list[int] = []
    engines.listen(lambda: woken.append(1))
    west = Scripted("n1.west")
    engines.set("west", west)
    woken.clear()
    west.wake()
    assert woken == [1]


def test_an_engine_in_anothers_place_is_told_of_every_attempt_that_the_other_had(
    engines: Engines, base: Scripted, east: Scripted
):
    engines.sweep({"kept-1"})
    engines.start(order("n1.east", "job-1", "w-0", "w-1"))
    engines.start(order("n1.east", "over-1"))
    engines.start(order("box", "mine-1"))
    engines.stop(order("n1.east", "job-1", "w-1"), 700)
    engines.forget("over-1")
    east.reports = [TaskRunning("job-1", "w-0", 1)]
    engines.events()
    east.reports = [TaskRunning("job-1", "w-1", 2)]
    again = Scripted()
    engines.set("east", again)
    assert again.told[0] == ("sweep", "job-1", "kept-1", "mine-1")
    assert again.told[1] == ("stop", "job-1", 700), "what is to end is not begun for a moment"
    assert again.told[2:] == [("start", "job-1", True, True)], "what was alive is never launched again"
    assert east.closed
    assert engines.events() == [TaskRunning("job-1", "w-1", 2)]


def test_the_same_engine_set_again_changes_nothing(engines: Engines, east: Scripted):
    engines.start(order("n1.east"))
    engines.use({"east": east})
    assert east.told == [("start", "job-1", False)]
    assert not east.closed


def test_what_ran_on_a_cluster_that_is_dropped_is_lost(engines: Engines, east: Scripted):
    engines.start(order("n1.east"))
    engines.start(order("box", "mine-1"))
    engines.use({})
    assert east.told[-1] == ("forget", "job-1"), "and ended, as far as it still can be"
    assert east.closed
    assert engines.events() == [TaskEnded("job-1", "w-0", START, NodeLost("w-0", "n1.east"))]
    engines.drop("east")
    assert engines.names() == []


def test_an_attempt_of_an_earlier_life_is_forgotten_by_all(engines: Engines, base: Scripted, east: Scripted):
    engines.forget("old-1")
    assert base.told == east.told == [("forget", "old-1")]


def test_closing_closes_all(engines: Engines, base: Scripted, east: Scripted):
    engines.close()
    assert base.closed
    assert east.closed


def test_who_runs_a_task_tells_where_its_processes_are(engines: Engines, base: Scripted):
    engines.set("west", Telling("n1.west"))
    engines.start(order("n1.west", "job-1"))
    engines.start(order("box", "job-2"))
    assert engines.stacks("job-1", Task("w", 0, "n1.west", "", tries=1)) == "job-1 w-0-r1 stands still"
    for attempt, node in (("job-2", "box"), ("job-3", "n1.west")):
        with pytest.raises(Unavailable, match=f"w-0 on {node}"):
            engines.stacks(attempt, Task("w", 0, node, ""))
