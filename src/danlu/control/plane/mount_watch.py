"""Tells running jobs when a volume that they mount fills up, or when their owner may not use it any more."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from danlu.domain.events import Event, MountChanged
from danlu.domain.job import Job, JobState, Time
from danlu.domain.mount import Mount
from danlu.domain.permissions import Caller
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.claims import VolumeClaim
from danlu.domain.volumes.volume import MountMode, Volume
from danlu.ports.clock import Clock
from danlu.ports.storage import DiskFigure
from danlu.ports.store import Recorded

log = logging.getLogger(__name__)

EVERY_S = 15
_AGAIN_MS = 120_000
_PAGE = 500
_MAY_KNOW = (MountChanged.USABLE, MountChanged.READ_ONLY)
_RUNS = frozenset({JobState.STARTING, JobState.RUNNING})
_NEARLY, _FULL = 90, 100
_LEAVES_NEARLY, _LEAVES_FULL = 85, 98
"""Percent. What goes up and down around a bound is told once."""
_OF_ROOM = frozenset({MountChanged.ROOM, MountChanged.NEARLY_FULL, MountChanged.FULL})


class VolumesAndEvents(Protocol):
    def volume(self, volume_id: str) -> Volume | None: ...

    def volume_claim(self, volume_id: str) -> VolumeClaim | None: ...

    def events_of(self, job_id: str, after: int, limit: int) -> tuple[Recorded, ...]: ...


@dataclass(slots=True)
class _ToldOfMounts:
    """What an attempt's events say of each volume; `pending`: when it was told what they may not say yet."""

    after: int = 0
    room: dict[str, str] = field(default_factory=dict)
    access: dict[str, str] = field(default_factory=dict)
    pending: dict[tuple[str, str], Time] = field(default_factory=dict)


class MountWatch:
    """Looks periodically, and writes nothing unless something changed. What was told is read from the events
    themselves, so that a crash neither loses nor repeats it."""

    def __init__(
        self,
        store: VolumesAndEvents,
        live: Callable[[], Iterable[Job]],
        figure: Callable[[str], DiskFigure | None],
        as_owner: Callable[[str], Caller | None],
        tell: Callable[[str, Event], None],
        clock: Clock,
    ) -> None:
        self._store, self._live, self._figure = store, live, figure
        self._as_owner, self._tell, self._clock = as_owner, tell, clock
        self._told: dict[str, _ToldOfMounts] = {}

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        while not stop.wait(EVERY_S):
            try:
                self.look()
            except Exception:
                log.exception("could not look at the volumes of running jobs; trying again")

    def look(self) -> None:
        jobs = [job for job in self._live() if job.state in _RUNS and _volumes(job)]
        known, self._told = self._told, {}
        for job in jobs:
            told = self._told[job.attempt_id] = known.get(job.attempt_id) or _ToldOfMounts()
            if job.attempt_id not in known or told.pending:
                self._read(job, told)
            owner = self._as_owner(job.owner)
            for mount in _volumes(job):
                for change in self._changes(job, owner, mount, told):
                    self._say(job, change, told)

    def _read(self, job: Job, told: _ToldOfMounts) -> None:
        """What its events say since they were last read."""
        while page := self._store.events_of(job.id, told.after, _PAGE):
            told.after = page[-1].seq
            for one in page:
                if one.kind == MountChanged.kind and one.data["attempt"] == job.attempt_id:
                    volume, what = one.data["volume"], one.data["what"]
                    (told.room if what in _OF_ROOM else told.access)[volume] = what
                    told.pending.pop((volume, what), None)

    def _say(self, job: Job, change: MountChanged, told: _ToldOfMounts) -> None:
        """Once; again only where it was not written for long."""
        key, now = (change.volume, change.what), self._clock.now()
        if key not in told.pending or now - told.pending[key] >= _AGAIN_MS:
            told.pending[key] = now
            self._tell(job.id, change)

    def _changes(
        self, job: Job, owner: Caller | None, mount: Mount, told: _ToldOfMounts
    ) -> Iterable[MountChanged]:
        volume = self._store.volume(mount.id)
        access = _access(owner, volume, mount)
        if access != told.access.get(mount.volume, MountChanged.USABLE):
            yield MountChanged(job.attempt_id, mount.volume, access)
        if volume is None or mount.read_only or access not in _MAY_KNOW:
            return  # how much others keep there is no longer theirs to know
        used = self._used(volume)
        if used is None:
            return
        before = told.room.get(mount.volume, MountChanged.ROOM)
        room = _room(100 * used // volume.capacity, before)
        if room != before:
            yield MountChanged(job.attempt_id, mount.volume, room, used, volume.capacity)

    def _used(self, volume: Volume) -> int | None:
        """None where nothing is counted, or nothing bounds it."""
        if not volume.capacity or volume.source is not None:
            return None
        if volume.claim or volume.storage_class:
            claim = self._store.volume_claim(volume.id)
            return claim.used if claim is not None else None
        figure = self._figure(volume.id)
        return figure.used if figure is not None else None


def _volumes(job: Job) -> Sequence[Mount]:
    """Each once, as it is mounted for writing if it is."""
    found: dict[str, Mount] = {}
    for mount in job.spec.mounts:
        if mount.id and (mount.volume not in found or not mount.read_only):
            found[mount.volume] = mount
    return tuple(found.values())


def _access(owner: Caller | None, volume: Volume | None, mount: Mount) -> str:
    """As the next start would find it."""
    if volume is None or volume.trashed_at is not None:
        return MountChanged.GONE
    mode = mode_of(owner, volume) if owner is not None else None
    if mode is None:
        return MountChanged.SENSITIVE if volume.sensitive else MountChanged.REVOKED
    return MountChanged.USABLE if mode is MountMode.RW or mount.read_only else MountChanged.READ_ONLY


def _room(percent: int, before: str) -> str:
    if percent >= (_LEAVES_FULL if before == MountChanged.FULL else _FULL):
        return MountChanged.FULL
    if percent >= (_NEARLY if before == MountChanged.ROOM else _LEAVES_NEARLY):
        return MountChanged.NEARLY_FULL
    return MountChanged.ROOM
