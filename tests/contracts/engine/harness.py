"""The same orders for every engine, and waiting that suits real and simulated time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from danlu.bootstrap.clock import SystemClock
from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.people import FIRST_UID
from danlu.domain.quantity import MIB, show_time
from danlu.domain.resources import Resources
from danlu.engines.local import LocalEngine
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import AttemptOrder, Engine, TaskOrder
from danlu.ports.logs import LogKey
from danlu.telemetry.logs import log_path
from tests.fakes.clock import FakeClock

NODES = "2x8xA100"
VIRTUAL = {"a100-0": 8, "a100-1": 8}
FOREVER_MS = 3_600_000
READY = "ready to leave"


class Harness(Protocol):
    """One machine room, and engines over it that come and go."""

    @property
    def nodes(self) -> Mapping[str, int]:
        """How many GPUs each node has, by name."""

    @property
    def patience_s(self) -> float:
        """For how long of real time something that must come is waited for."""

    def engine(self) -> Engine: ...

    def launches(self, attempt: str) -> int: ...

    def printed(self, job: str) -> str:
        """What the first task of a job's first attempt has printed so far."""

    def pause(self) -> None: ...


def order(
    harness: Harness,
    attempt: str = "job-1",
    *,
    run_ms: int = 0,
    exit_code: int = 0,
    tasks: int = 1,
    seen: bool = False,
    leaves: bool = False,
) -> AttemptOrder:
    """An attempt whose tasks run for a while and end with a code, in any engine; all of them on its first node. Those
    that leave end with 0 when they are asked to."""
    command = f"sleep {run_ms / 1000}; exit {exit_code}"
    env = {"SIMULATED_RUN_FOR": show_time(run_ms), "SIMULATED_EXIT_CODE": str(exit_code)}
    if leaves:
        # Short sleeps: one that is forked just when the signal comes may miss it, and has the whole grace to end.
        command = f"trap 'exit 0' TERM; echo {READY}; while :; do sleep 0.1; done"
        env["SIMULATED_LEAVES"] = "yes"
    node, size = min(harness.nodes), Resources(100, 64 * MIB)
    parts = tuple(
        TaskOrder(f"worker-{n}", "worker", node, "127.77.0.2", (), size, command, env, seen)
        for n in range(tasks)
    )
    return AttemptOrder(attempt, attempt.rpartition("-")[0], 1, "lin", "host", None, parts)


def tried_again(order: AttemptOrder, **changes: Any) -> AttemptOrder:
    """The same attempt once its last task is to be started a second time."""
    *others, last = order.tasks
    again = replace(last, name=f"{last.name}-r1", host=last.hostname, seen=False, **changes)
    return replace(order, tasks=(*(replace(task, seen=True) for task in others), again))


class SimulatedHarness:
    nodes, patience_s = VIRTUAL, 30.0

    def __init__(self) -> None:
        self.clock = FakeClock()
        self._cluster = SimulatedCluster(virtual_nodes(NODES))

    def engine(self) -> Engine:
        return SimulatedEngine(self._cluster, self.clock)

    def launches(self, attempt: str) -> int:
        return sum(count for (owner, _), count in self._cluster.launches.items() if owner == attempt)

    def printed(self, job: str) -> str:
        return READY

    def pause(self) -> None:
        self.clock.advance(50)


class LocalHarness:
    nodes, patience_s = VIRTUAL, 30.0

    def __init__(self, root: Path, isolation: str) -> None:
        self._root, self._isolation = root, isolation
        self.engines: list[LocalEngine] = []

    def engine(self) -> Engine:
        """A fresh engine takes the place of the one before, as after a restart of the server."""
        while self.engines:
            self.engines.pop().close()
        made = LocalEngine(
            uid_of=lambda owner: FIRST_UID + 65_536 * len(owner),
            share_user=True,
            runs=self._root / "runs",
            volumes=self._root / "volumes",
            hidden=(self._root,),
            log_path=lambda key: log_path(self._root / "logs", key),
            archive_path=lambda digest: self._root / digest,
            nodes=virtual_nodes(NODES),
            isolation=self._isolation,
            python=None,
            clock=SystemClock(),
        )
        self.engines.append(made)
        return made

    def launches(self, attempt: str) -> int:
        statuses = (self._root / "runs" / attempt).glob("*/status.jsonl")
        return sum(status.read_text().count('"event":"running"') for status in statuses)

    def printed(self, job: str) -> str:
        path = log_path(self._root / "logs", LogKey(job, 1, "worker-0"))
        return path.read_text() if path.exists() else ""

    def pause(self) -> None:
        time.sleep(0.02)


def watch(harness: Harness, engine: Engine, until: Callable[[list[TaskEvent]], bool]) -> list[TaskEvent]:
    """Collect events until they satisfy."""
    seen: list[TaskEvent] = []
    deadline = time.monotonic() + harness.patience_s
    while time.monotonic() < deadline:
        seen += engine.events()
        if until(seen):
            return seen
        harness.pause()
    raise AssertionError(f"gave up waiting; seen: {seen}")


def until_printed(harness: Harness, job: str, text: str) -> None:
    deadline = time.monotonic() + harness.patience_s
    while text not in harness.printed(job):
        assert time.monotonic() < deadline, harness.printed(job)
        harness.pause()


def ended(count: int = 1) -> Callable[[list[TaskEvent]], bool]:
    return lambda seen: len({e.task for e in seen if isinstance(e, TaskEnded)}) >= count


def running(count: int = 1) -> Callable[[list[TaskEvent]], bool]:
    return lambda seen: len({e.task for e in seen if isinstance(e, TaskRunning)}) >= count
