"""What else bounds a person's jobs: limits, and caps of the projects that they may queue in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from danlu.control.rules.registry import Registry
from danlu.ports.governance import MemberStore
from danlu.scheduler import Snapshot
from danlu.scheduler.bounds import CapUse, LimitUse, caps_on, limits_on


@dataclass(frozen=True, slots=True)
class OtherBounds:
    limits: tuple[LimitUse, ...] = ()
    caps: tuple[CapUse, ...] = ()


class Bounds:
    """Any thread. Sums are those of decisions, as of now."""

    def __init__(self, registry: Registry, store: MemberStore, snapshot: Callable[[], Snapshot]) -> None:
        self._registry, self._store, self._snapshot = registry, store, snapshot

    def of(self, user: str) -> OtherBounds:
        """Whoever asks may read this person's quota."""
        projects = self._registry.projects()
        member = {one.project for one in self._store.memberships(user) if one.role.may_queue}
        usable = {name for name, one in projects.items() if one.open or name in member}
        if not self._registry.limits() and not any(one.cap for one in projects.values()):
            return OtherBounds()
        snapshot = self._snapshot()
        return OtherBounds(tuple(limits_on(snapshot, user, usable)), tuple(caps_on(snapshot, usable)))
