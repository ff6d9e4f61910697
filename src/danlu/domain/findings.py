"""What was found when something was looked at: how bad it is, in words, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.words import Words


class Level(StrEnum):
    """How much a finding matters: all right, works with less, does not work."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at in a cluster, what was found, and how to mend it."""

    code: str
    level: Level
    text: Words
    fix: Words | None = None
