"""As much of PromQL as it takes to say which metrics, labels and functions an expression names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""\s+
    | (?P<text>"(?:[^"\\]|\\.)*")
    | (?P<range>\[[^\]]*\])
    | (?P<number>\d+(?:\.\d+)?)
    | (?P<word>[a-zA-Z_:][\w:]*)
    | (?P<operator>=~|!~|!=|==|<=|>=|[-+*/%^=<>])
    | (?P<mark>[(){},])""",
    re.VERBOSE,
)
_GROUPING = ("by", "without", "on", "ignoring", "group_left", "group_right")
_WORDS = (*_GROUPING, "and", "or", "unless", "bool", "offset")
_RANGE = re.compile(r"\[(\d+[smhdw]|\$__rate_interval)\]")
_PAIRS = {"(": ")", "{": "}"}


@dataclass
class Named:
    """What an expression names: labels by the metrics they are looked up on, and labels it groups by."""

    metrics: dict[str, set[str]] = field(default_factory=dict)
    grouped: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)


def named(expression: str) -> Named:
    """ValueError for what is no expression."""
    tokens = _tokens(expression)
    found, open_marks, metric = Named(), [], ""
    for at, (kind, text) in enumerate(tokens):
        after = tokens[at + 1][1] if at + 1 < len(tokens) else ""
        if kind == "mark" and text in _PAIRS:
            grouping = at > 0 and text == "(" and tokens[at - 1][1] in _GROUPING
            open_marks.append("by" if grouping else text)
        elif kind == "mark" and text in _PAIRS.values():
            opened = open_marks.pop() if open_marks else ""
            if _PAIRS.get("(" if opened == "by" else opened) != text:
                raise ValueError(f"{text!r} closes nothing in {expression!r}")
        elif kind == "range" and not _RANGE.fullmatch(text):
            raise ValueError(f"{text!r} is no range in {expression!r}")
        elif kind == "word" and open_marks[-1:] == ["{"]:
            found.metrics[metric].add(text)
        elif kind == "word" and open_marks[-1:] == ["by"]:
            found.grouped.add(text)
        elif kind == "word" and text not in _WORDS and (after == "(" or after in _GROUPING):
            found.functions.add(text)
        elif kind == "word" and text not in _WORDS:
            metric = text
            found.metrics.setdefault(metric, set())
    if open_marks:
        raise ValueError(f"{open_marks} left open in {expression!r}")
    return found


def _tokens(expression: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise ValueError(f"{expression[at:]!r} is no PromQL")
        at = match.end()
        if match.lastgroup:
            found.append((match.lastgroup, match.group()))
    return found
