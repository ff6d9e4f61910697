"""TensorBoard's event files, byte by byte."""

from __future__ import annotations

import struct

from danlu.runtime.training.tensorboard import crc32c


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    return head + _check(head) + data + b"\0\0\0\0"


def event(step: int, *values: bytes, time: float = 1_700_000_000.5) -> bytes:
    summary = b"".join(_bytes(1, value) for value in values)
    return b"\x09" + struct.pack("<d", time) + b"\x10" + _varint(step) + _bytes(5, summary)


def scalar(name: str, value: float) -> bytes:
    return _bytes(1, name.encode()) + b"\x15" + struct.pack("<f", value)


def tensor(
    name: str, kind: int, content: bytes = b"", typed: tuple[int, bytes] | None = None, shape: bytes = b""
) -> bytes:
    data = b"\x08" + _varint(kind) + _bytes(2, shape)
    data += _bytes(4, content) if content else b""
    data += _bytes(*typed) if typed else b""
    return _bytes(1, name.encode()) + _bytes(8, data)


def _bytes(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    data = b""
    while value > 0x7F:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def _check(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)
