"""A process that does not lead: it sees the leader's view through the database."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from danlu.control.plane.full_volumes import Full
from danlu.control.plane.inputs import InputProgress
from danlu.control.plane.planner import Planner
from danlu.control.plane.ties import VolumeTies
from danlu.control.plane.view import ActiveView
from danlu.domain.errors import DanluError
from danlu.domain.job import Time
from danlu.domain.node import Node
from danlu.ports.clock import Clock
from danlu.ports.inputs import InputStore
from danlu.ports.store import ActiveJobs, NodeStore
from danlu.ports.volumes.claims import ClaimStore
from danlu.scheduler import Decision, Snapshot

log = logging.getLogger(__name__)

_FRESH_MS = 1_000
_IDLE_WAIT_S = 1.0
_BREATH_S = 0.02
"""Bursts of writes are read together."""


class ActiveJobsAndNodes(ActiveJobs, NodeStore, ClaimStore, InputStore, Protocol):
    """What the leader has written."""


class Onlooker:
    """Keeps a view of jobs and nodes as they are in the store. `look` by one thread, the rest by any.

    `ruled` is called, while looking, when anybody has changed rules; `all_serve` and `full` as of the view."""

    def __init__(
        self,
        store: ActiveJobsAndNodes,
        clock: Clock,
        ruled: Callable[[], None],
        *,
        all_serve: bool = False,
        full: Callable[[Collection[str]], Full] = lambda _: {},
    ) -> None:
        self._store, self._clock = store, clock
        self._nodes: tuple[Node, ...] | None = None
        self._nodes_read_at = 0
        self._woken = threading.Event()
        self.view = ActiveView(
            store,
            self.nodes,
            ruled=ruled,
            all_serve=all_serve,
            ties=VolumeTies(store, clock),
            inputs=InputProgress(store, clock),
            full=full,
        )

    def nodes(self) -> Sequence[Node]:
        """As the leader last saw them; the same object while nothing changed."""
        if self._nodes is None:
            self._nodes = self._store.nodes()
        return self._nodes

    def wake(self) -> None:
        """Something may have been written: look soon. Cheap, from any thread."""
        self._woken.set()

    def run(self, stop: threading.Event) -> None:
        """Look until told to stop; errors are retried."""
        while not stop.is_set():
            self._woken.clear()
            try:
                self.look()
            except DanluError as error:
                log.warning("could not read jobs and nodes from the database, trying again: %s", error.detail)
                stop.wait(_IDLE_WAIT_S)
            except Exception:
                log.exception("could not read jobs and nodes from the database; trying again")
                stop.wait(_IDLE_WAIT_S)
            stop.wait(_BREATH_S)
            self._woken.wait(_IDLE_WAIT_S)

    def look(self) -> None:
        """Take in what was written since the last look."""
        self.view.refresh()
        self.view.take_touched()  # a leader's worry
        now = self._clock.now()
        if not 0 <= now - self._nodes_read_at < _FRESH_MS:
            nodes = self._store.nodes()
            if nodes != self._nodes:
                self._nodes = nodes
            self._nodes_read_at = now


class OnlookersPlanner(Planner):
    """Makes plans to show, not to carry out: on demand, at most one per second."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._planning = threading.Lock()
        self._scores_read_at = 0

    def latest_decision(self) -> Decision:
        with self._planning:
            fresh = self.decided_at is not None and 0 <= self._clock.now() - self.decided_at < _FRESH_MS
            return self._latest if fresh and self._latest is not None else self.decide()

    def _snapshot(self, now: Time) -> Snapshot:
        if not 0 <= now - self._scores_read_at < _FRESH_MS:
            self.ledger.reread()
            self._scores_read_at = now
        return super()._snapshot(now)
