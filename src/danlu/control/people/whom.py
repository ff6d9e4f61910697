"""Whom people can ask for what only administrators can give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from danlu.domain.job import Time
from danlu.domain.people import User
from danlu.domain.words import Words, listed, same, say
from danlu.ports.clock import Clock

_NAMED = 3
_HOLDS_FOR = 60_000


@dataclass(frozen=True, slots=True)
class WhomToAsk:
    """A few administrators who can sign in: any signed-in person may know their names."""

    administrators: tuple[User, ...]

    @property
    def text(self) -> Words:
        return say(
            "ask an administrator: {names}",
            "请联系管理员：{names}",
            names=listed(map(_named, self.administrators)),
        )


class Administrators:
    """Any thread. Read again after a minute, so that refusals cost nothing."""

    def __init__(self, users: Callable[[], Sequence[User]], clock: Clock) -> None:
        self._users, self._clock = users, clock
        self._known: tuple[Time, tuple[User, ...]] | None = None

    def for_(self, asker: User) -> WhomToAsk | None:
        """None for administrators themselves, who need nobody."""
        now = self._clock.now()
        if self._known is None or not 0 <= now - self._known[0] < _HOLDS_FOR:
            self._known = (now, tuple(one for one in self._users() if one.governs)[:_NAMED])
        return None if asker.governs or not self._known[1] else WhomToAsk(self._known[1])


def _named(user: User) -> Words:
    shown, name = user.display_name, user.name
    return Words(f"{shown} ({name})", f"{shown}（{name}）") if shown else same(name)
