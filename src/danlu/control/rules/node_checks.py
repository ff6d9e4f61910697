"""Errors in rules of nodes and in maintenance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from danlu.domain.errors import FieldError
from danlu.domain.job import Time
from danlu.domain.rules import Maintenance, NodeRule
from danlu.domain.terms import no_such
from danlu.domain.words import Words
from danlu.files.mistakes import did_you_mean

_HINTED = 5
"""How many unknown names get a suggestion: that is slow with many nodes."""


def cordoning(rule: NodeRule, cordoned: bool, note: str | None = None) -> NodeRule:
    """Cordon, with a note if one is given; or uncordon, which ends a drain and clears the note. Either way it is now a
    person's decision, and no longer Danlu's own."""
    if not cordoned:
        return replace(rule, cordoned=False, drain_by=None, note="", put_aside=False)
    return replace(rule, cordoned=True, note=rule.note if note is None else note, put_aside=False)


def strange_nodes(names: Iterable[str], there: Collection[str]) -> Iterator[FieldError]:
    """Names of nodes that are not there."""
    known = set(there)
    strange = [(place, name) for place, name in enumerate(names) if name not in known]
    for number, (place, name) in enumerate(strange):
        hint = did_you_mean(name, sorted(known)) if number < _HINTED else None
        yield FieldError(("nodes", place), "no_such_node", no_such("node", name), name, hint=hint)


def window_mistakes(window: Maintenance) -> Iterator[FieldError]:
    """All errors of a maintenance in itself."""
    if window.end <= window.start:
        yield FieldError(
            ("end",),
            "contradiction",
            Words("a maintenance must end after it begins", "维护的结束时间须晚于开始时间"),
        )
    if not window.nodes and window.pool is None:
        hint = Words("name nodes, a pool, or both", "请填写节点或资源池，也可同时填写")
        yield FieldError(
            ("nodes",), "missing", Words("a maintenance needs nodes or a pool", "维护须指定对象"), hint=hint
        )


def bygone(window: Maintenance, now: Time) -> Iterator[FieldError]:
    if window.start < window.end <= now:
        yield FieldError(
            ("end",),
            "out_of_range",
            Words(
                "this time has already passed; a maintenance must end in the future",
                "该时间已过；维护的结束时间须晚于当前时间",
            ),
        )
