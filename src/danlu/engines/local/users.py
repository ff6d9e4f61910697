"""Which user of this machine a person's tasks run as."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from danlu.domain.errors import Unavailable
from danlu.domain.people import FIRST_UID, LAST_UID, UIDS_EACH
from danlu.domain.reasons import NoUserId, SharedUser
from danlu.domain.words import say
from danlu.ports.supervision import TaskUser
from danlu.ports.volumes.ids import ids_for_volumes


class TaskUsers:
    """A user for each person, or one for all: then tasks of a second person run only where `shared` accepts that."""

    def __init__(
        self,
        uid_of: Callable[[str], int | None],
        volumes: Path,
        own: bool,
        shared: bool,
        subordinate_ids: int = 0,
    ) -> None:
        self._uid_of, self._volumes = uid_of, volumes
        self._own, self._shared, self._ids = own, shared, subordinate_ids

    def user(self, owner: str) -> TaskUser | None:
        """None where all tasks run as the user that runs Danlu."""
        if not self._own:
            return None
        stored = self._uid_of(owner)
        uid = None if stored is None else task_uid(stored, self._ids)
        if uid is None:
            raise Unavailable(
                say(
                    "{owner} has no user id for tasks on this machine",
                    "{owner} 在本机没有可供任务使用的用户编号（uid）",
                    owner=owner,
                )
            )
        return {"uid": uid, "gid": uid, "name": owner}

    def refusal(self, owner: str, task: str, node: str) -> SharedUser | NoUserId | None:
        """Why this person's task may not start: somebody else's ran here before as the same user of the machine, or
        there is no user left for them."""
        if self._own:
            stored = self._uid_of(owner) if self._ids else None
            if stored is None or task_uid(stored, self._ids) is not None:
                return None
            return NoUserId(task, owner, _number(stored) + 1, self._ids, node)
        if self._shared:
            return None
        ran = os.listdir(self._volumes) if self._volumes.is_dir() else []
        others = sorted(name for name in ran if name != owner)
        return SharedUser(task, owner, others[0], node) if others else None


def task_uid(stored: int, subordinate_ids: int) -> int | None:
    """The user id of an account's tasks, from the range that is stored with it: the first of that range, or, where
    there are only so many subordinate ids, one for each account. None beyond."""
    if not subordinate_ids:
        return stored if stored <= LAST_UID else None
    number = _number(stored)
    return FIRST_UID + number if 0 <= number < subordinate_ids - ids_for_volumes(subordinate_ids) else None


def _number(stored: int) -> int:
    """Which of all accounts it is, from 0 on."""
    return (stored - FIRST_UID) // UIDS_EACH
