"""Domain objects as JSON text and back, driven by the dataclasses' own annotations.

A missing key takes its field's default and an unknown key is dropped, so that rows written by an older or newer Danlu
still load.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from danlu.domain import reasons
from danlu.domain.datasets.dataset import ActProgress, ActWish, SourcePlace, Summary
from danlu.domain.job import ClonedFrom, Ending, JobSpec, Remedy, Saved, Task, Turn
from danlu.domain.node import Node
from danlu.domain.preferences import Preferences
from danlu.domain.reasons import Reason
from danlu.domain.resources import GpuGrant
from danlu.domain.rules import KINDS, Rule

_Load = Callable[[Any], Any]


def dump(value: Any) -> str:
    """JSON of plain data, dataclasses, mappings, enums and reasons; ASCII, so that any text survives."""
    return _encode(value)


def dump_or_none(value: Any) -> str | None:
    return None if value is None else _encode(value)


def load_spec(text: str) -> JobSpec:
    return cast(JobSpec, _spec(json.loads(text)))


def load_tasks(text: str) -> tuple[Task, ...]:
    return cast(tuple[Task, ...], _tasks(json.loads(text)))


def load_ending(text: str | None) -> Ending | None:
    return None if text is None else cast(Ending, _ending(json.loads(text)))


def load_turn(text: str) -> Turn:
    return cast(Turn, _turn(json.loads(text)))


def load_source(text: str | None) -> ClonedFrom | None:
    return None if text is None else cast(ClonedFrom, _source(json.loads(text)))


def load_saved(text: str | None) -> Saved | None:
    return None if text is None else cast(Saved, _saved(json.loads(text)))


def load_progress(text: str) -> dict[str, Any]:
    """The fields of an attempt that are kept together, by name."""
    known = json.loads(text)
    return {name: load(known[name]) for name, load in PROGRESS.items() if name in known}


def load_preferences(text: str) -> Preferences:
    return cast(Preferences, _preferences(json.loads(text)))


def load_dataset_source(text: str) -> SourcePlace:
    return cast(SourcePlace, _dataset_source(json.loads(text)))


def load_summary(text: str) -> Summary:
    return cast(Summary, _summary(json.loads(text)))


def load_wish(text: str) -> ActWish:
    return cast(ActWish, _wish(json.loads(text)))


def load_act_progress(text: str) -> ActProgress:
    return cast(ActProgress, _act_progress(json.loads(text)))


def load_node(text: str) -> Node:
    return cast(Node, _node(json.loads(text)))


def load_rule(kind: str, text: str) -> Rule | None:
    """A rule; None if its kind is unknown to this version."""
    load = _rules.get(kind)
    return None if load is None else cast(Rule, load(json.loads(text)))


def load_reason(text: str | None) -> Reason | None:
    return None if text is None else _reason(json.loads(text))


def _plain(value: Any) -> Any:
    """Plain data for types that the encoder does not know."""
    if isinstance(value, GpuGrant):
        return (value.index, value.milli)  # there are many of them
    if isinstance(value, Reason):
        return reasons.encode(value)
    if is_dataclass(value):
        return {name: getattr(value, name) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be stored")


_encode = json.JSONEncoder(default=_plain, separators=(",", ":")).encode


def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass; `fields()` says the same, but slowly."""
    names: tuple[str, ...] = kind.__match_args__
    return names


def _reason(data: Mapping[str, Any]) -> Reason | None:
    """A reason; None if it is unknown to this version, so that a job always loads."""
    kind = reasons.ALL.get(data["code"])
    if kind is None:
        return None
    known = _names(kind)
    return kind(**{name: value for name, value in data.items() if name in known})


def _loader(hint: Any) -> _Load | None:
    """How to read a value of this type; None when JSON gives it as it is."""
    if hint is Reason:
        return _reason
    if hint is GpuGrant:
        return lambda pair: GpuGrant(*pair)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if is_dataclass(hint):
        return _record(cast(type, hint))
    origin, inner = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _sequence(_loader(inner[0]))
    if origin is Mapping:
        return _mapping(_loader(inner[0]), _loader(inner[1]))
    if origin in (Union, UnionType):
        return _choice([kind for kind in inner if kind is not NoneType])
    return None


def _record(kind: type) -> _Load:
    names = frozenset(_names(kind))
    hints = get_type_hints(kind)
    loaders = [(name, convert) for name in names if (convert := _loader(hints[name]))]

    def load(data: Mapping[str, Any]) -> Any:
        known = {name: value for name, value in data.items() if name in names}
        for name, convert in loaders:
            if known.get(name) is not None:
                known[name] = convert(known[name])
        return kind(**known)

    return load


def _sequence(load: _Load | None) -> _Load:
    def items(values: list[Any]) -> tuple[Any, ...]:
        return tuple(values) if load is None else tuple([load(value) for value in values])

    return items


def _mapping(key: _Load | None, value: _Load | None) -> _Load | None:
    if key is None and value is None:
        return None
    as_key, as_value = key or str, value or (lambda item: item)
    return lambda items: {as_key(name): as_value(item) for name, item in items.items()}


def _choice(kinds: list[Any]) -> _Load | None:
    if len(kinds) == 1:
        return _loader(kinds[0])
    # The only unions that people write are of text and a list of text.
    return lambda value: tuple(value) if isinstance(value, list) else value


_spec = _record(JobSpec)
_tasks = _sequence(_record(Task))
_ending = _record(Ending)
_turn = _record(Turn)
_source = _record(ClonedFrom)
_saved = _record(Saved)
PROGRESS: Mapping[str, _Load] = {"resumed": _saved, "saved": _saved, "lost": int, "then": Remedy}
_preferences = _record(Preferences)
_dataset_source, _summary = _record(SourcePlace), _record(Summary)
_wish, _act_progress = _record(ActWish), _record(ActProgress)
_node = _record(Node)
_rules = {name: _record(kind) for name, kind in KINDS.items()}
