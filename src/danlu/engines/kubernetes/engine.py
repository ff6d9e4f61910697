"""The Engine port over one cluster: a thread with an event loop that carries out requests and reports events."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Collection, Coroutine, Sequence
from pathlib import Path
from typing import Any

from danlu.domain.events import TaskEnded, TaskEvent
from danlu.domain.job import NetworkPolicy, Task
from danlu.domain.node import Node, unread
from danlu.domain.reasons import StartFailed
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api, always
from danlu.engines.kubernetes.logs.logs import PodLogFollower
from danlu.engines.kubernetes.tasks.acting import Hands
from danlu.engines.kubernetes.tasks.attempts import Attempts
from danlu.engines.kubernetes.tasks.filling import FillProgress
from danlu.engines.kubernetes.tasks.leftovers import Leftovers
from danlu.engines.kubernetes.watch.mirror import Mirror
from danlu.engines.kubernetes.ways.ways import KubernetesShells
from danlu.ports.clock import Clock
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import AttemptOrder
from danlu.ports.logs import LogKey

log = logging.getLogger(__name__)

_NOT_KEPT = (NetworkPolicy.NONE, NetworkPolicy.REGISTRIES)
_TICK_S = 0.25
_KEPT_MS = 120_000
_RIVALS_S = 600.0
"""For how long after taking over a former leader's last request may still arrive."""
_AFTER_A_FAULT_S = 1.0
_CLOSE_WITHIN_S = 10.0
_LAST_REQUESTS_S = 5.0
_FAREWELL_S = 0.1
"""Abandoned TLS connections take a moment to close."""


