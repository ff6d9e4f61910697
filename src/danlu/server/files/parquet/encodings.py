"""How Parquet writes values down: plainly, as runs, as differences. All is decoded as far as it is asked for."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice, repeat
from typing import Any

from danlu.server.files.parquet.thrift import varint, zigzag

_BOOLEAN, _BYTES, _FIXED = 0, 6, 7
_WIDTHS = {1: 4, 2: 8, 3: 12, 4: 4, 5: 8}
_FORMATS = {1: "<i", 2: "<q", 4: "<f", 5: "<d"}
_PLAIN, _RLE, _DELTA, _DELTA_LENGTHS, _DELTA_BYTES, _SPLIT = 0, 3, 5, 6, 7, 9
_WIDEST = 64
_MOST_DIFFERENCES = 200_000
_MOST_REPEATED = 32 << 20


def decoded(data: bytes, encoding: int, type_: int, length: int, count: int) -> Iterator[Any]:
    """ValueError for an encoding that is not known."""
    if encoding == _PLAIN:
        return plain(data, type_, length)
    if encoding == _RLE and type_ == _BOOLEAN:
        return map(bool, hybrid(data[4:], 1, count))
    if encoding == _DELTA and type_ in (1, 2):
        return iter(_differences(data, 32 if type_ == 1 else 64)[0])
    if encoding == _DELTA_LENGTHS:
        return _by_lengths(data)
    if encoding == _DELTA_BYTES:
        return _by_prefixes(data)
    if encoding == _SPLIT and type_ != _BOOLEAN:
        width = _WIDTHS.get(type_, length)
        each = len(data) // width
        return plain(b"".join(data[at::each] for at in range(min(count, each))), type_, width)
    raise ValueError("an unknown encoding")


def values_at_once(data: bytes, encoding: int) -> int:
    """How many values are decoded at once, whether they are asked for or not: differences need those before them."""
    if encoding not in (_DELTA, _DELTA_LENGTHS, _DELTA_BYTES):
        return 0
    _, at = varint(data, 0)
    _, at = varint(data, at)
    return varint(data, at)[0]


def plain(data: bytes, type_: int, length: int) -> Iterator[Any]:
    """Until the data ends."""
    if type_ == _BOOLEAN:
        for byte in data:
            yield from (bool(byte >> bit & 1) for bit in range(8))
    elif type_ == _BYTES:
        at = 0
        while at + 4 <= len(data):
            size = int.from_bytes(data[at : at + 4], "little")
            yield data[at + 4 : at + 4 + size]
            at += 4 + size
    else:
        width = _WIDTHS.get(type_, length)
        for at in range(0, len(data) - width + 1, width):
            piece = data[at : at + width]
            yield struct.unpack(_FORMATS[type_], piece)[0] if type_ in _FORMATS else piece


def levels(data: bytes, most: int, count: int) -> Iterator[int]:
    """Numbers up to `most`; where nothing can be missing they are not written down."""
    return hybrid(data, most.bit_length(), count) if most else repeat(0, count)


def hybrid(data: bytes, width: int, count: int) -> Iterator[int]:
    """Numbers of `width` bits, by turns a run of the same one and a stretch of packed ones."""
    return islice(_runs(data, width), max(0, count))


def _runs(data: bytes, width: int) -> Iterator[int]:
    if not 0 <= width <= 32:
        raise ValueError("numbers that are too wide")
    at, bytes_each = 0, (width + 7) // 8
    while at < len(data):
        head, at = varint(data, at)
        if head & 1:
            size = (head >> 1) * width
            yield from _packed(data[at : at + size], width, (head >> 1) * 8)
            at += size
        else:
            yield from repeat(int.from_bytes(data[at : at + bytes_each], "little"), head >> 1)
            at += bytes_each


def _packed(data: bytes, width: int, count: int) -> Iterator[int]:
    mask = (1 << width) - 1
    for number in range(count if width == 0 else min(count, len(data) * 8 // width)):
        first = number * width
        piece = int.from_bytes(data[first // 8 : (first + width + 7) // 8], "little")
        yield piece >> first % 8 & mask


def _differences(data: bytes, bits: int) -> tuple[list[int], int]:
    """Numbers written as what each adds to the one before it, and where what follows them begins."""
    block, at = varint(data, 0)
    parts, at = varint(data, at)
    total, at = varint(data, at)
    value, at = zigzag(data, at)
    if not (0 < parts <= block <= _MOST_DIFFERENCES and block % parts == 0 and total <= _MOST_DIFFERENCES):
        raise ValueError("differences that make no sense")
    found, wrap, half = ([value] if total else []), (1 << bits) - 1, 1 << (bits - 1)
    while len(found) < total:
        least, at = zigzag(data, at)
        widths = data[at : at + parts]
        at += parts
        for width in widths:
            if len(found) == total:
                break
            if width > _WIDEST:
                raise ValueError("numbers that are too wide")
            size = block // parts * width // 8
            piece = data[at : at + size]
            if len(piece) < size:
                raise ValueError("cut")
            at += size
            for more in islice(_packed(piece, width, block // parts), total - len(found)):
                value = ((value + least + more + half) & wrap) - half
                found.append(value)
        if len(widths) < parts:
            raise ValueError("cut")
    return found, at


def _by_lengths(data: bytes) -> Iterator[bytes]:
    lengths, at = _differences(data, 32)
    for length in lengths:
        if length < 0:
            raise ValueError("a length below nothing")
        yield data[at : at + length]
        at += length


def _by_prefixes(data: bytes) -> Iterator[bytes]:
    """Each begins as the one before it did, so many bytes long: a few bytes may stand for many."""
    prefixes, at = _differences(data, 32)
    before, repeated = b"", 0
    for prefix, rest in zip(prefixes, _by_lengths(data[at:]), strict=False):
        repeated += max(0, prefix)
        if repeated > _MOST_REPEATED:
            raise ValueError("values that are too long")
        before = before[: max(0, prefix)] + rest
        yield before
