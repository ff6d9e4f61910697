"""The trash of volumes grows old: what lay there long enough is gone, and what folders in it take is counted once."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from pathlib import Path

from danlu.data.counting import count_gently
from danlu.data.files import trash
from danlu.domain.job import Time
from danlu.ports import beneath
from danlu.ports.files import EntryKind
from danlu.ports.supervision import write_json
from danlu.ports.volumes.changing import TrashEntry, VolumeFolders

_MINUTE: Time = 60_000
_DAY: Time = 24 * 60 * _MINUTE
_MOST_SEEN: Time = 10 * _MINUTE
_PAGE = 1_000
_LONGEST_NOTE = 4096


class Steadiness:
    """Whether the clock can be believed. Who sets it ahead must not empty every trash with that: after a leap of more
    than a day, in whichever direction, nothing expires until the clock was seen going on for a day. `note` keeps
    what was seen over restarts."""

    def __init__(self, note: Path) -> None:
        self._note = note
        self._last, self._seen = self._read()

    def believes(self, now: Time) -> bool:
        gap = now - self._last
        self._seen = self._seen + min(gap, _MOST_SEEN) if 0 <= gap <= _DAY else 0
        self._seen, self._last = min(self._seen, _DAY), now
        write_json(str(self._note), {"last": now, "seen": self._seen})
        return self._seen >= _DAY

    def _read(self) -> tuple[Time, Time]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(beneath.read_file(str(self._note.parent), self._note.name, _LONGEST_NOTE))
            return int(told["last"]), int(told["seen"])
        return 0, 0


def drop_expired(at: VolumeFolders, before: Time) -> int:
    """What was deleted before then; how many."""
    return sum(
        trash.drop_from_trash(at, one.id)
        for one in _entries(at)
        if one.at < before and _is_from(one.id, before)
    )


def count_trashed_folders(at: VolumeFolders, stop: threading.Event) -> None:
    """A folder in the trash changes no more: it is counted once."""
    for one in _entries(at):
        if one.kind is EntryKind.FOLDER and one.size is None:
            counted = count_gently(os.path.join(at.aside, trash.TRASH, one.id), stop)
            if counted is None:
                return
            trash.note_size(at, one, counted.size)


def _is_from(entry_id: str, before: Time) -> bool:
    """The note and the name must agree: neither alone condemns."""
    return int(entry_id.partition("-")[0], 16) < before


def _entries(at: VolumeFolders) -> list[TrashEntry]:
    found: list[TrashEntry] = []
    while True:
        page = trash.read_trash(at, _PAGE, found[-1].id if found else None)
        found += page
        if len(page) < _PAGE:
            return found
