"""Tells running jobs of what happens to the volumes that they mount, and ends who goes on writing to a full one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from danlu.domain.events import Event, MountChanged, VolumeOverrun
from danlu.domain.job import Job, JobState, Time
from danlu.domain.mount import Mount
from danlu.domain.permissions import Caller
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.capacity import most_of
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
_OF_ROOM = frozenset({MountChanged.ROOM, MountChanged.NEARLY_FULL, MountChanged.FULL, MountChanged.OVER})
PERSONAL = "personal"
"""As personal directories are named among volumes."""
PATIENCE_MS = 20_000
"""From the warning to the end: who watches may delete something, or stop the job themselves."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """What a place took when it was last counted, its capacity, and beyond what jobs that go on writing to it are ended
    (None: nobody is)."""

    figure: DiskFigure
    capacity: int
    most: int | None


@dataclass(frozen=True, slots=True)
class _Warned:
    """When an attempt was told that a volume is far beyond its capacity, and what it took then."""

    at: Time
    used: int


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
    warned: dict[str, _Warned] = field(default_factory=dict)


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
        tolerance: int = 0,
        personal: Callable[[Job], Bounded | None] = lambda _: None,
    ) -> None:
        """`tolerance` as of `domain.volumes.capacity.most_of`: 0 ends no job. `personal` is the personal directory that
        a job has."""
        self._store, self._live, self._figure, self._personal = store, live, figure, personal
        self._as_owner, self._tell, self._clock, self._tolerance = as_owner, tell, clock, tolerance
        self._woken = threading.Event()
        self._told: dict[str, _ToldOfMounts] = {}

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        while not stop.is_set():
            self._woken.wait(EVERY_S)
            self._woken.clear()
            try:
                self.look()
            except Exception:
                log.exception("could not look at the volumes of running jobs; trying again")

    def wake(self) -> None:
        """Something was counted: look soon. Cheap, from any thread."""
        self._woken.set()

    def look(self) -> None:
        known, self._told = self._told, {}
        for job in self._live():
            own = self._personal(job) if job.state in _RUNS else None
            mounts = _volumes(job) if job.state in _RUNS else ()
            if not mounts and own is None:
                continue
            told = self._told[job.attempt_id] = known.get(job.attempt_id) or _ToldOfMounts()
            if job.attempt_id not in known or told.pending:
                self._read(job, told)
            owner = self._as_owner(job.owner) if mounts else None
            for mount in mounts:
                for change in self._changes(job, owner, mount, told):
                    self._say(job, change, told)
            for change in self._of_room(job, PERSONAL, own, told) if own else ():
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
                    if what == MountChanged.OVER:
                        told.warned[volume] = _Warned(one.time, one.data["used"])

    def _say(self, job: Job, change: MountChanged | VolumeOverrun, told: _ToldOfMounts) -> None:
        """Once; again only where it was not written for long."""
        what = change.what if isinstance(change, MountChanged) else change.kind
        key, now = (change.volume, what), self._clock.now()
        if key not in told.pending or now - told.pending[key] >= _AGAIN_MS:
            told.pending[key] = now
            self._tell(job.id, change)

    def _changes(
        self, job: Job, owner: Caller | None, mount: Mount, told: _ToldOfMounts
    ) -> Iterable[MountChanged | VolumeOverrun]:
        volume = self._store.volume(mount.id)
        access = _access(owner, volume, mount)
        if access != told.access.get(mount.volume, MountChanged.USABLE):
            yield MountChanged(job.attempt_id, mount.volume, access)
        bounded = self._bounded(volume) if volume is not None and not mount.read_only else None
        if bounded is not None:
            yield from self._of_room(job, mount.volume, bounded, told, told_of=access in _MAY_KNOW)

    def _of_room(
        self, job: Job, name: str, place: Bounded, told: _ToldOfMounts, *, told_of: bool = True
    ) -> Iterable[MountChanged | VolumeOverrun]:
        """Unless `told_of`, how much others keep there is not the owner's to know."""
        used, capacity = place.figure.used, place.capacity
        before = told.room.get(name, MountChanged.ROOM)
        room = _room(used, capacity, place.most, before)
        if told_of and room != before:
            yield MountChanged(job.attempt_id, name, room, used, capacity)
        if place.most is not None and self._goes_on(name, place.figure, place.most, told):
            yield VolumeOverrun(job.attempt_id, name, used, capacity)

    def _goes_on(self, volume: str, figure: DiskFigure, most: int, told: _ToldOfMounts) -> bool:
        """Whether a count made well after the warning shows still more. Who may learn nothing of the volume any more is
        warned of nothing, and has the same time."""
        if figure.used <= most:
            told.warned.pop(volume, None)
            return False
        known = told.warned.setdefault(volume, _Warned(self._clock.now(), figure.used))
        if figure.used < known.used:  # somebody makes room: what counts is what comes on top of that
            told.warned[volume] = _Warned(known.at, figure.used)
        return figure.used > known.used and figure.counted_at >= known.at + PATIENCE_MS

    def _bounded(self, volume: Volume) -> Bounded | None:
        """None where nothing is counted, or nothing bounds it."""
        if not volume.capacity or volume.source is not None:
            return None
        if _is_local(volume):
            figure = self._figure(volume.id)
            most = most_of(volume.capacity, self._tolerance)
            return Bounded(figure, volume.capacity, most) if figure is not None else None
        claim = self._store.volume_claim(volume.id)
        if claim is None or claim.used is None:
            return None
        return Bounded(DiskFigure(claim.used, 0, 0), volume.capacity, None)


def _is_local(volume: Volume) -> bool:
    return not volume.claim and not volume.storage_class


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


def _room(used: int, capacity: int, most: int | None, before: str) -> str:
    percent = 100 * used // capacity
    if most is not None and used > most:
        return MountChanged.OVER
    was_full = before in (MountChanged.FULL, MountChanged.OVER)
    if percent >= (_LEAVES_FULL if was_full else _FULL):
        return MountChanged.FULL
    if percent >= (_NEARLY if before == MountChanged.ROOM else _LEAVES_NEARLY):
        return MountChanged.NEARLY_FULL
    return MountChanged.ROOM
