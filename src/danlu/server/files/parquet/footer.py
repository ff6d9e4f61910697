"""The end of a Parquet file: its schema, and where the first groups of rows are."""

from __future__ import annotations

from typing import Any, NamedTuple

from danlu.ports.files import OpenContent
from danlu.server.files.parquet.schema import Column, columns_of
from danlu.server.files.parquet.thrift import Compact

_MAGIC = b"PAR1"
_LONGEST_END = 8 << 20
_SCHEMA, _ROWS, _GROUPS = 2, 3, 4
_META, _CODEC, _TOTAL, _DATA_AT, _DICTIONARY_AT = 3, 4, 7, 9, 11


class Chunk(NamedTuple):
    """The values of one leaf in a group of rows: bytes `at` to `end`, compressed by `codec`."""

    at: int
    end: int
    codec: int


class RowGroup(NamedTuple):
    chunks: list[Chunk | None]
    rows: int


class Footer(NamedTuple):
    columns: list[Column]
    rows: int
    groups: list[RowGroup]


def read_footer(content: OpenContent, most_groups: int) -> Footer:
    tail = content.read(content.size - 8, 8) if content.size > 12 else b""
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or not 0 < length <= min(_LONGEST_END, content.size - 12):
        raise ValueError("no Parquet file")
    data = read_all(content, content.size - 8 - length, length)
    # Millions of groups of rows are no reason to read more of them than are shown.
    found = Compact(data).struct(until=_GROUPS, most_of_last=most_groups)
    groups = [_group(one, content.size) for one in found.get(_GROUPS, [])]
    return Footer(columns_of(found.get(_SCHEMA, [])), int(found.get(_ROWS, 0)), groups)


def read_all(content: OpenContent, at: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += content.read(at + len(data), count - len(data))
    return data


def _group(told: dict[int, Any], size: int) -> RowGroup:
    return RowGroup([_chunk(one.get(_META), size) for one in told.get(1, [])], max(0, int(told.get(3, 0))))


def _chunk(told: dict[int, Any] | None, size: int) -> Chunk | None:
    """None where it is in another file, or encrypted."""
    if told is None or _DATA_AT not in told:
        return None
    data, dictionary = int(told[_DATA_AT]), int(told.get(_DICTIONARY_AT, 0))
    at = dictionary if 0 < dictionary < data else data
    end = at + int(told.get(_TOTAL, 0))
    return Chunk(at, end, int(told.get(_CODEC, 0))) if len(_MAGIC) <= at < end <= size else None
