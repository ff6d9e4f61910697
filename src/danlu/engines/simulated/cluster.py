"""The simulated machines: tasks that run for as long and end as they were told to."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from danlu.domain.job import Time
from danlu.domain.node import Node, NodeState
from danlu.domain.quantity import parse_time
from danlu.domain.reasons import (
    ExitCode,
    LeftWhenAsked,
    NeverStarted,
    NodeLost,
    NotAdmitted,
    Reason,
    Signal,
    StartFailed,
)
from danlu.ports.engine import TaskOrder

TaskKey = tuple[str, str]
"""Attempt id and the name of a task's run."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a simulated task goes: it starts after a while, runs for a while and ends with an exit code; unless it fails
    to start, or the cluster refuses to take it, with these words. Asked to end it is ended by a signal; one that
    `leaves` ends by itself."""

    start_after: int = 0
    run_for: int | None = None
    exit_code: int = 0
    fail_to_start: str | None = None
    refuse: str | None = None
    stop_takes: int = 0
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class SimulatedTask:
    """One task's fate; what is visible of it at a moment follows from the clock alone."""

    node: str
    behaviour: Behaviour
    launched_at: Time
    ended_at: Time | None = None
    reason: Reason | None = None
    exit_code: int | None = None

    @property
    def running_at(self) -> Time:
        return self.launched_at + self.behaviour.start_after

    def over(self, now: Time) -> bool:
        return self.ended_at is not None and self.ended_at <= now


def from_environment(order: TaskOrder) -> Behaviour:
    """What a job file asks for by SIMULATED_RUN_FOR, _START_AFTER, _EXIT_CODE, _FAIL_TO_START, _REFUSE and _LEAVES."""
    env: Mapping[str, str] = order.env
    run_for = env.get("SIMULATED_RUN_FOR")
    return Behaviour(
        start_after=parse_time(env.get("SIMULATED_START_AFTER", "0s")),
        run_for=parse_time(run_for) if run_for else 0,
        exit_code=int(env.get("SIMULATED_EXIT_CODE", "0")),
        fail_to_start=env.get("SIMULATED_FAIL_TO_START"),
        refuse=env.get("SIMULATED_REFUSE"),
        leaves="SIMULATED_LEAVES" in env,
    )


class SimulatedCluster:
    """The machines themselves: they outlive any control plane, as real ones do. Thread-safe."""

    def __init__(
        self, nodes: tuple[Node, ...], behave: Callable[[TaskOrder], Behaviour] = from_environment
    ) -> None:
        self._nodes = {node.name: node for node in nodes}
        self._behave = behave
        self._tasks: dict[TaskKey, SimulatedTask] = {}
        self._lock = threading.Lock()
        self.launches: Counter[TaskKey] = Counter()

    def nodes(self) -> tuple[Node, ...]:
        return tuple(self._nodes[name] for name in sorted(self._nodes))

    def task(self, key: TaskKey) -> SimulatedTask | None:
        return self._tasks.get(key)

    def attempts(self) -> set[str]:
        with self._lock:
            return {attempt_id for attempt_id, _ in self._tasks}

    def launch(self, key: TaskKey, order: TaskOrder, now: Time) -> None:
        """Begin a task unless it was begun before."""
        with self._lock:
            if key in self._tasks:
                return
            self.launches[key] += 1
            self._tasks[key] = self._fated(order, self._behave(order), now)

    def stop(self, key: TaskKey, node: str, grace_ms: int, now: Time) -> None:
        """End a task, within its grace; one that was never begun never will be."""
        with self._lock:
            task = self._tasks.get(key)
            if task is None:
                never = NeverStarted(key[1])
                self._tasks[key] = SimulatedTask(node, Behaviour(), now, now, never)
            elif not task.over(now):
                end = now + min(task.behaviour.stop_takes, grace_ms)
                if task.ended_at is None or end < task.ended_at:
                    self._tasks[key] = _stopped(key[1], task, end, grace_ms, now)

    def forget(self, attempt_id: str) -> None:
        with self._lock:
            for key in [key for key in self._tasks if key[0] == attempt_id]:
                del self._tasks[key]

    def lose_node(self, name: str, now: Time) -> None:
        """The node is gone, and all that ran on it."""
        with self._lock:
            self._nodes[name] = replace(self._nodes[name], state=NodeState.UNREACHABLE)
            for key, task in self._tasks.items():
                if task.node == name and not task.over(now):
                    lost = NodeLost(key[1], name)
                    self._tasks[key] = replace(task, ended_at=now, reason=lost, exit_code=None)

    def bring_back(self, name: str) -> None:
        self._nodes[name] = replace(self._nodes[name], state=NodeState.READY)

    def _fated(self, order: TaskOrder, behaviour: Behaviour, now: Time) -> SimulatedTask:
        task = SimulatedTask(order.node, behaviour, now)
        if self._nodes[order.node].state is NodeState.UNREACHABLE:
            return replace(task, ended_at=now, reason=NodeLost(order.name, order.node))
        if behaviour.fail_to_start is not None:
            failed = StartFailed(order.name, behaviour.fail_to_start)
            return replace(task, ended_at=task.running_at, reason=failed)
        if behaviour.refuse is not None:
            refused = NotAdmitted(order.name, order.node, behaviour.refuse)
            return replace(task, ended_at=task.running_at, reason=refused)
        if behaviour.run_for is None:
            return task
        reason = ExitCode(order.name, behaviour.exit_code) if behaviour.exit_code else None
        end = task.running_at + behaviour.run_for
        return replace(task, ended_at=end, reason=reason, exit_code=behaviour.exit_code)


def _stopped(run: str, task: SimulatedTask, end: Time, grace_ms: int, now: Time) -> SimulatedTask:
    in_time = task.behaviour.stop_takes <= grace_ms
    if task.behaviour.leaves and in_time and task.running_at <= now:
        return replace(task, ended_at=end, reason=LeftWhenAsked(run), exit_code=0)
    return replace(
        task, ended_at=end, reason=Signal(run, "SIGTERM" if in_time else "SIGKILL"), exit_code=None
    )
