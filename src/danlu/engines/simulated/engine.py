"""The Engine port over a simulated cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.job import Time
from danlu.domain.node import Node
from danlu.domain.reasons import NodeLost
from danlu.engines.simulated.cluster import SimulatedCluster, TaskKey
from danlu.ports.clock import Clock
from danlu.ports.engine import AttemptOrder

_ISOLATION = "simulated"


class SimulatedEngine:
    """Watches the cluster for one control plane; it remembers what it has reported, not the cluster."""

    def __init__(self, cluster: SimulatedCluster, clock: Clock) -> None:
        self._cluster, self._clock = cluster, clock
        self._watched: dict[TaskKey, str] = {}
        self._lost: list[TaskEvent] = []
        self._wake: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def inventory(self) -> Sequence[Node]:
        return self._cluster.nodes()

    def start(self, order: AttemptOrder) -> None:
        now = self._clock.now()
        with self._lock:
            for task in order.tasks:
                if task.held:
                    continue
                key = (order.attempt_id, task.name)
                if self._cluster.task(key) is None and task.seen:
                    lost = NodeLost(task.name, task.node)
                    self._lost.append(TaskEnded(order.attempt_id, task.name, now, lost))
                    continue
                self._cluster.launch(key, task, now)
                self._watched[key] = ""
        self._wake()

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        now = self._clock.now()
        with self._lock:
            for task in order.tasks:
                key = (order.attempt_id, task.name)
                self._cluster.stop(key, task.node, grace_ms, now)
                self._watched.setdefault(key, "")
        self._wake()

    def events(self) -> Sequence[TaskEvent]:
        now = self._clock.now()
        with self._lock:
            seen, self._lost = self._lost, []
            for key in list(self._watched):
                seen += self._news(key, now)
            return seen

    def listen(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def forget(self, attempt_id: str) -> None:
        with self._lock:
            for key in [key for key in self._watched if key[0] == attempt_id]:
                del self._watched[key]
            self._cluster.forget(attempt_id)

    def sweep(self, keep: Collection[str]) -> None:
        for attempt_id in self._cluster.attempts() - set(keep):
            self.forget(attempt_id)

    def close(self) -> None:
        self._wake = lambda: None

    def _news(self, key: TaskKey, now: Time) -> list[TaskEvent]:
        """What of a task became visible since it was last reported."""
        attempt_id, name = key
        task = self._cluster.task(key)
        if task is None:
            del self._watched[key]
            return []
        news: list[TaskEvent] = []
        ran = task.ended_at is None or task.ended_at > task.running_at or task.exit_code is not None
        if not self._watched[key] and task.running_at <= now and ran:
            news.append(TaskRunning(attempt_id, name, task.running_at, _ISOLATION))
            self._watched[key] = "running"
        if task.over(now):
            assert task.ended_at is not None
            news.append(TaskEnded(attempt_id, name, task.ended_at, task.reason, task.exit_code))
            del self._watched[key]
        return news
