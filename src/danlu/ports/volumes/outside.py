"""Places outside that volumes are attached to: whether they can be used, and the logins for them."""

from __future__ import annotations

from typing import Protocol

from danlu.domain.findings import Finding
from danlu.domain.volumes.source import Login, VolumeOutside


class OutsideCheck(Protocol):
    def check(self, source: VolumeOutside, login: Login | None) -> tuple[Finding, ...]:
        """Every step up to the first that fails: name, route, login, bucket, right; of an export name, route,
        export, right. Takes seconds. What is written to find out whether one may write is removed again."""


class LoginSeal(Protocol):
    """Makes of a login what may be kept, for one volume alone, and back."""

    def seal(self, volume_id: str, login: Login) -> bytes: ...

    def unseal(self, volume_id: str, sealed: bytes) -> Login:
        """Unavailable, saying what to do, where the key is lost or it is another volume's."""
