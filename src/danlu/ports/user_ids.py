"""Which user ids there are where this process runs: all of the machine's, or those of a user namespace."""

from __future__ import annotations

import os
from typing import NamedTuple

_MAP = "/proc/self/uid_map"


class MappedIds(NamedTuple):
    """Ids from `first` on are the machine's from `outside` on."""

    first: int
    outside: int
    count: int


def read_map(text: str) -> list[MappedIds]:
    """The lines of a map as the kernel shows it."""
    return [MappedIds(*map(int, line.split())) for line in text.splitlines() if len(line.split()) == 3]


def own_map() -> list[MappedIds]:
    try:
        with open(_MAP, encoding="ascii") as file:
            return read_map(file.read())
    except OSError:
        return []


def task_ids(mapped: list[MappedIds]) -> MappedIds | None:
    """The subordinate ids of an ordinary user, which are beside their own: user 0 in there. None where there are none,
    on the machine itself for example."""
    if not any(part.first == 0 and part.count == 1 for part in mapped):
        return None
    return max((part for part in mapped if part.first), key=lambda part: part.count, default=None)


def machine_uid() -> int:
    """Who this process is to the machine."""
    uid = os.geteuid()
    for part in own_map():
        if part.first <= uid < part.first + part.count:
            return part.outside + uid - part.first
    return uid
