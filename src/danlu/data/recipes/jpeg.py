"""JPEGs of squares of one colour, eight pixels wide: each is only its mean, so a few lines write them.

Baseline JPEG with three components, no subsampling, quantization by one and the standard table for means."""

from __future__ import annotations

import struct
from collections.abc import Sequence

SQUARE = 8
Colour = tuple[int, int, int]
# How many codes there are of each length, from ISO/IEC 10918-1, table K.3; the symbols are 0 … 11 in their order.
_LENGTHS = (0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
_END = (0, 1)
"""The code for "nothing but zeros", of the table below: the only one that it needs."""


def jpeg(squares: Sequence[Sequence[Colour]]) -> bytes:
    """Rows of squares."""
    height, width = len(squares) * SQUARE, len(squares[0]) * SQUARE
    head = [
        b"\xff\xd8",
        _part(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
        _part(0xDB, b"\0" + b"\x01" * 64),
        _part(0xC0, struct.pack(">BHHB", 8, height, width, 3) + b"\x01\x11\0\x02\x11\0\x03\x11\0"),
        _part(0xC4, b"\0" + bytes(_LENGTHS) + bytes(range(12))),
        _part(0xC4, b"\x10" + bytes((1, *[0] * 15)) + b"\0"),
        _part(0xDA, b"\x03\x01\0\x02\0\x03\0\0\x3f\0"),
    ]
    return b"".join(head) + _scan(squares) + b"\xff\xd9"


def _codes() -> tuple[tuple[int, int], ...]:
    """Code and length of each symbol."""
    codes, code = [], 0
    for length, count in enumerate(_LENGTHS, 1):
        for _ in range(count):
            codes.append((code, length))
            code += 1
        code <<= 1
    return tuple(codes)


_CODES = _codes()


def _scan(squares: Sequence[Sequence[Colour]]) -> bytes:
    bits = count = 0
    out = bytearray()
    last = [0, 0, 0]
    for row in squares:
        for colour in row:
            for component, value in enumerate(_mean(colour)):
                for code, length in _coded(value - last[component]):
                    bits, count = bits << length | code, count + length
                last[component] = value
            while count >= 8:
                count -= 8
                byte = bits >> count & 0xFF
                out += bytes((byte, 0)) if byte == 0xFF else bytes((byte,))
            bits &= (1 << count) - 1
    if count:
        byte = (bits << 8 - count | (1 << 8 - count) - 1) & 0xFF
        out += bytes((byte, 0)) if byte == 0xFF else bytes((byte,))
    return bytes(out)


def _mean(colour: Colour) -> tuple[int, int, int]:
    """Of the 64 values of luma and chroma, shifted and scaled as their transform does it."""
    red, green, blue = colour
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    around = (luma - 128, (blue - luma) * 0.564, (red - luma) * 0.713)
    return round(around[0] * 8), round(around[1] * 8), round(around[2] * 8)


def _coded(difference: int) -> tuple[tuple[int, int], ...]:
    """Its number of bits, the bits (below 0: inverted), and that nothing else is there."""
    size = abs(difference).bit_length()
    bits = difference if difference >= 0 else difference + (1 << size) - 1
    return (_CODES[size], (bits, size), _END)


def _part(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data
