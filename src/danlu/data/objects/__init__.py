"""Object stores with an S3 API, asked over connections that go where they were checked to go, and nowhere else.

Redirects are never followed, and nothing a store says reaches people or logs: a store that somebody attached may be
anybody's."""

from __future__ import annotations

from danlu.data.objects.store import S3Store
from danlu.data.objects.wire import Wire
from danlu.data.outside import NetworkGuard
from danlu.domain.volumes.source import BucketAddress, Login


class S3Stores:
    """Opens buckets."""

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def open(self, address: BucketAddress, login: Login | None) -> S3Store:
        return S3Store(Wire(address, login, self._guard), address.prefix)
