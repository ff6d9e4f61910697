"""Scalars out of TensorBoard's event files, as they grow; no protocol buffers needed.

A file is a row of records: length, a check of it, an `Event`, and its check. An `Event` holds the time, the step and a
summary; what of that is a number by name becomes a point, all else is passed over."""

from __future__ import annotations

import os
import struct
from typing import Iterator, NamedTuple

from danlu.ports import beneath
from danlu.ports.reports import LARGEST_STEP, ReportedPoint, is_name

NAME = "events.out.tfevents."
LARGEST_RECORD = 256 << 10
"""Longer records hold images or graphs, never a number alone."""

_HEAD, _CHECK = 12, 4
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class EventFile:
    """One file, read from where the last look ended. What is torn waits for its rest; what is garbage ends it."""

    def __init__(self, path: str, prefix: str = "") -> None:
        self.path = path
        self.over = False
        """Whether nothing more can come of it: it is gone, or is no file of events."""
        self._prefix = prefix
        self._offset = 0

    def read(self, limit: int) -> tuple[list[ReportedPoint], int]:
        """The points in the next `limit` bytes or so, and how many bytes they took; 0: nothing new."""
        try:
            fd = beneath.open_file("/", os.path.abspath(self.path))
        except OSError:
            self.over = True
            return [], 0
        try:
            return self._read(fd, max(limit, LARGEST_RECORD + _HEAD + _CHECK))
        except OSError:
            return [], 0
        finally:
            os.close(fd)

    def _read(self, fd: int, limit: int) -> tuple[list[ReportedPoint], int]:
        size = os.fstat(fd).st_size
        begin = self._offset = self._offset if self._offset <= size else 0
        data = os.pread(fd, limit, begin)
        points: list[ReportedPoint] = []
        at = 0
        while at + _HEAD <= len(data):
            length, check = struct.unpack_from("<QI", data, at)
            if _masked(crc32c(data[at : at + 8])) != check:
                self.over = True
                break
            end = at + _HEAD + length + _CHECK
            if end > len(data) and (length <= LARGEST_RECORD or begin + end > size):
                break
            if length <= LARGEST_RECORD:
                points += points_of(data[at + _HEAD : end - _CHECK], self._prefix)
            at = end
        self._offset = begin + at
        return points, at


def points_of(event: bytes, prefix: str = "") -> list[ReportedPoint]:
    """The numbers that an event tells of, as one point or none."""
    time, step = 0.0, 0
    values: dict[str, float] = {}
    try:
        for field in _fields(event):
            if field.number == 1 and field.kind == _FIXED64:
                time = struct.unpack("<d", field.data)[0]
            elif field.number == 2 and field.kind == _VARINT:
                step = field.value - (1 << 64) if field.value >> 63 else field.value
            elif field.number == 5 and field.kind == _BYTES:
                values.update(_values(field.data, prefix))
        at = int(time * 1000)
    except (_Garbage, struct.error, ValueError, OverflowError):
        return []
    sensible = 0 <= at < LARGEST_STEP and abs(step) <= LARGEST_STEP
    return [ReportedPoint(at, step, values)] if values and sensible else []


def crc32c(data: bytes) -> int:
    """The checksum of Castagnoli."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


# ── protocol buffers, as far as events need them ─────────────────────────────────────────────────────


class _Garbage(Exception):
    """These bytes are no message."""


class _Field(NamedTuple):
    number: int
    kind: int
    value: int
    data: bytes


def _fields(message: bytes) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield _Field(number, kind, value, b"")
            continue
        if kind == _BYTES:
            length, at = _varint(message, at)
        elif kind in (_FIXED64, _FIXED32):
            length = 8 if kind == _FIXED64 else 4
        else:
            raise _Garbage
        if at + length > len(message):
            raise _Garbage
        yield _Field(number, kind, 0, message[at : at + length])
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
    raise _Garbage


def _values(summary: bytes, prefix: str) -> Iterator[tuple[str, float]]:
    for field in _fields(summary):
        if field.number == 1 and field.kind == _BYTES:
            name, number = _value(field.data)
            name = prefix + name
            if number is not None and is_name(name):
                yield name, number


def _value(message: bytes) -> tuple[str, float | None]:
    name, number = "", None
    for field in _fields(message):
        if field.number == 1 and field.kind == _BYTES:
            name = field.data.decode("utf-8", "replace")
        elif field.number == 2 and field.kind == _FIXED32:
            number = struct.unpack("<f", field.data)[0]
        elif field.number == 8 and field.kind == _BYTES:
            number = _scalar(field.data)
    return name, number


# Of a tensor's types those that are numbers: how one lies in `tensor_content`, and the field it may be in instead.
_TYPES = {1: ("<f", 5), 2: ("<d", 6), 3: ("<i", 7), 9: ("<q", 10), 19: ("<e", 0)}


def _scalar(tensor: bytes) -> float | None:
    """The number in a tensor without dimensions; None for any other."""
    kind, content, typed = 0, b"", {}
    for field in _fields(tensor):
        if field.number == 1 and field.kind == _VARINT:
            kind = field.value
        elif field.number == 2 and field.kind == _BYTES and field.data:
            return None
        elif field.number == 4:
            content = field.data
        else:
            typed[field.number] = field
    if kind not in _TYPES:
        return None
    form, number = _TYPES[kind]
    if len(content) == struct.calcsize(form):
        return float(struct.unpack(form, content)[0])
    return _typed(form, typed[number]) if number in typed else None


def _typed(form: str, field: _Field) -> float | None:
    """A lone number of a repeated field, packed or not."""
    if form in ("<f", "<d"):
        return float(struct.unpack(form, field.data)[0]) if len(field.data) == struct.calcsize(form) else None
    value, end = (field.value, 0) if field.kind == _VARINT else _varint(field.data, 0)
    if end != len(field.data):
        return None
    return float(value - (1 << 64) if value >> 63 else value)


def _masked(crc: int) -> int:
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _table()
