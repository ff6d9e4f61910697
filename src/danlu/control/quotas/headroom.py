"""How many tasks people are known to have left of a cap that few ever reach, so that not every start must count."""

from __future__ import annotations

from danlu.domain.job import Time

_KNOWN_FOR = 10_000
_PART = 4
"""Other processes may start tasks of the same person: only a part of what is left is used without counting again."""


class Headroom:
    """Any thread: what two threads do at once costs at most a count more."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[int, Time]] = {}

    def learn(self, owner: str, left: int, now: Time) -> None:
        """So many were left when they were counted."""
        self._left[owner] = (left // _PART, now + _KNOWN_FOR)

    def covers(self, owner: str, tasks: int, now: Time) -> bool:
        """Whether so many are surely left; then they are used."""
        left, until = self._left.get(owner, (0, 0))
        if now >= until or tasks > left:
            return False
        self._left[owner] = (left - tasks, until)
        return True