class KubernetesEngine:
    """Runs every task as a pod. It holds no truth: after a restart `start` of the same order finds its pods again.

    `guard` says whether this control plane leads. While it does not, the engine changes nothing in the cluster; what is
    to be done is put off, for the lead may only have been renewed late. Who has lost it closes the engine.
    Nodes are called `<node>.<cluster>` when `qualified`. Proof of what ran is kept for `kept_ms` after `forget`.
    Of what it finds in the namespace it clears away only what this `installation` of Danlu made for this cluster.
    `remembered` are the nodes that there were before: not to be used, but not gone until the cluster was read."""

    def __init__(
        self,
        cluster: KubernetesCluster,
        access: ClusterCredentials,
        *,
        log_path: Callable[[LogKey], Path],
        clock: Clock,
        guard: Callable[[], bool] = always,
        qualified: bool = True,
        kept_ms: int = _KEPT_MS,
        installation: str = "",
        remembered: Sequence[Node] = (),
        log_limit: int = 0,
    ) -> None:
        self._cluster, self._guard, self._qualified, self._clock = cluster, guard, qualified, clock
        self._lock = threading.Lock()
        self._inbox: list[Callable[[], None]] = []
        self._reports: list[TaskEvent] = []
        self._nodes = unread(remembered, "the cluster has not been read yet")
        self._wake: Callable[[], None] = lambda: None
        self._dead = False
        self._works: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._began = self._loop.time()
        self._main: asyncio.Task[None] | None = None

        self.api = Api(Credentials.load(access), guard=guard)
        self._ways = KubernetesShells(lambda _: (cluster, access))
        self._logs = PodLogFollower(self.api, cluster.namespace, log_path, log_limit)
        self._mirror = Mirror(self.api, cluster, clock, self._qualify)
        condemned: set[str] = set()
        signature = f"{installation}.{cluster.name}".lstrip(".")
        self._attempts = Attempts(
            cluster,
            self._mirror,
            Hands(self.api, cluster, self._mirror, self._logs, signature),
            self._logs,
            clock,
            self._qualify,
            self._spawn,
            self._report,
            self._has_rivals,
            condemned,
            FillProgress(self.api, cluster.namespace, self._report),
        )
        self._leftovers = Leftovers(
            self.api, cluster, self._mirror, clock, self._attempts.__contains__, condemned, kept_ms, signature
        )
        self._thread = threading.Thread(target=self._run, name=f"cluster-{cluster.name}", daemon=True)
        self._thread.start()

    # ── the port ─────────────────────────────────────────────────────────────────────────────────────

    def inventory(self) -> Sequence[Node]:
        return self._nodes

    def start(self, order: AttemptOrder) -> None:
        if order.network in _NOT_KEPT:
            # Nothing keeps a pod from reaching the cluster: better none than one that reaches more than was asked for.
            why = f"network: {order.network} is not available on Kubernetes; leave it out, or use this machine's nodes"
            now, names = self._clock.now(), [task.name for task in order.tasks]
            self._report([TaskEnded(order.attempt_id, name, now, StartFailed(name, why)) for name in names])
            return
        self._ask(lambda: self._attempts.start(order))

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        self._ask(lambda: self._attempts.stop(order, grace_ms))

    def events(self) -> Sequence[TaskEvent]:
        with self._lock:
            reports, self._reports = self._reports, []
        return reports

    def listen(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def forget(self, attempt_id: str) -> None:
        with self._lock:
            self._reports = [event for event in self._reports if event.attempt_id != attempt_id]

        def forgotten() -> None:
            self._attempts.forget(attempt_id)
            self._leftovers.release(attempt_id)

        self._ask(forgotten)

    def sweep(self, keep: Collection[str]) -> None:
        kept = frozenset(keep)
        self._ask(lambda: self._leftovers.sweep(kept))

    def stacks(self, attempt_id: str, task: Task) -> str:
        return self._ways.stacks(attempt_id, task)

    def close(self) -> None:
        self._wake = lambda: None
        self._die()
        self._thread.join(_CLOSE_WITHIN_S)

    # ── between threads ──────────────────────────────────────────────────────────────────────────────

    def _ask(self, request: Callable[[], None]) -> None:
        with self._lock:
            if self._dead:
                return
            self._inbox.append(request)
            self._loop.call_soon_threadsafe(self._read_inbox)

    def _read_inbox(self) -> None:
        with self._lock:
            requests, self._inbox = self._inbox, []
        for request in requests:
            try:
                request()
            except Exception:
                log.exception("cluster %s: a request to the engine failed unexpectedly", self._cluster.name)

    def _report(self, events: list[TaskEvent]) -> None:
        with self._lock:
            if self._dead:
                return
            self._reports += events
        self._wake()

    def _die(self) -> None:
        """Do and report nothing from now on."""
        with self._lock:
            if self._dead:
                return
            self._dead, self._reports = True, []
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        if self._main is not None:
            self._main.cancel()

    # ── on the loop ──────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._main = self._loop.create_task(self._serve())
            self._loop.run_until_complete(asyncio.wait([self._main]))
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._spawn(self._forever(self._mirror.run))
        self._spawn(self._forever(self._leftovers.run))
        try:
            await self._forever(self._tick)
        finally:
            await self._attempts.let_go(_LAST_REQUESTS_S)
            while works := list(self._works):  # a task that was cancelled may just have started another
                for work in works:
                    work.cancel()
                await asyncio.gather(*works, return_exceptions=True)
            await self._logs.close()
            await self.api.close()
            await asyncio.sleep(_FAREWELL_S)

    async def _tick(self) -> None:
        """Handle what no single change shows: the cluster was read again, or stopped answering."""
        while True:
            self._attempts.turn()
            nodes = self._mirror.inventory()
            if nodes != self._nodes and (nodes or self._mirror.synced):
                self._nodes = nodes
                self._wake()
            await asyncio.sleep(_TICK_S)

    async def _forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await work()
            except Exception:
                log.exception("cluster %s: unexpected error; the engine continues", self._cluster.name)
            await asyncio.sleep(_AFTER_A_FAULT_S)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._works.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._works.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("cluster %s: unexpected error", self._cluster.name, exc_info=error)

    def _qualify(self, node: str) -> str:
        return f"{node}.{self._cluster.name}" if self._qualified else node

    def _has_rivals(self) -> bool:
        return self._guard is not always and self._loop.time() - self._began < _RIVALS_S
