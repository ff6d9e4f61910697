"""Which user of this machine a person's tasks run as."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from danlu.domain.errors import Unavailable
from danlu.domain.people import LAST_UID
from danlu.domain.reasons import SharedUser
from danlu.domain.words import say
from danlu.ports.supervision import TaskUser


class TaskUsers:
    """A user for each person, or one for all: then tasks of a second person run only where `shared` accepts that."""

    def __init__(self, uid_of: Callable[[str], int | None], volumes: Path, own: bool, shared: bool) -> None:
        self._uid_of, self._volumes = uid_of, volumes
        self._own, self._shared = own, shared

    def user(self, owner: str) -> TaskUser | None:
        """None where all tasks run as the user that runs Danlu."""
        if not self._own:
            return None
        uid = self._uid_of(owner)
        if uid is None or uid > LAST_UID:
            raise Unavailable(
                say(
                    "{owner} has no user id for tasks on this machine",
                    "{owner} 在本机没有可供任务使用的用户编号（uid）",
                    owner=owner,
                )
            )
        return {"uid": uid, "gid": uid, "name": owner}

    def refusal(self, owner: str, task: str, node: str) -> SharedUser | None:
        """Why this person's task may not start: somebody else's ran here before as the same user of the machine."""
        if self._own or self._shared:
            return None
        ran = os.listdir(self._volumes) if self._volumes.is_dir() else []
        others = sorted(name for name in ran if name != owner)
        return SharedUser(task, owner, others[0], node) if others else None
