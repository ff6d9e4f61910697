"""Closing nodes: cordon, drain with a deadline, and maintenance, with a preview of the affected jobs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from danlu.control.plane.closed_nodes import ends_by_itself
from danlu.control.plane.view import ActiveView
from danlu.control.rules.node_checks import cordoning, strange_nodes
from danlu.control.rules.registry import Registry
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Job, Time
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Maintenance, NodeRule
from danlu.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class Closure:
    """Nodes that must be empty at a time, with the jobs on them, each with whether it is sure to end before."""

    nodes: tuple[str, ...]
    jobs: tuple[tuple[Job, bool], ...]
    at: Time


class Upkeep:
    """Closes nodes and opens them again. Any thread."""

    def __init__(
        self, nodes: Callable[[], Sequence[Node]], view: ActiveView, registry: Registry, clock: Clock
    ) -> None:
        self._nodes, self._view, self._registry, self._clock = nodes, view, registry, clock

    def cordon(
        self, caller: Caller, names: Collection[str], cordoned: bool, note: str | None = None
    ) -> list[tuple[str, FieldError | None]]:
        """Cordon nodes, or uncordon them, which also ends a drain; unknown nodes do not stop the others. Running jobs
        continue."""
        caller.require(Permission.NODE_WRITE)
        there = {node.name for node in self._nodes()}
        known = [name for name in names if name in there]
        if known:
            self._registry.edit_nodes(caller, known, lambda rule: cordoning(rule, cordoned, note))
        wrong = {str(error.value): error for error in strange_nodes(names, there)}
        return [(name, wrong.get(name)) for name in names]

    def drain(
        self, caller: Caller, names: Collection[str], within: int, note: str = "", *, preview: bool = False
    ) -> Closure:
        """Drain nodes: jobs that still run there after this many milliseconds are evicted and requeued. All nodes or
        none; with `preview` only return the affected jobs."""
        caller.require(Permission.NODE_WRITE)
        wrong = tuple(strange_nodes(names, [node.name for node in self._nodes()]))
        if wrong:
            raise Invalid(wrong)
        at = self._clock.now() + within

        def drained(rule: NodeRule) -> NodeRule:
            return replace(cordoning(rule, True, note), drain_by=at)

        if not preview:
            self._registry.edit_nodes(caller, names, drained)
        return self._closure(set(names), at)

    def preview(self, caller: Caller, window: Maintenance) -> Closure:
        """The running jobs that a maintenance would affect; Invalid if it could not be added."""
        self._registry.check(caller, window)
        return self._closure(
            {node.name for node in self._nodes() if window.concerns(node.name, node.pool)}, window.start
        )

    def _closure(self, names: Collection[str], at: Time) -> Closure:
        on = [job for job in self._view.live() if any(task.node in names for task in job.live_tasks)]
        return Closure(tuple(sorted(names)), tuple((job, ends_by_itself(job, at)) for job in on), at)
