"""Volumes that are full: queued jobs that write to them wait until there is room."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.job import Job, Time
from danlu.domain.reasons import VolumeFull
from danlu.domain.volumes.volume import LOCAL_CLUSTER, Volume
from danlu.ports.clock import Clock
from danlu.ports.storage import DiskFigure

_FRESH_MS: Time = 2_000


@dataclass(frozen=True, slots=True)
class Overfull:
    """What a full volume took when it was last counted, in bytes."""

    used: int
    capacity: int


Full = Mapping[str, Overfull]
"""By volume."""


class KeptVolume(Protocol):
    def volume(self, volume_id: str) -> Volume | None: ...


class FullVolumes:
    """Which of these volumes take more than their capacity; looked up again after some seconds. Any thread; the same
    object while nothing changed."""

    def __init__(self, store: KeptVolume, figure: Callable[[str], DiskFigure | None], clock: Clock) -> None:
        self._store, self._figure, self._clock = store, figure, clock
        self._asked: frozenset[str] = frozenset()
        self._known: Full = {}
        self._read_at: Time | None = None

    def __call__(self, volumes: Collection[str]) -> Full:
        now, asked = self._clock.now(), frozenset(volumes)
        if self._read_at is None or now - self._read_at >= _FRESH_MS or asked != self._asked:
            self._read_at, self._asked = now, asked
            found = {name: full for name in sorted(asked) if (full := self._full(name)) is not None}
            if found != self._known:
                self._known = found
        return self._known

    def _full(self, volume_id: str) -> Overfull | None:
        figure = self._figure(volume_id)
        if figure is None or (one := self._store.volume(volume_id)) is None:
            return None
        is_full = one.cluster == LOCAL_CLUSTER and figure.used > one.capacity
        return Overfull(figure.used, one.capacity) if is_full else None


def written(job: Job) -> frozenset[str]:
    """The volumes that it mounts to write."""
    return frozenset(mount.id for mount in job.spec.mounts if mount.id and not mount.read_only)


def lacking(job: Job, full: Full) -> VolumeFull | None:
    """The first full volume that it would write to."""
    for mount in job.spec.mounts if full else ():
        if not mount.read_only and (one := full.get(mount.id)) is not None:
            return VolumeFull(mount.volume, one.used, one.capacity)
    return None
