"""Where results lie, and how they come and go: every step is one rename, so that a crash leaves nothing half done.

results/<job>/owner              whose they are
results/<job>/kept               somebody asked to keep them
results/<job>/<attempt>/<task>/  a working folder as the task left it; the attempt's folder is as old as its end
results/<job>/<attempt>.gone     they were removed: why, and when by its own age
results/.trash/                  on their way out"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from danlu.data.removing import empty_folder
from danlu.domain.errors import NotFound
from danlu.domain.ids import looks_like_id
from danlu.domain.job import attempt_id
from danlu.domain.words import Words
from danlu.ports import beneath, supervision
from danlu.ports.files import PlaceBelow
from danlu.ports.results import GoneCause, GoneResults, KeptAttempt, RunKey

_OWNER, _WANTED, _GONE, _TRASH = "owner", "kept", ".gone", ".trash"
_ATTEMPT = re.compile(r"([0-9a-z]+)-([1-9][0-9]*)")
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_LONGEST_NAME = 1000


class Shelf:
    """The folders themselves; what they take is counted elsewhere. Any thread."""

    def __init__(self, root: Path, runs: Path, volumes: Path) -> None:
        self.root, self._runs, self._volumes = root, runs, volumes

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────

    def work(self, key: RunKey) -> PlaceBelow | None:
        # The task's own first, and again after the shelf: it may be put away between two looks.
        own = PlaceBelow(
            str(self._runs), _path(attempt_id(key.job_id, key.attempt), key.run, supervision.WORK_DIR)
        )
        return next((place for place in (own, self._kept(key), own) if _is_folder(place)), None)

    def shelved(self, key: RunKey) -> PlaceBelow | None:
        place = self._kept(key)
        return place if _is_folder(place) else None

    def _kept(self, key: RunKey) -> PlaceBelow:
        return PlaceBelow(str(self.root), _path(key.job_id, str(key.attempt), key.run))

    def checkpoints(self, owner: str, folder: str) -> PlaceBelow:
        return PlaceBelow(str(self._volumes), _path(owner, folder))

    def gone(self, job_id: str, attempt: int) -> GoneResults | None:
        note = f"{job_id}/{attempt}{_GONE}"
        try:
            cause = beneath.read_file(str(self.root), note, _LONGEST_NAME).decode()
            since = (self.root / note).stat().st_mtime_ns // 1_000_000
            return GoneResults(since, GoneCause(cause))
        except (OSError, ValueError):
            return None

    def of_job(self, job_id: str) -> tuple[KeptAttempt, ...]:
        owner = self._owner(job_id)
        if owner is None:
            return ()
        wanted = (self.root / job_id / _WANTED).exists()
        found = []
        with contextlib.suppress(OSError), os.scandir(self.root / job_id) as entries:
            for entry in entries:
                if entry.name.isdecimal() and entry.is_dir(follow_symlinks=False):
                    ended_at = entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
                    found.append(KeptAttempt(job_id, int(entry.name), owner, ended_at, wanted=wanted))
        return tuple(sorted(found, key=lambda one: one.attempt))

    def all(self) -> Iterator[KeptAttempt]:
        with contextlib.suppress(FileNotFoundError), os.scandir(self.root) as jobs:
            for job in jobs:
                if looks_like_id(job.name):
                    yield from self.of_job(job.name)

    def _owner(self, job_id: str) -> str | None:
        try:
            return beneath.read_file(str(self.root), f"{job_id}/{_OWNER}", _LONGEST_NAME).decode()
        except (OSError, ValueError):
            return None

    # ── coming ───────────────────────────────────────────────────────────────────────────────────────

    def put_away(self, folder: Path) -> None:
        """Keep the working folders of an attempt that has ended (`runs/<attempt>`); what is kept already stays. The
        rest of the folder is the caller's."""
        named = _ATTEMPT.fullmatch(folder.name)
        if named is None or not looks_like_id(named[1]):
            return
        for task in sorted(folder.iterdir()):
            if not (_RUN.fullmatch(task.name) and (task / supervision.WORK_DIR).is_dir()):
                continue
            owner = _owner_of(task)
            if owner:
                self._take(task / supervision.WORK_DIR, owner, named[1], named[2], task.name)

    def _take(self, work: Path, owner: str, job_id: str, attempt: str, run: str) -> None:
        place = self.root / job_id / attempt
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self._owner(job_id) is None:
            draft = self.root / job_id / f".{_OWNER}"
            draft.write_text(owner)
            draft.replace(self.root / job_id / _OWNER)
        if not (place / run).exists():
            work.rename(place / run)

    # ── going ────────────────────────────────────────────────────────────────────────────────────────

    def want(self, job_id: str, wanted: bool) -> None:
        note = self.root / job_id / _WANTED
        if not wanted:
            note.unlink(missing_ok=True)
            return
        try:
            note.touch(mode=0o600)
        except FileNotFoundError:
            raise NotFound(Words("nothing is kept of this job", "该任务没有保留任何结果")) from None

    def drop(self, job_id: str, attempt: int, cause: GoneCause) -> None:
        """Remove the results of an attempt, and note it first: a crash in between removes them the next time."""
        note = self.root / job_id / f"{attempt}{_GONE}"
        note.write_text(cause.value)
        self._discard(self.root / job_id / str(attempt))

    def remove(self, job_id: str) -> None:
        if looks_like_id(job_id):
            self._discard(self.root / job_id)

    def empty_trash(self) -> None:
        """Takes as long as there are files."""
        empty_folder(str(self.root / _TRASH))

    def _discard(self, folder: Path) -> None:
        trash = self.root / _TRASH
        trash.mkdir(exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            folder.rename(trash / secrets.token_hex(8))


def _path(*parts: str) -> bytes:
    return os.fsencode("/".join(parts))


def _is_folder(place: PlaceBelow) -> bool:
    try:
        os.close(beneath.open_folder(place.root, os.fsdecode(place.path)))
    except OSError:
        return False
    return True


def _owner_of(task: Path) -> str:
    """As its order says; nothing where that is unreadable or of an older Danlu."""
    try:
        order = supervision.read_json(str(task / supervision.TASK_FILE))
    except (OSError, ValueError, RecursionError):
        return ""
    owner = order.get("owner") if isinstance(order, dict) else None
    return owner if isinstance(owner, str) else ""
