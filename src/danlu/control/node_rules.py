"""Nodes as administrators rule them: their pool and labels, and whether anything may start there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from danlu.domain.node import Node, NodeState
from danlu.domain.rules import NodeRule

_MAY_BE_CORDONED = frozenset({NodeState.READY, NodeState.OCCUPIED})


def apply_rules(nodes: Sequence[Node], rules: Mapping[str, NodeRule]) -> tuple[Node, ...]:
    """The nodes an engine reports, with what was said of them on top. Applying it twice changes nothing."""
    if not rules:
        return tuple(nodes)
    return tuple(_ruled(node, rule) if (rule := rules.get(node.name)) else node for node in nodes)


def _ruled(node: Node, rule: NodeRule) -> Node:
    # That a node is out of reach says more than that it is cordoned.
    cordoned = rule.cordoned and node.state in _MAY_BE_CORDONED
    return replace(
        node,
        pool=rule.pool or node.pool,
        labels={**node.labels, **rule.labels} if rule.labels else node.labels,
        state=NodeState.CORDONED if cordoned else node.state,
    )
