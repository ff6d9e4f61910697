"""Pydantic types for sizes, times and counts as people write them."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticKnownError

from danlu.domain.quantity import (
    SIZE_HINT,
    TIME_HINT,
    exact_size,
    no_unit,
    parse_size,
    parse_time,
    show_time,
)
from danlu.domain.words import BadValue, Words, say

AUTO = 0
"""The value of `nodes` that lets Danlu choose the number."""
_MOST = 10**12
_NO_UNIT = Words("{value} has no unit; {hint}", "{value} 缺少单位；{hint}")
_PERCENT = re.compile(r"([0-9]{1,3}) ?%")
_SIZE_PATTERN = r"^[0-9.]+ ?([KMGT]i?)?B?$"


def _size(value: Any) -> int:
    if isinstance(value, str):
        return parse_size(value)
    if value == 0 and not isinstance(value, bool):
        return 0
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        raise no_unit(value)
    raise BadValue(_NO_UNIT.fill(value=repr(value), hint=SIZE_HINT))


def _own_size(value: Any) -> int:
    """`true` asks for no size of its own."""
    return 0 if value is True else _size(value)


def _size_or_part(value: Any) -> int:
    """A part of a disk is a negative number of percent."""
    found = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return _size(value)
    if not 0 < int(found[1]) <= 100:
        raise BadValue(say("{value} is not between 1% and 100%", "{value} 不在 1% 与 100% 之间", value=value))
    return -int(found[1])


def _time(value: Any) -> int:
    if isinstance(value, str):
        return parse_time(value)
    raise BadValue(_NO_UNIT.fill(value=repr(value), hint=TIME_HINT))


def _milli(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadValue(say("{value} is not a number", "{value} 不是数字", value=repr(value)))
    if abs(value) > _MOST:
        raise BadValue(say("{value} is too large", "{value} 过大", value=value))
    milli = round(value * 1000)
    if abs(milli - value * 1000) > 1e-6:
        raise BadValue(say("{value} has more than three decimals", "{value} 的精度超过千分之一", value=value))
    return milli


def _gpus(value: Any) -> int:
    milli = _milli(value)
    if milli > 1000 and milli % 1000:
        raise BadValue(
            say(
                "{value} GPUs: above 1, only whole GPUs are possible; a share of one GPU is between 0 and 1",
                "{value} 卡：超过 1 卡时只能整卡申请；不足 1 卡时须在 0 与 1 之间",
                value=value,
            )
        )
    return milli


def _nodes(value: Any) -> int:
    if value == "auto":
        return AUTO
    if isinstance(value, bool) or not isinstance(value, int):
        raise PydanticKnownError("int_type")
    if value < 1:
        raise PydanticKnownError("greater_than_equal", {"ge": 1})
    return value


def _bytes(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _size(value)


def plain_number(milli: int) -> int | float:
    return milli // 1000 if milli % 1000 == 0 else milli / 1000


Size = Annotated[
    int,
    BeforeValidator(_size),
    PlainSerializer(exact_size),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "pattern": _SIZE_PATTERN, "examples": ["64GiB"]}, {"const": 0}]}
    ),
]
SizeOrPart = Annotated[
    int,
    BeforeValidator(_size_or_part),
    PlainSerializer(lambda size: f"{-size}%" if size < 0 else exact_size(size)),
    WithJsonSchema({"anyOf": [{"type": "string", "examples": ["90%", "100GiB"]}, {"const": 0}]}),
]
"""A size, or a part of the disk it is about: negative, in percent."""
SizeOrTrue = Annotated[
    int,
    BeforeValidator(_own_size),
    PlainSerializer(lambda size: exact_size(size) if size else True),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "pattern": _SIZE_PATTERN, "examples": ["50GiB"]}, {"const": True}]}
    ),
]
Duration = Annotated[
    int,
    BeforeValidator(_time),
    PlainSerializer(show_time),
    WithJsonSchema({"type": "string", "pattern": r"^([0-9.]+ ?(ms|s|m|h|d|w) ?)+$", "examples": ["6h"]}),
]
Cpus = Annotated[
    int,
    BeforeValidator(_milli),
    PlainSerializer(plain_number),
    WithJsonSchema({"type": "number", "minimum": 0.001}),
]
Gpus = Annotated[
    int,
    BeforeValidator(_gpus),
    PlainSerializer(plain_number),
    WithJsonSchema({"type": "number", "minimum": 0}),
]
NodeCount = Annotated[
    int,
    BeforeValidator(_nodes),
    PlainSerializer(lambda nodes: nodes or "auto"),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"const": "auto"}]}),
]
Count = Annotated[
    int,
    BeforeValidator(_milli),
    PlainSerializer(plain_number),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": _MOST}),
]
"""GPUs or CPUs of many tasks together, with up to three decimals."""
Bytes = Annotated[
    int,
    BeforeValidator(_bytes),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": _SIZE_PATTERN},
                {"type": "integer", "minimum": 0, "maximum": 2**60},
            ]
        }
    ),
]
"""Memory of many tasks together, as programs or as people write it."""
