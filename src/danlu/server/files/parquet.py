"""The end of a Parquet file: its columns and how many rows it has, read from what anybody may have written."""

from __future__ import annotations

from typing import Any

from danlu.ports.files import OpenContent

_MAGIC = b"PAR1"
_LONGEST_END = 8 << 20
_MOST_COLUMNS = 10_000
_DEEPEST = 16
_SCHEMA, _ROWS = 2, 3
_TYPE, _NAME, _CHILDREN, _MEANING = 1, 4, 5, 6
_TYPES = ("boolean", "int32", "int64", "int96", "float", "double", "bytes", "fixed bytes")
_MEANINGS = {
    0: "text",
    1: "map",
    3: "list",
    5: "decimal",
    6: "date",
    9: "timestamp",
    10: "timestamp",
    19: "json",
}


def parquet_columns(content: OpenContent) -> tuple[list[tuple[str, str]], int]:
    """Names and types of the columns, and the number of rows; ValueError for anything else."""
    tail = content.read(content.size - 8, 8) if content.size > 12 else b""
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or not 0 < length <= min(_LONGEST_END, content.size - 12):
        raise ValueError("no Parquet file")
    data = b""
    while len(data) < length:
        data += content.read(content.size - 8 - length + len(data), length - len(data))
    try:
        found = _Compact(data).struct(until=_ROWS)
        schema = found.get(_SCHEMA, [])
        # The first element is the root; only leaves have a type, and what is nested is told by its outermost name.
        return [_column(one) for one in _top(schema)], int(found.get(_ROWS, 0))
    except (IndexError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise ValueError("a broken Parquet file") from error


def _top(schema: list[dict[int, Any]]) -> list[dict[int, Any]]:
    """The elements right below the root; the list has each before what is in it."""
    found, inside = [], 0
    for one in schema[1:]:
        if inside == 0:
            found.append(one)
        else:
            inside -= 1
        inside += int(one.get(_CHILDREN, 0))
    return found


def _column(one: dict[int, Any]) -> tuple[str, str]:
    name = one[_NAME].decode("utf-8", "replace") if _NAME in one else "?"
    meaning = _MEANINGS.get(one.get(_MEANING, -1))
    plain = _TYPES[one[_TYPE]] if _TYPE in one and 0 <= one[_TYPE] < len(_TYPES) else "group"
    return name, meaning or plain


class _Compact:
    """Reads Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self, until: int | None = None, depth: int = 0) -> dict[int, Any]:
        """Fields by number; no more of them once `until` was read."""
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        found: dict[int, Any] = {}
        last = 0
        while head := self._byte():
            last = last + (head >> 4) if head >> 4 else self._zigzag()
            found[last] = self._value(head & 15, depth)
            if last == until:
                break
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self._byte()
        if kind in (4, 5, 6):
            return self._zigzag()
        if kind == 7:
            return self._bytes(8)
        if kind == 8:
            return self._bytes(self._varint())
        if kind in (9, 10):
            return self._list(depth)
        if kind == 12:
            return self.struct(depth=depth + 1)
        raise ValueError("an unknown type")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count, kind = head >> 4, head & 15
        count = self._varint() if count == 15 else count
        if count > _MOST_COLUMNS or depth > _DEEPEST:
            raise ValueError("too many elements")
        if kind in (1, 2):
            return [self._byte() == 1 for _ in range(count)]
        return [self._value(kind, depth + 1) for _ in range(count)]

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > len(self._data) - self._at:
            raise ValueError("cut")
        self._at += count
        return self._data[self._at - count : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError("a number that is too long")

    def _zigzag(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
