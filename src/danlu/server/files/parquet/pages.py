"""The pages of a column of a Parquet file: decompressed within bounds, and their values put back in their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import cramjam

from danlu.ports.files import OpenContent
from danlu.server.files.parquet import encodings
from danlu.server.files.parquet.footer import Chunk, read_all
from danlu.server.files.parquet.schema import Leaf
from danlu.server.files.parquet.thrift import Compact

_LARGEST_PAGE = 16 << 20
_LONGEST_HEADER = 64 << 10
_EACH_PAGE = 8 << 10
"""What a page costs besides its bytes: there may be millions that hold nothing."""
_FULL, _PACKED, _DATA, _DICTIONARY, _DATA_2 = 2, 3, 5, 7, 8
_PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 2, 3, 8
_MISSING = object()
_Inflate = Callable[[bytes, bytearray], int]
_CODECS: dict[int, _Inflate] = {
    1: cramjam.snappy.decompress_raw_into,
    2: cramjam.gzip.decompress_into,
    4: cramjam.brotli.decompress_into,
    6: cramjam.zstd.decompress_into,
    7: cramjam.lz4.decompress_block_into,
}


class Unread(ValueError):
    """Values that are not read here, or too large."""


@dataclass
class PreviewBudget:
    """What one preview may read, and how many values it may look at, over all its columns."""

    data: int = 64 << 20
    values: int = 400_000

    def take(self, data: int = 0, values: int = 0) -> None:
        self.data -= data
        self.values -= values
        if self.data < 0 or self.values < 0:
            raise Unread("beyond the bounds of a preview")


def first_values(
    content: OpenContent, chunk: Chunk | None, leaf: Leaf, rows: int, budget: PreviewBudget
) -> list[Any]:
    """One for each row, fewer only if the chunk has fewer; lists where there are lists."""
    if chunk is None:
        raise Unread("elsewhere")
    found: list[Any] = []
    for levels, values in _Pages(content, chunk, leaf, budget).read(lambda: rows - len(found)):
        _place(found, levels, values, leaf, rows)
        # A list may go on in the next page.
        if len(found) > rows or (len(found) == rows and leaf.present is None):
            break
    return found[:rows]


def _place(
    found: list[Any], levels: Iterator[tuple[int, int]], values: Iterator[Any], leaf: Leaf, rows: int
) -> None:
    for repeated, level in levels:
        value = next(values, _MISSING) if level == leaf.levels else None
        if value is _MISSING:
            raise Unread("a page with too few values")
        if leaf.present is None:
            found.append(value)
        elif repeated == 0:
            found.append(None if level < leaf.present - 1 else [] if level < leaf.present else [value])
        else:
            found[-1].append(value)
        if len(found) > rows:
            return


class _Pages:
    def __init__(self, content: OpenContent, chunk: Chunk, leaf: Leaf, budget: PreviewBudget) -> None:
        self._content, self._chunk, self._leaf, self._budget = content, chunk, leaf, budget
        self._dictionary = b""
        self._words = 0

    def read(self, wanted: Callable[[], int]) -> Iterator[tuple[Iterator[tuple[int, int]], Iterator[Any]]]:
        """Of each page the levels of its values, and those that are there."""
        at = self._chunk.at
        while at < self._chunk.end:
            window = self._content.read(at, min(_LONGEST_HEADER, self._chunk.end - at))
            reader = Compact(window)
            header = reader.struct()
            at += reader.at
            packed, full = int(header[_PACKED]), int(header[_FULL])
            if not (0 <= packed <= min(_LARGEST_PAGE, self._chunk.end - at) and 0 <= full <= _LARGEST_PAGE):
                raise Unread("too large a page")
            self._budget.take(_EACH_PAGE + packed + full)
            body = read_all(self._content, at, packed)
            at += packed
            if _DICTIONARY in header:
                self._dictionary = self._inflated(body, full)
                self._words = int(header[_DICTIONARY][1])
            elif _DATA in header:
                yield self._first_kind(self._inflated(body, full), header[_DATA], wanted())
            elif _DATA_2 in header:
                yield self._second_kind(body, full, header[_DATA_2], wanted())

    def _inflated(self, body: bytes, full: int) -> bytes:
        if self._chunk.codec == 0:
            return body
        if self._chunk.codec not in _CODECS:
            raise Unread("an unknown compression")
        if full == 0:
            return b""
        room = bytearray(full)
        try:
            made = _CODECS[self._chunk.codec](body, room)
        except cramjam.DecompressionError as error:
            raise Unread("a broken page") from error
        return bytes(room[:made])

    def _first_kind(
        self, body: bytes, header: dict[int, Any], wanted: int
    ) -> tuple[Iterator[tuple[int, int]], Iterator[Any]]:
        """Levels and values are compressed together."""
        at, parts = 0, []
        for most in (1 if self._leaf.present is not None else 0, self._leaf.levels):
            if most:
                length = int.from_bytes(body[at : at + 4], "little")
                parts.append(body[at + 4 : at + 4 + length])
                at += 4 + length
            else:
                parts.append(b"")
        if self._leaf.levels and header.get(3, _RLE) != _RLE:
            raise Unread("levels of an old kind")
        return self._decoded(parts[0], parts[1], body[at:], int(header[1]), int(header[2]), wanted)

    def _second_kind(
        self, body: bytes, full: int, header: dict[int, Any], wanted: int
    ) -> tuple[Iterator[tuple[int, int]], Iterator[Any]]:
        """Levels stand before what is compressed."""
        levels, repeats = int(header[5]), int(header[6])
        if levels < 0 or repeats < 0 or levels + repeats > min(len(body), full):
            raise Unread("broken levels")
        data = body[levels + repeats :]
        if header.get(7, True):
            data = self._inflated(data, full - levels - repeats)
        told = body[repeats : levels + repeats]
        return self._decoded(body[:repeats], told, data, int(header[1]), int(header[4]), wanted)

    def _decoded(
        self, repeats: bytes, told: bytes, data: bytes, count: int, encoding: int, wanted: int
    ) -> tuple[Iterator[tuple[int, int]], Iterator[Any]]:
        leaf = self._leaf
        if leaf.present is None:
            count = min(count, wanted)
        levels = encodings.levels(told, leaf.levels, count)
        repeated = encodings.levels(repeats, 1 if leaf.present is not None else 0, count)
        return self._counted(zip(repeated, levels, strict=False)), self._values(data, encoding, count)

    def _counted(self, levels: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        for one in levels:
            self._budget.take(values=1)
            yield one

    def _values(self, data: bytes, encoding: int, count: int) -> Iterator[Any]:
        leaf, count = self._leaf, min(count, self._budget.values)
        if encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY):
            places = list(encodings.hybrid(data[1:], data[0], count)) if data else []
            words = min(self._words, max(places, default=-1) + 1)
            self._budget.take(values=words)
            known = list(islice(encodings.plain(self._dictionary, leaf.type, leaf.length), words))
            return (known[place] for place in places)
        self._budget.take(values=encodings.values_at_once(data, encoding))
        return encodings.decoded(data, encoding, leaf.type, leaf.length, count)
