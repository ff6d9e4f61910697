"""Nodes with the rules of administrators: pool, labels, whether anything may start there, and when they close."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from danlu.control.rules.registry import Registry
from danlu.domain.job import Time
from danlu.domain.node import Node, NodeState
from danlu.domain.rules import Maintenance, NodeRule
from danlu.ports.clock import Clock
from danlu.scheduler import FOREVER

_MAY_BE_CORDONED = frozenset({NodeState.READY, NodeState.OCCUPIED})


class RuledNodes:
    """The nodes as engines report them, with the rules of administrators, as of now. Any thread."""

    def __init__(
        self,
        inventory: Callable[[], Sequence[Node]],
        registry: Registry,
        clock: Clock,
        most_tasks: int | None = None,
    ) -> None:
        self._inventory, self._registry, self._clock = inventory, registry, clock
        self._most_tasks = most_tasks
        self._known: _Known | None = None

    def __call__(self) -> Sequence[Node]:
        """The same object while nothing changed."""
        reported, rules = self._inventory(), self._registry.node_rules()
        windows, now = self._registry.maintenance(), self._clock.now()
        known = self._known
        if known is None or not known.holds(reported, rules, windows, now):
            nodes = self._bounded(apply_rules(reported, rules, windows.values(), now))
            changes = until(windows.values(), now)
            known = self._known = _Known(reported, rules, windows, now, changes or FOREVER, nodes)
        return known.nodes

    def _bounded(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        if self._most_tasks is None:
            return nodes
        return tuple(
            replace(node, max_tasks=self._most_tasks) if node.max_tasks is None else node for node in nodes
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """Nodes as ruled, what from, and from when until when that holds."""

    reported: Sequence[Node]
    rules: Mapping[str, NodeRule]
    windows: Mapping[str, Maintenance]
    since: Time
    until: Time
    nodes: Sequence[Node]

    def holds(
        self,
        reported: Sequence[Node],
        rules: Mapping[str, NodeRule],
        windows: Mapping[str, Maintenance],
        now: Time,
    ) -> bool:
        in_time = not windows or self.since <= now < self.until
        return in_time and self.rules is rules and self.windows is windows and self.reported == reported


def apply_rules(
    nodes: Sequence[Node],
    rules: Mapping[str, NodeRule],
    windows: Collection[Maintenance] = (),
    now: Time = 0,
) -> tuple[Node, ...]:
    """The nodes an engine reports, with the rules applied. Applying it twice changes nothing.

    The result is valid until `until` of the same windows."""
    ahead = sorted((one for one in windows if one.end > now), key=lambda one: (one.start, one.name))
    if not rules and not ahead:
        return tuple(nodes)
    ruled = (_ruled(node, rule) if (rule := rules.get(node.name)) else node for node in nodes)
    return tuple(_maintained(node, ahead, now) for node in ruled) if ahead else tuple(ruled)


def until(windows: Collection[Maintenance], now: Time) -> Time | None:
    """When a window begins or ends next; None if none does."""
    return min((time for one in windows for time in (one.start, one.end) if time > now), default=None)


def _ruled(node: Node, rule: NodeRule) -> Node:
    # Unreachable is more important to know than cordoned.
    cordoned = rule.cordoned and node.state in _MAY_BE_CORDONED
    return replace(
        node,
        pool=rule.pool or node.pool,
        labels={**node.labels, **rule.labels} if rule.labels else node.labels,
        state=NodeState.CORDONED if cordoned else node.state,
        why=(cordoned and rule.note) or node.why,
        closes_at=rule.drain_by,
    )


def _maintained(node: Node, ahead: Sequence[Maintenance], now: Time) -> Node:
    """With the first of the windows that concern it."""
    first = next((one for one in ahead if one.concerns(node.name, node.pool)), None)
    if first is None:
        return node
    if node.closes_at is None or first.start < node.closes_at:
        node = replace(node, closes_at=first.start, closes_for=first.name)
    if first.start > now or node.state not in {*_MAY_BE_CORDONED, NodeState.CORDONED}:
        return node
    why = f"maintenance {first.name}" + (f": {first.description}" if first.description else "")
    return replace(node, state=NodeState.CORDONED, why=why, opens_at=first.end)
