"""Names in order, in bounded memory however many there are."""

from __future__ import annotations

import heapq
import itertools
import struct
import tempfile
from typing import IO, Iterable, Iterator

MOST_HELD = 200_000
_LENGTH = struct.Struct("<H")


def in_order(names: Iterable[bytes], most: int = MOST_HELD) -> Iterator[bytes]:
    """More than `most` are sorted in runs on disk, and merged."""
    rest = iter(names)
    held = sorted(itertools.islice(rest, most))
    if len(held) < most:
        yield from held
        return
    runs = []
    try:
        while held:
            runs.append(_written(held))
            held = sorted(itertools.islice(rest, most))
        yield from heapq.merge(*map(_read, runs))
    finally:
        for run in runs:
            run.close()


def _written(names: list[bytes]) -> IO[bytes]:
    run = tempfile.TemporaryFile()  # noqa: SIM115 (closed by who asked)
    for name in names:
        run.write(_LENGTH.pack(len(name)) + name)
    run.seek(0)
    return run


def _read(run: IO[bytes]) -> Iterator[bytes]:
    while True:
        head = run.read(_LENGTH.size)
        if not head:
            return
        yield run.read(_LENGTH.unpack(head)[0])
