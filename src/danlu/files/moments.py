"""Moments as people write them in files: RFC 3339, milliseconds since 1970, or how long ago."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from danlu.domain.job import Time
from danlu.domain.quantity import parse_time, show_time
from danlu.domain.words import BadValue, Words

LATEST = 32_503_680_000_000
"""The year 3000."""
HINT = Words(
    "write 2026-01-31T12:00:00Z, milliseconds since 1970, or -2h for two hours ago",
    "请写成 2026-01-31T12:00:00Z、1970 年以来的毫秒数，或用 -2h 表示两小时前",
)
_NO_MOMENT = Words("{value} is not a valid time{why}; {hint}", "{value} 不是有效的时间{why}；{hint}")

_MILLIS = re.compile(r"[0-9]{1,15}")
_ZONED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, or (`ago`) so many milliseconds from another: below zero, before it."""

    millis: int
    ago: bool = False

    def seen(self, now: Time) -> Time:
        return now + self.millis if self.ago else self.millis

    def __str__(self) -> str:
        return f"-{show_time(-self.millis)}" if self.ago else show_moment(self.millis)


def show_moment(time: Time) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_moment(value: Any) -> Moment:
    """ValueError says what was expected."""
    if isinstance(value, Moment):
        return value
    if isinstance(value, str) and _MILLIS.fullmatch(value):
        value = int(value)  # as a query has it
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= LATEST:
            raise BadValue(_NO_MOMENT.fill(value=value, why="", hint=HINT))
        return Moment(value)
    if isinstance(value, str) and value.startswith("-"):
        return Moment(-parse_time(value[1:]), ago=True)
    if isinstance(value, str) and _ZONED.fullmatch(value):
        try:
            time = datetime.fromisoformat(value.upper())
        except ValueError as why:
            raise BadValue(_NO_MOMENT.fill(value=f"'{value}'", why=f" ({why})", hint=HINT)) from None
        return Moment(round(time.timestamp() * 1000))
    raise BadValue(_NO_MOMENT.fill(value=f"'{value}'", why="", hint=HINT))


WrittenMoment = Annotated[
    Moment,
    PlainValidator(parse_moment),
    PlainSerializer(str),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "examples": ["2026-01-31T12:00:00Z", "-2h"]},
                {"type": "integer", "minimum": 0, "maximum": LATEST},
            ]
        }
    ),
]
