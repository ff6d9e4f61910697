"""Puts nodes aside that fail repeatedly, so that they do not fail one job after the other."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from danlu.control.rules.registry import Registry
from danlu.domain.errors import DanluError
from danlu.domain.events import TroubleMet
from danlu.domain.job import Job, Time
from danlu.domain.node import IN_SERVICE, Node
from danlu.domain.reasons import EvictedByNode, NodeLost, Reason, StartFailed
from danlu.ports.clock import Clock
from danlu.ports.store import JobChange

log = logging.getLogger(__name__)

WITHIN_MS = 3_600_000
ONE_FAILURE_MS = 15_000
"""Failures of several jobs on a node within this time count as one failure of the node."""
_JOBS = 2
"""With fewer jobs, the job itself may be the cause."""
_PEOPLE = 2
"""With fewer people, a mistake of theirs may be the cause, unless the node itself went away."""
_PART = 3
"""At most one node in this many is put aside at a time."""
_LONGEST_NOTE = 500
_BLAMED = NodeLost | StartFailed | EvictedByNode


@dataclass(slots=True)
class _Failure:
    at: Time
    jobs: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    lost: bool = True


class BadNodes:
    """Counts failures caused by nodes, and puts nodes with too many aside. Any thread.

    It never puts aside more than a third of all nodes, nor the last node of a pool with its GPU model: a bad node is
    better than none. Counts are reset when somebody uncordons the node, and when the controller restarts."""

    def __init__(
        self, registry: Registry, nodes: Callable[[], Sequence[Node]], clock: Clock, failures: int
    ) -> None:
        self._registry, self._nodes, self._clock, self._limit = registry, nodes, clock, failures
        self._failures: dict[str, list[_Failure]] = defaultdict(list)
        self._closed: set[str] = set()
        self._lock = threading.RLock()
        registry.changed(self._forget_opened)

    def noticed(self, changes: Iterable[JobChange]) -> None:
        """Called with the changes that were just written."""
        for change in changes if self._limit else ():
            for event in change.records:
                if isinstance(event, TroubleMet) and isinstance(event.reason, _BLAMED):
                    with self._lock:
                        self._count(event.reason, change.job)
                        self._judge(event.reason.node, event.reason)

    def _count(self, why: NodeLost | StartFailed | EvictedByNode, job: Job) -> None:
        now = self._clock.now()
        failures = [one for one in self._failures[why.node] if now - one.at < WITHIN_MS]
        if not failures or now - failures[-1].at >= ONE_FAILURE_MS:
            failures.append(_Failure(now))
        last = failures[-1]
        last.jobs.add(job.id)
        last.owners.add(job.owner)
        last.lost = last.lost and isinstance(why, NodeLost)
        self._failures[why.node] = failures

    def _forget_opened(self) -> None:
        with self._lock:
            closed = {name for name, rule in self._registry.node_rules().items() if rule.cordoned}
            for name in self._closed - closed:
                self._failures.pop(name, None)
            self._closed = closed

    def _judge(self, name: str, last: Reason) -> None:
        failures = self._failures[name]
        jobs = {job for failure in failures for job in failure.jobs}
        owners = {owner for failure in failures for owner in failure.owners}
        blamed = len(jobs) >= _JOBS and (len(owners) >= _PEOPLE or all(failure.lost for failure in failures))
        rule = self._registry.node_rules().get(name)
        if len(failures) < self._limit or not blamed or (rule is not None and rule.cordoned):
            return
        if not self._dispensable(name):
            log.warning(
                "%s failed %d times within an hour, but it is not put aside: too few nodes would be left",
                name,
                len(failures),
            )
            return
        note = f"put aside: failed {len(failures)} times within an hour, in {len(jobs)} jobs; last: {last.text().en}"
        try:
            self._registry.put_aside(name, note[:_LONGEST_NOTE])
        except DanluError as error:
            log.warning("%s failed too often, but could not be put aside: %s", name, error.detail)
            return
        log.warning("%s: %s", name, note)

    def _dispensable(self, name: str) -> bool:
        """Whether enough nodes are left without it."""
        nodes, rules = self._nodes(), self._registry.node_rules()
        mine = next((node for node in nodes if node.name == name), None)
        if mine is None:
            return False
        aside = sum(node.name in rules and rules[node.name].put_aside for node in nodes)
        alike = (
            node
            for node in nodes
            if node.name != name and node.pool == mine.pool and node.gpu_model == mine.gpu_model
        )
        return (aside + 1) * _PART <= len(nodes) and any(node.state in IN_SERVICE for node in alike)
