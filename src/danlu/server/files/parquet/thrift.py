"""Thrift's compact protocol, as Parquet's headers have it; read from what anybody may have written."""

from __future__ import annotations

from typing import Any

_MOST_ELEMENTS = 10_000
_DEEPEST = 16
_MOST_VALUES = 2_000_000
"""In all: one that takes a byte in a file takes a hundred in memory."""


class Compact:
    """IndexError or ValueError where the data is cut or makes no sense. `at` is how far it was read."""

    def __init__(self, data: bytes) -> None:
        self._data, self.at = data, 0
        self._left = _MOST_VALUES

    def struct(
        self, until: int | None = None, depth: int = 0, most_of_last: int | None = None
    ) -> dict[int, Any]:
        """Fields by number; no more of them once `until` was read, a list, of which `most_of_last` elements are."""
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        found: dict[int, Any] = {}
        last = 0
        while head := self._byte():
            last = last + (head >> 4) if head >> 4 else self._zigzag()
            self._left -= 1
            if self._left < 0:
                raise ValueError("too many fields")
            if last == until:
                found[last] = self._list(depth, most_of_last)
                break
            found[last] = self._value(head & 15, depth)
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

    def _list(self, depth: int, most: int | None = None) -> list[Any]:
        head = self._byte()
        count, kind = head >> 4, head & 15
        count = self._varint() if count == 15 else count
        count = count if most is None else min(count, most)
        self._left -= count
        if count > _MOST_ELEMENTS or depth > _DEEPEST or self._left < 0:
            raise ValueError("too many elements")
        if kind in (1, 2):
            return [self._byte() == 1 for _ in range(count)]
        return [self._value(kind, depth + 1) for _ in range(count)]

    def _byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > len(self._data) - self.at:
            raise ValueError("cut")
        self.at += count
        return self._data[self.at - count : self.at]

    def _varint(self) -> int:
        value, self.at = varint(self._data, self.at)
        return value

    def _zigzag(self) -> int:
        value, self.at = zigzag(self._data, self.at)
        return value


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where what follows it begins."""
    value = shift = 0
    while shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("a number that is too long")


def zigzag(data: bytes, at: int) -> tuple[int, int]:
    value, at = varint(data, at)
    return (value >> 1) ^ -(value & 1), at
