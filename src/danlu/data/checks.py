"""Places outside, looked at on the spot."""

from __future__ import annotations

from danlu.data.outside import Guard
from danlu.data.verdicts import verdict
from danlu.domain.findings import Finding
from danlu.domain.volumes.source import Login, Source
from danlu.domain.volumes.volume import VolumeKind


class PlacesOutside:
    """Implements ports.volumes.outside.OutsideCheck."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def check(self, kind: VolumeKind, source: Source, login: Login | None) -> tuple[Finding, ...]:
        # What speaks to them loads with the first one (ADR 14).
        if kind is VolumeKind.NFS:
            from danlu.data.nfs import nfs_steps

            return verdict(nfs_steps(self._guard, source))
        from danlu.data.objects.checking import bucket_steps

        return verdict(bucket_steps(self._guard, source, login))
