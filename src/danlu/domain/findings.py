"""Results of checks: how bad it is, in words, and how to fix it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.words import Words


class Level(StrEnum):
    """How serious a finding is: all right, works with less, does not work."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of a cluster: what was found, and how to fix it."""

    code: str
    level: Level
    text: Words
    fix: Words | None = None
