"""Samples of usage: the files that supervisors and the node meter write and the server reads.

A file is a row of little-endian words of 64 bits: a head, then records of one size."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import struct
from typing import NamedTuple

from danlu.ports import beneath

VERSION = 1
EVERY_MS = 5_000
"""How often a supervisor measures."""
UNKNOWN = 2**64 - 1
"""Stands for a number that could not be measured."""
MOST_GPUS = 1024

# What the word for processor time is: microseconds used so far, or thousandths of a core in use. In a file of traffic
# this word and the next are bytes that a machine's network has received and sent so far.
COUNTED, RATED, TRAFFIC = 0, 1, 2

CHECK = 0x64616E6C752E7573
"""The XOR of all words of a head or record must be this: torn or damaged data gives another value."""
_MAGIC = int.from_bytes(b"DANLUUSE", "little")
_WORD = 8


class Head(NamedTuple):
    """The head of a file: `began` is when counting began, and records are at least `every` apart."""

    began: int  # milliseconds since 1970
    every: int  # milliseconds
    cpu: int  # COUNTED, RATED or TRAFFIC
    gpus: tuple[int, ...]  # the cards that each record tells of

    @property
    def size(self) -> int:
        return _WORD * (7 + len(self.gpus))

    @property
    def record_words(self) -> int:
        return 4 + 2 * len(self.gpus)

    @property
    def record_size(self) -> int:
        return _WORD * self.record_words


LARGEST_HEAD = Head(0, 0, 0, tuple(range(MOST_GPUS))).size


class Sample(NamedTuple):
    """One measurement; for each card of the head how busy it is in percent, and bytes of its memory in use."""

    time: int  # milliseconds since 1970
    cpu: int
    memory: int  # bytes
    gpus: tuple[tuple[int, int], ...] = ()


def usage_file(log: str) -> str:
    """Where the samples of a task are: beside its log, so that both go together."""
    return (log[: -len(".log")] if log.endswith(".log") else log) + ".usage"


def pack_head(head: Head) -> bytes:
    return _pack(_MAGIC, VERSION, head.began, head.every, head.cpu, len(head.gpus), *head.gpus)


def pack_sample(sample: Sample) -> bytes:
    return _pack(sample.time, sample.cpu, sample.memory, *(word for gpu in sample.gpus for word in gpu))


def read_head(data: bytes) -> Head | None:
    """The head of a file; None if it is invalid, or of another version."""
    if len(data) < _WORD * 7:
        return None
    magic, version, began, every, cpu, cards = struct.unpack_from("<6Q", data)
    if magic != _MAGIC or version != VERSION or cards > MOST_GPUS or len(data) < _WORD * (7 + cards):
        return None
    words = struct.unpack_from(f"<{7 + cards}Q", data)
    if functools.reduce(operator.xor, words) != CHECK or not every or cpu not in (COUNTED, RATED, TRAFFIC):
        return None
    return Head(began, every, cpu, words[6:-1])


class SampleFile:
    """Appends to a file, which is opened for each record. Records that cannot be written are dropped."""

    def __init__(self, path: str, head: Head) -> None:
        self.path = path
        self.head = head

    def append(self, sample: Sample) -> bool:
        """Whether it was written, whole; a part of one that a crash left is cut off first."""
        try:
            fd = beneath.open_file(*os.path.split(self.path), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        except OSError:
            return False
        try:
            size = os.fstat(fd).st_size
            whole = self._whole(size)
            if whole != size:
                os.ftruncate(fd, whole)
            data = pack_sample(sample) if whole else pack_head(self.head) + pack_sample(sample)
            if _written(fd, data):
                return True
            os.ftruncate(fd, whole)
            return False
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                os.close(fd)

    def _whole(self, size: int) -> int:
        """How much of so many bytes is a head and whole records."""
        if size < self.head.size:
            return 0
        return size - (size - self.head.size) % self.head.record_size


def _written(fd: int, data: bytes) -> bool:
    try:
        return os.write(fd, data) == len(data)
    except OSError:
        return False


def _pack(*words: int) -> bytes:
    check = functools.reduce(operator.xor, words) ^ CHECK
    return struct.pack(f"<{len(words) + 1}Q", *words, check)
