"""Whether something is what its annotations say."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from typing import Any


def is_typed(value: Any, kind: Any) -> bool:
    """Whether a value is of the type that an annotation names, down to what is inside."""
    if kind is Any:
        return True
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return type(value) is kind and all(is_typed(getattr(value, name), hints[name]) for name in hints)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return type(value) is tuple and all(is_typed(one, inner[0]) for one in value)
    if origin is Mapping:
        return type(value) is dict and all(is_typed(one, inner[1]) for one in value.values())
    if inner:
        return any(is_typed(value, one) for one in inner)
    return type(value) is kind or (kind is float and type(value) is int)
