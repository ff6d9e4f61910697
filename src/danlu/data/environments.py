"""Environments in personal directories, read and deleted so that nothing their owners put there misleads."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from danlu.domain.environments import Environment, PackageVersion
from danlu.domain.words import one_line
from danlu.ports import beneath
from danlu.ports.environments import FOLDER, LARGEST_NOTE, lock_file, note_file

_KEY = re.compile(r"[0-9a-f]{20}")
_MOST_NAMES, _MOST_ENVIRONMENTS, _MOST_LINES, _MOST_PACKAGES = 5_000, 500, 200, 2_000
_LONGEST = 500


class FileEnvironments:
    """Implements ports.storage.KeptEnvironments over the folders in which tasks keep them. Any thread."""

    def __init__(self, volumes: Path) -> None:
        self._volumes = volumes

    def of(self, owner: str) -> Sequence[Environment]:
        found = [one for key in self._keys(owner) if (one := self.find(owner, key)) is not None]
        return sorted(found, key=lambda one: -(one.used_at or 0))

    def find(self, owner: str, key: str) -> Environment | None:
        if not _KEY.fullmatch(key):
            return None
        root = str(self._volumes / owner)
        complete = True
        try:
            note: Any = json.loads(beneath.read_file(root, f"{FOLDER}/{note_file(key)}", LARGEST_NOTE))
        except FileNotFoundError:
            complete, note = False, None
        except (OSError, ValueError, RecursionError):
            note = None
        used = beneath.look_at(root, f"{FOLDER}/{lock_file(key)}")
        held = self._held(owner, key)
        if not complete and not held:
            return None
        told = note if isinstance(note, dict) else {}
        return _read(key, told, used.st_mtime_ns // 1_000_000 if used else None, not complete, held)

    def remove(self, owner: str, key: str) -> bool:
        with contextlib.ExitStack() as stack:
            try:
                folder = beneath.open_folder(str(self._volumes / owner), FOLDER)
            except OSError:
                return True
            stack.callback(os.close, folder)
            lock = self._open_lock(owner, key)
            if lock is not None:
                stack.callback(os.close, lock)
                if not _take(lock):
                    return False
            # The note first: an environment without one is none, whatever happens now.
            with contextlib.suppress(OSError):
                os.unlink(note_file(key), dir_fd=folder)
            for name in (key, f"{key}.tmp"):
                shutil.rmtree(name, ignore_errors=True, dir_fd=folder)
        return True

    def _keys(self, owner: str) -> Iterator[str]:
        try:
            folder = beneath.open_folder(str(self._volumes / owner), FOLDER)
        except OSError:
            return
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in itertools.islice(entries, _MOST_NAMES)]
        finally:
            os.close(folder)
        keys = {name.partition(".")[0] for name in names if name.endswith((".json", ".lock"))}
        yield from sorted(key for key in keys if _KEY.fullmatch(key))[:_MOST_ENVIRONMENTS]

    def _held(self, owner: str, key: str) -> bool:
        lock = self._open_lock(owner, key)
        if lock is None:
            return False
        try:
            return not _take(lock)
        finally:
            os.close(lock)

    def _open_lock(self, owner: str, key: str) -> int | None:
        try:
            return beneath.open_file(str(self._volumes / owner), f"{FOLDER}/{lock_file(key)}")
        except OSError:
            return None


def _take(lock: int) -> bool:
    """Whether nobody else holds it, alone or with others."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _read(key: str, note: dict[str, Any], used_at: int | None, building: bool, held: bool) -> Environment:
    """What a note says, as far as it is what a task would write."""
    content = tuple(_text(line) for line in _list(note.get("content"))[:_MOST_LINES])
    listed = [pair for pair in _list(note.get("packages")) if isinstance(pair, list) and len(pair) == 2]
    installed = tuple(
        PackageVersion(_text(name), _text(version)) for name, version in listed[:_MOST_PACKAGES]
    )
    file = _text(note.get("file"))
    return Environment(
        key=key,
        kind="conda" if note.get("kind") == "conda" else "pip",
        made_from=file or ", ".join(content)[:_LONGEST],
        size=_number(note.get("size")) or 0,
        made_at=_number(note.get("made_at")),
        used_at=used_at,
        job=_text(note.get("job")),
        packages=len(installed),
        building=building,
        in_use=held,
        python=_text(note.get("python")),
        content=content,
        installed=installed,
        path=f"{FOLDER}/{key}",
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return one_line(value[:_LONGEST]) if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 53 else None
