"""Answers as dataclasses: which field is made how, by class; the generated modules write their rows in."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Tuple, TypeVar

T = TypeVar("T")
Row = Mapping[str, Tuple[str, Optional[Callable[[Any], Any]]]]

READERS: dict[type, Row] = {}
"""By class, then by field: its key in the answer, and what makes it of what is there. A field that is not named has its
own name as key and is taken as it comes."""
_NOTHING: Row = {}


def read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Make `kind` from an answer; unknown fields are ignored, missing and null ones take their defaults."""
    row = READERS.get(kind, _NOTHING)
    known: dict[str, Any] = {}
    for name in kind.__dataclass_fields__:  # type: ignore[attr-defined]
        key, convert = row.get(name) or (name, None)
        value = data.get(key)
        if value is not None:
            known[name] = convert(value) if convert else value
    return kind(**known)


def one(kind: type[T]) -> Callable[[Mapping[str, Any]], T]:
    return lambda data: read(kind, data)


def rows(items: Any) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(item) for item in items)


def each(kind: type[T]) -> Callable[[Any], tuple[T, ...]]:
    return lambda items: tuple(read(kind, item) for item in items)
