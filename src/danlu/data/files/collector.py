"""Removes what is left beside volumes: unfinished uploads, copies that broke off, what was deleted for good, and what
lay in their trash long enough."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from pathlib import Path

from danlu.data.files.drafts import DRAFTS, REMOVED, ROOMS, discard, room_of
from danlu.data.files.expiry import Steadiness, count_trashed_folders, drop_expired
from danlu.data.files.uploads import forget_old
from danlu.data.removing import empty_folder
from danlu.domain.job import Time
from danlu.ports.clock import Clock
from danlu.ports.volumes.changing import VolumeFolders
from danlu.ports.volumes.uploads import UPLOAD_LIFE

log = logging.getLogger(__name__)

_ROUND_S = 60.0
_ROOM_LIFE: Time = 7 * 86_400_000
"""How long what came of a transfer is kept since it was last worked on."""


class LeftoverCollector:
    """`root` has a folder for each volume. `trash_time` is how long what people delete stays in the trash of their
    volumes; 0: until somebody deletes it for good."""

    def __init__(self, root: Path, clock: Clock, trash_time: Time = 0) -> None:
        self._root, self._clock, self._trash_time = root, clock, trash_time
        self._steadiness = Steadiness(root / ".file-trash.json")

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self.round(stop)
            except Exception:
                log.exception("what is left of uploads could not be removed; retrying")
            stop.wait(_ROUND_S)

    def round(self, stop: threading.Event | None = None) -> None:
        now, stop = self._clock.now(), stop or threading.Event()
        before, expires = now - UPLOAD_LIFE, self._steadiness.believes(now) and self._trash_time > 0
        with contextlib.suppress(FileNotFoundError), os.scandir(self._root) as folders:
            for one in folders:
                if not one.name.startswith(".") and one.is_dir(follow_symlinks=False):
                    with contextlib.suppress(FileNotFoundError):  # removed meanwhile
                        at = VolumeFolders("", one.path)
                        if expires:
                            _expire(at, now - self._trash_time)
                        count_trashed_folders(at, stop)
                        _tidy(at, before)


def _expire(at: VolumeFolders, before: Time) -> None:
    gone = drop_expired(at, before)
    if gone:
        log.info("%d things in the trash of %s were there long enough and are removed", gone, at.aside)


def _tidy(at: VolumeFolders, before: Time) -> None:
    forgotten = forget_old(at, before)
    if forgotten:
        log.info("%d uploads to %s were not finished in time and are removed", forgotten, at.aside)
    with room_of(at, DRAFTS) as drafts:
        for name in os.listdir(drafts):
            with contextlib.suppress(FileNotFoundError):
                if os.stat(name, dir_fd=drafts, follow_symlinks=False).st_mtime_ns // 1_000_000 < before:
                    discard(at, drafts, os.fsencode(name))
    with room_of(at, ROOMS) as rooms:
        for name in os.listdir(rooms):
            if _last_work(os.path.join(at.aside, ROOMS, name)) < before + UPLOAD_LIFE - _ROOM_LIFE:
                with contextlib.suppress(FileNotFoundError):
                    discard(at, rooms, os.fsencode(name))
    empty_folder(os.path.join(at.aside, REMOVED))


def _last_work(room: str) -> Time:
    """When anything in it was written. Nothing is followed: it is a person's own folder, beside the volume."""
    last = 0
    for folder, _, names in os.walk(room):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            with contextlib.suppress(OSError):
                last = max(last, os.lstat(path).st_mtime_ns // 1_000_000)
    return last
