"""Values of Parquet as they are shown: what numbers and bytes stand for."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from danlu.server.files.parquet.schema import INT96, Leaf

_SHOWN_BYTES = 32
_LONGEST_TEXT = 4_000
_DAY_ONE = date(1970, 1, 1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_JULIAN_EPOCH = 2_440_588
_UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}


def shower(leaf: Leaf) -> Callable[[Any], Any]:
    one = _of(leaf)

    def show(value: Any) -> Any:
        if isinstance(value, list):
            return [show(each) for each in value]
        return None if value is None else one(value)

    return show


def _of(leaf: Leaf) -> Callable[[Any], Any]:
    if leaf.meaning in _UNSIGNED:
        mask = (1 << _UNSIGNED[leaf.meaning]) - 1
        return lambda value: value & mask
    known: dict[str, Callable[[Any], Any]] = {
        "text": _text,
        "json": _text,
        "decimal": lambda value: _decimal(value, leaf.scale),
        "date": _date,
        "time": lambda value: _time(value, leaf.unit),
        "timestamp": lambda value: _timestamp(value, leaf),
        "uuid": lambda value: str(uuid.UUID(bytes=value)),
        "float16": lambda value: struct.unpack("<e", value)[0],
    }
    return known.get(leaf.meaning, _plain)


def _plain(value: Any) -> Any:
    """Bytes that read as text are some: old writers do not say so."""
    if not isinstance(value, bytes):
        return value
    try:
        text = value[:_LONGEST_TEXT].decode()
    except UnicodeDecodeError:
        text = "\0"
    if text.isprintable():
        return text
    shown = value[:_SHOWN_BYTES].hex()
    return f"0x{shown}" + (f"… ({len(value):,} B)" if len(value) > _SHOWN_BYTES else "")


def _text(value: bytes) -> str:
    return value[:_LONGEST_TEXT].decode("utf-8", "replace")


def _decimal(value: int | bytes, scale: int) -> str:
    if not 0 <= scale <= 1_000:
        raise ValueError("a scale that makes no sense")
    whole = int.from_bytes(value[:64], "big", signed=True) if isinstance(value, bytes) else value
    sign, digits = int(whole < 0), tuple(map(int, str(abs(whole))))
    return format(Decimal((sign, digits, -scale)), "f")


def _date(value: int) -> Any:
    try:
        return (_DAY_ONE + timedelta(days=value)).isoformat()
    except OverflowError:
        return value


def _time(value: int, unit: int) -> Any:
    seconds, parts = divmod(value, unit)
    if not 0 <= seconds < 86_400:
        return value
    moment = time(seconds // 3600, seconds // 60 % 60, seconds % 60).isoformat()
    return moment + _fraction(parts, unit)


def _timestamp(value: int | bytes, leaf: Leaf) -> Any:
    unit = leaf.unit
    if leaf.type == INT96:
        assert isinstance(value, bytes)
        nanoseconds, day = struct.unpack("<qI", value)
        value, unit = (day - _JULIAN_EPOCH) * 86_400 * 10**9 + nanoseconds, 10**9
    assert isinstance(value, int)
    seconds, parts = divmod(value, unit)
    try:
        moment = (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat(" ")
    except OverflowError:
        return value
    return moment + _fraction(parts, unit) + ("Z" if leaf.zoned else "")


def _fraction(parts: int, unit: int) -> str:
    digits = len(str(unit)) - 1
    return f".{parts:0{digits}}" if parts else ""
