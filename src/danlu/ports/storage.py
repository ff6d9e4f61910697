"""How much of the disk people take where Danlu keeps their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from danlu.domain.environments import Environment
from danlu.domain.job import Time


@dataclass(frozen=True, slots=True)
class DiskFigure:
    """What a person's directory took when it was last counted, in bytes. Unless `complete`, there is more: it is too
    large, or nested too deeply, to be counted to its end."""

    used: int
    entries: int
    counted_at: Time
    complete: bool = True
    too_deep: bool = False


class KeptEnvironments(Protocol):
    """The environments in people's personal directories. Whoever owns them can write there: what is read is bounded,
    and no link is followed."""

    def of(self, owner: str) -> Sequence[Environment]:
        """All of a person's, those used last first."""

    def find(self, owner: str, key: str) -> Environment | None: ...

    def remove(self, owner: str, key: str) -> bool:
        """Delete it, unless a running task uses or builds it: False. Idempotent."""


class PersonalUse(Protocol):
    """What people's personal directories take; counted in the background."""

    def of(self, owner: str) -> DiskFigure | None:
        """The last figure; None if the directory was not counted yet, or does not exist."""
