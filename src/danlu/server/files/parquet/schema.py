"""The columns of a Parquet file, as its schema tells them: a flat list of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_TYPE, _LENGTH, _REPETITION, _NAME, _CHILDREN, _CONVERTED, _SCALE, _LOGICAL = 1, 2, 3, 4, 5, 6, 7, 10
_OPTIONAL, _REPEATED = 1, 2
_LONGEST_FIXED = 1 << 16
_PLAIN_NAMES = ("boolean", "int32", "int64", "int96", "float", "double", "bytes", "fixed bytes")
INT96 = 3
_CONVERTED_NAMES = {
    0: "text",
    1: "map",
    2: "map",
    3: "list",
    4: "text",
    5: "decimal",
    6: "date",
    7: "time",
    8: "time",
    9: "timestamp",
    10: "timestamp",
    11: "uint8",
    12: "uint16",
    13: "uint32",
    14: "uint64",
    15: "int8",
    16: "int16",
    19: "json",
}
_LOGICAL_NAMES = {
    1: "text",
    2: "map",
    3: "list",
    4: "text",
    5: "decimal",
    6: "date",
    7: "time",
    8: "timestamp",
    12: "json",
    14: "uuid",
    15: "float16",
}
_UNITS = {1: 1_000, 2: 1_000_000, 3: 1_000_000_000}


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where values are: of what type, `meaning` what they stand for, in `unit`s per second or with `scale` digits
    after the point. `levels` is how many parts on the way may be missing; `present` how many of them there are once
    a list is there, None for one value in each row."""

    type: int
    meaning: str
    length: int
    scale: int
    unit: int
    zoned: bool
    levels: int
    present: int | None


@dataclass(frozen=True, slots=True)
class Column:
    """`leaf` is None for one whose values are not read: a map, a structure, a list of lists. `at` is the first of its
    leaves among all."""

    name: str
    type: str
    at: int
    leaf: Leaf | None


def columns_of(schema: list[dict[int, Any]]) -> list[Column]:
    """Of the elements of a schema, each before what is in it."""
    found: list[Column] = []
    place, leaves = 1, 0
    while place < len(schema):
        end = _end(schema, place)
        branch = schema[place:end]
        name = branch[0][_NAME].decode("utf-8", "replace") if _NAME in branch[0] else "?"
        found.append(Column(name, _meaning(branch[0]), leaves, _leaf_of(branch)))
        leaves += sum(not one.get(_CHILDREN) for one in branch)
        place = end
    return found


def _end(schema: list[dict[int, Any]], place: int) -> int:
    """Where the element at a place and all that is in it ends."""
    missing = 1
    while missing > 0:
        missing += max(0, int(schema[place].get(_CHILDREN, 0))) - 1
        place += 1
    return place


def _leaf_of(branch: list[dict[int, Any]]) -> Leaf | None:
    """A branch that is one line down to a single leaf, with one list on the way at most."""
    if any(one.get(_CHILDREN) != 1 for one in branch[:-1]) or _TYPE not in branch[-1]:
        return None
    levels, present = 0, None
    for one in branch:
        if one.get(_REPETITION) == _REPEATED and present is not None:
            return None
        levels += one.get(_REPETITION) in (_OPTIONAL, _REPEATED)
        present = levels if one.get(_REPETITION) == _REPEATED else present
    if len(branch) > 1 and present is None:  # a structure of one part
        return None
    last = branch[-1]
    length = int(last.get(_LENGTH, 0))
    if not 0 <= length <= _LONGEST_FIXED or not 0 <= last[_TYPE] < len(_PLAIN_NAMES):
        return None
    unit, zoned = _unit(last)
    scale = int(last.get(_SCALE, 0))
    meaning = "timestamp" if last[_TYPE] == INT96 else _meaning(last)
    return Leaf(last[_TYPE], meaning, length, scale, unit, zoned, levels, present)


def _meaning(one: dict[int, Any]) -> str:
    logical = one.get(_LOGICAL) or {}
    for kind in logical:
        if kind in _LOGICAL_NAMES:
            return _LOGICAL_NAMES[kind]
    plain = _PLAIN_NAMES[one[_TYPE]] if _TYPE in one and 0 <= one[_TYPE] < len(_PLAIN_NAMES) else "group"
    return _CONVERTED_NAMES.get(one.get(_CONVERTED, -1), plain)


def _unit(one: dict[int, Any]) -> tuple[int, bool]:
    """How many units of a time or timestamp are a second, and whether it is in universal time."""
    logical = one.get(_LOGICAL) or {}
    told = logical.get(7) or logical.get(8)
    if told:
        unit = next((_UNITS[kind] for kind in told.get(2, {}) if kind in _UNITS), 1_000)
        return unit, bool(told.get(1))
    return (1_000_000 if one.get(_CONVERTED) in (8, 10) else 1_000), _CONVERTED in one
