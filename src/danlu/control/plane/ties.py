"""Volumes that only some nodes have, as their clusters say: jobs that mount them go there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from danlu.domain.job import Time
from danlu.domain.mount import Mount
from danlu.ports.clock import Clock
from danlu.ports.volumes.claims import ClaimStore

Ties = Mapping[str, Mapping[str, str]]
"""By volume, labels of the only nodes that have it."""
_FRESH_MS: Time = 2_000


class VolumeTies:
    """Read from the store again after some seconds; any thread. The same object while nothing changed."""

    def __init__(self, store: ClaimStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._known: Ties = {}
        self._read_at: Time | None = None

    def __call__(self) -> Ties:
        now = self._clock.now()
        if self._read_at is None or now - self._read_at >= _FRESH_MS:
            self._read_at = now
            claims = (claim for _, claim in self._store.kept_claims().wanted if claim is not None)
            found = {claim.volume: claim.nodes for claim in claims if claim.nodes}
            if found != self._known:
                self._known = found
        return self._known


def tied_labels(mounts: Iterable[Mount], ties: Ties) -> dict[str, str]:
    """What nodes must have for these mounts."""
    return {key: value for mount in mounts for key, value in ties.get(mount.id, {}).items()}
