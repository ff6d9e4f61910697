"""Which user ids there are where this process runs: all of the machine's, or those of a user namespace."""

from __future__ import annotations

import os
from typing import NamedTuple

_MAP = "/proc/self/uid_map"


class MappedIds(NamedTuple):
    """Ids from `first` on are the machine's from `outside` on."""

    first: int
    outside: int
    size: int


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
    if not any(part.first == 0 and part.size == 1 for part in mapped):
        return None
    return max((part for part in mapped if part.first), key=lambda part: part.size, default=None)


def is_among_subordinate_ids() -> bool:
    """Whether we are an ordinary user of the machine, who looks like root here."""
    return task_ids(own_map()) is not None


def machine_uid() -> int:
    """Who this process is to the machine."""
    uid = os.geteuid()
    mapped = own_map() if is_among_subordinate_ids() else []
    for part in mapped:
        if part.first <= uid < part.first + part.size:
            return part.outside + uid - part.first
    return uid
