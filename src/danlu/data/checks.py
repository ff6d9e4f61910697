"""Places outside, looked at on the spot and opened."""

from __future__ import annotations

from danlu.data.outside import NetworkGuard
from danlu.data.verdicts import verdict
from danlu.domain.findings import Finding
from danlu.domain.volumes.exports import ExportAddress
from danlu.domain.volumes.source import BucketAddress, Login, VolumeOutside
from danlu.ports.objects import ObjectStore


class PlacesOutside:
    """Implements ports.volumes.outside.OutsideCheck."""

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def check(self, source: VolumeOutside, login: Login | None) -> tuple[Finding, ...]:
        place = source.place
        if isinstance(place, ExportAddress):
            from danlu.data.exports.checking import export_steps  # loaded with the first export (ADR 14)

            return verdict(export_steps(self._guard, place))
        from danlu.data.objects.checking import bucket_steps  # loaded with the first bucket (ADR 14)

        return verdict(bucket_steps(self._guard, source, login))


class StoresOutside:
    """Implements ports.objects.ObjectStores; each side loads when it is first used (ADR 14)."""

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def open(self, address: BucketAddress | ExportAddress, login: Login | None) -> ObjectStore:
        if isinstance(address, ExportAddress):
            from danlu.data.exports.store import ExportStore

            return ExportStore(address, self._guard)
        from danlu.data.objects import S3Stores

        return S3Stores(self._guard).open(address, login)
