"""The environments that a person keeps: one folder each, with a note beside it once it is complete.

<key>        the environment
<key>.json   what it is; written last, so that an environment without it is none
<key>.lock   held alone by whoever builds or deletes it, shared by those who use it; let go when they die"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from typing import Any, Callable

from danlu.ports.environments import lock_file, note_file

_LOOK_S = 0.5


class KeptEnvironment:
    """One of them, by its key."""

    def __init__(self, keep: str, key: str) -> None:
        self.keep, self.key = keep, key
        self.path = os.path.join(keep, key)
        self._lock = -1

    def obtain(self, build: Callable[[], dict[str, Any]], waits: Callable[[], None]) -> bool:
        """Hold it for use, built by us if nobody else did; whether we built it. `waits` is told once where somebody
        else is at it."""
        os.makedirs(self.keep, mode=0o700, exist_ok=True)
        self._lock = os.open(
            os.path.join(self.keep, lock_file(self.key)), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        told = built = False
        while True:
            if self._complete():
                if self._take(fcntl.LOCK_SH) and self._complete():
                    os.utime(self._lock)  # when it was used last
                    return built
            elif self._take(fcntl.LOCK_EX):
                if not self._complete():
                    self._make(build)
                    built = True
                continue
            if not told:
                waits()
                told = True
            time.sleep(_LOOK_S)

    def hand_on(self) -> None:
        """The lock to the program that this process becomes, which holds it as long as it lives."""
        if self._lock >= 0:
            os.set_inheritable(self._lock, True)

    @property
    def descriptors(self) -> list[int]:
        """For those who build on our behalf: nobody may build beside them should we die first."""
        return [self._lock] if self._lock >= 0 else []

    def _take(self, kind: int) -> bool:
        try:
            fcntl.flock(self._lock, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _complete(self) -> bool:
        return os.path.isfile(self._note) and os.path.isdir(os.path.join(self.path, "bin"))

    @property
    def _note(self) -> str:
        return os.path.join(self.keep, note_file(self.key))

    def _make(self, build: Callable[[], dict[str, Any]]) -> None:
        self._remove()
        try:
            note, draft = build(), f"{self._note}.new"
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(note, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self._note)
        except BaseException:
            self._remove()
            raise

    def _remove(self) -> None:
        for path in (self._note, f"{self._note}.new"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        shutil.rmtree(self.path, ignore_errors=True)
