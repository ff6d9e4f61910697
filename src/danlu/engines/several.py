"""One engine over many: this machine, if it is used, and every cluster."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from danlu.domain.errors import DanluError, Unavailable
from danlu.domain.events import TaskDelayed, TaskEnded, TaskEvent
from danlu.domain.job import Task
from danlu.domain.node import Node
from danlu.domain.reasons import NodeLost
from danlu.domain.words import say
from danlu.ports.clock import Clock
from danlu.ports.engine import AttemptOrder, Engine

log = logging.getLogger(__name__)

_BASE = ""


@dataclass(slots=True)
class _Asked:
    """What was last asked for an attempt, so that an engine which takes another's place can be asked for it too."""

    name: str
    start: AttemptOrder | None = None
    stops: list[tuple[AttemptOrder, int]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def told_to(self, engine: Engine) -> None:
        # Stops go first, so that nothing which is to end is begun for a moment.
        for order, grace in self.stops:
            engine.stop(self._as_seen(order), grace)
        if self.start is not None:
            engine.start(self._as_seen(self.start))

    def orders(self) -> list[AttemptOrder]:
        return [order for order in (self.start, *(order for order, _ in self.stops)) if order is not None]

    def _as_seen(self, order: AttemptOrder) -> AttemptOrder:
        tasks = tuple(replace(task, seen=task.seen or task.name in self.seen) for task in order.tasks)
        return replace(order, tasks=tasks)


class Engines:
    """Hands every attempt to the engine of the cluster it was placed on, which the name of its node tells
    (`<node>.<cluster>`), or to `base`. An attempt on a cluster that is no longer there is reported lost.

    Clusters may come, go and be replaced while attempts run: an engine that takes the place of another is told of
    every attempt that the other had."""

    def __init__(self, base: Engine | None, clock: Clock) -> None:
        self._clock = clock
        self._engines: dict[str, Engine] = {} if base is None else {_BASE: base}
        self._asked: dict[str, _Asked] = {}
        self._held: frozenset[str] = frozenset()
        self._keep: set[str] | None = None
        self._reports: list[TaskEvent] = []
        self._wake: Callable[[], None] = lambda: None
        self._lock = threading.RLock()

    # ── which engines there are ──────────────────────────────────────────────────────────────────────

    def use(self, clusters: Mapping[str, Engine]) -> None:
        """Exactly these clusters from now on; what is there already is left as it is, the others are dropped."""
        with self._lock:
            for name in [name for name in self._engines if name != _BASE and name not in clusters]:
                self.drop(name)
            for name, engine in clusters.items():
                self.set(name, engine)

    def set(self, name: str, engine: Engine) -> None:
        """A cluster's engine; one that was in its place is closed, and the new one is told what that was."""
        with self._lock:
            former = self._engines.get(name)
            if former is engine:
                return
            if former is not None:
                self._read(name, former)
            self._engines[name] = engine
            engine.listen(self._wake)
            if self._keep is not None:
                engine.sweep(self._keep | set(self._asked))
            for asked in self._asked.values():
                if asked.name == name:
                    self._pass_on(asked, engine)
        if former is not None:
            former.close()
        self._wake()

    def drop(self, name: str) -> None:
        """The cluster is used no more: what ran there is reported lost and ended as far as its engine still can, which
        is then closed. Unknown is fine."""
        with self._lock:
            engine = self._engines.pop(name, None)
            if engine is None:
                return
            self._read(name, engine)
            for attempt_id, asked in self._asked.items():
                if asked.name == name:
                    self._lose(*asked.orders())
                    engine.forget(attempt_id)
        engine.close()

    def hold(self, names: Collection[str]) -> None:
        """Start nothing more on these clusters, and on no others than these: their rules changed, and the engine that
        knows the new ones is still to come."""
        with self._lock:
            self._held = frozenset(names)

    def names(self) -> list[str]:
        """The clusters that have an engine, sorted."""
        with self._lock:
            return sorted(name for name in self._engines if name != _BASE)

    # ── the port ─────────────────────────────────────────────────────────────────────────────────────

    def inventory(self) -> Sequence[Node]:
        nodes = [node for engine in self._all().values() for node in engine.inventory()]
        return sorted(nodes, key=lambda node: node.name)

    def start(self, order: AttemptOrder) -> None:
        with self._lock:
            asked, engine = self._asked_of(order)
            if engine is None:
                self._lose(order)
                return
            if asked.name in self._held:
                raise Unavailable(
                    say(
                        "{attempt_id}: cluster {cluster} is being reopened",
                        "{attempt_id}：正在重新打开集群 {cluster}",
                        attempt_id=order.attempt_id,
                        cluster=asked.name,
                    )
                )
            engine.start(order)
            asked.start = order

    def stop(self, order: AttemptOrder, grace_ms: int) -> None:
        with self._lock:
            asked, engine = self._asked_of(order)
            if engine is None:
                self._lose(order)
                return
            engine.stop(order, grace_ms)
            asked.stops.append((order, grace_ms))

    def events(self) -> Sequence[TaskEvent]:
        for name, engine in self._all().items():
            self._read(name, engine)
        with self._lock:
            reports, self._reports = self._reports, []
        return reports

    def listen(self, wake: Callable[[], None]) -> None:
        with self._lock:
            self._wake = wake
            for engine in self._engines.values():
                engine.listen(wake)

    def forget(self, attempt_id: str) -> None:
        with self._lock:
            asked = self._asked.pop(attempt_id, None)
            if self._keep is not None:
                self._keep.discard(attempt_id)
            engines = self._engines if asked is None else {asked.name: self._engines.get(asked.name)}
            for engine in engines.values():
                if engine is not None:
                    engine.forget(attempt_id)

    def sweep(self, keep: Collection[str]) -> None:
        with self._lock:
            self._keep = set(keep)
            for engine in self._engines.values():
                engine.sweep(keep)

    def stacks(self, attempt_id: str, task: Task) -> str:
        with self._lock:
            asked = self._asked.get(attempt_id)
            engine = self._engines.get(asked.name) if asked is not None else None
        tell = getattr(engine, "stacks", None)
        if tell is None:
            raise Unavailable(
                say(
                    "the stacks of {name} on {node} are not available",
                    "无法获取 {node} 上 {name} 的调用栈",
                    name=task.name,
                    node=task.node,
                )
            )
        told: str = tell(attempt_id, task)
        return told

    def close(self) -> None:
        for engine in self._all().values():
            engine.close()

    # ── within ───────────────────────────────────────────────────────────────────────────────────────

    def _all(self) -> dict[str, Engine]:
        with self._lock:
            return dict(self._engines)

    def _pass_on(self, asked: _Asked, engine: Engine) -> None:
        """One that takes nothing in now will itself be replaced, and its successor is told."""
        try:
            asked.told_to(engine)
        except DanluError as error:
            log.warning("a request could not be passed on to its engine: %s", error.detail)

    def _asked_of(self, order: AttemptOrder) -> tuple[_Asked, Engine | None]:
        if order.attempt_id not in self._asked:
            self._asked[order.attempt_id] = _Asked(self._name_of(order))
        asked = self._asked[order.attempt_id]
        return asked, self._engines.get(asked.name)

    def _name_of(self, order: AttemptOrder) -> str:
        """Whose attempt it is. A machine's own name may have dots too: its engine knows it."""
        node = order.tasks[0].node
        _, dot, cluster = node.rpartition(".")
        if not dot or cluster in self._engines:
            return cluster if dot else _BASE
        base = self._engines.get(_BASE)
        own = base is not None and any(one.name == node for one in base.inventory())
        return _BASE if own else cluster

    def _read(self, name: str, engine: Engine) -> None:
        """One engine's trouble does not keep back what the others have to say; it loses nothing by it."""
        try:
            found = engine.events()
        except Exception:
            log.exception("the engine %s could not report events; retrying", name or "of this machine")
            return
        with self._lock:
            self._reports += found
            for event in found:
                asked = self._asked.get(event.attempt_id)
                if asked is not None and not isinstance(event, TaskDelayed):
                    asked.seen.add(event.task)

    def _lose(self, *orders: AttemptOrder) -> None:
        now = self._clock.now()
        tasks = {(order.attempt_id, task.name): task.node for order in orders for task in order.tasks}
        for (attempt_id, task), node in tasks.items():
            self._reports.append(TaskEnded(attempt_id, task, now, NodeLost(task, node)))
        self._wake()
