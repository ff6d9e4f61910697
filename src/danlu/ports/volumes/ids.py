"""Which group ids volumes have here: their own, or some of those that an ordinary user has."""

from __future__ import annotations

from danlu.domain.volumes.volume import FIRST_VOLUME_GID
from danlu.ports.user_ids import MappedIds, own_map, task_ids

_PART = 16
"""One subordinate id in so many is for a volume; the others are for people."""


def ids_for_volumes(subordinate_ids: int) -> int:
    """How many of all subordinate ids, from their end on."""
    return subordinate_ids // _PART


def volume_gid(stored: int, mapped: list[MappedIds] | None = None) -> int | None:
    """The group id of a volume on this machine; None where there is none left: then it is its owner's alone."""
    ids = task_ids(own_map() if mapped is None else mapped)
    if ids is None:
        return stored
    number = stored - FIRST_VOLUME_GID
    return ids.first + ids.size - 1 - number if 0 <= number < ids_for_volumes(ids.size) else None
