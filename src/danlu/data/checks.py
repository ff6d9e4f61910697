"""Places outside, looked at on the spot."""

from __future__ import annotations

from danlu.data.outside import NetworkGuard
from danlu.data.verdicts import verdict
from danlu.domain.findings import Finding
from danlu.domain.volumes.source import Login, VolumeOutside


class PlacesOutside:
    """Implements ports.volumes.outside.OutsideCheck."""

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def check(self, source: VolumeOutside, login: Login | None) -> tuple[Finding, ...]:
        from danlu.data.objects.checking import bucket_steps  # loaded with the first bucket (ADR 14)

        return verdict(bucket_steps(self._guard, source, login))
