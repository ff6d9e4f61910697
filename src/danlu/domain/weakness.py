"""What is weak about an installation: where, how bad it is, in words, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.domain.words import Words


class Severity(StrEnum):
    """`high`: somebody can get at what is not theirs now. `medium`: one more mistake is enough. `low`: worth tidying
    up."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class WeakArea(StrEnum):
    """Which part of an installation it is about."""

    TASKS = "tasks"
    NETWORK = "network"
    FILES = "files"
    ACCOUNTS = "accounts"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Weakness:
    """`code` is stable; `subjects` are the nodes, files, people or tokens that it is about."""

    code: str
    area: WeakArea
    severity: Severity
    text: Words
    fix: Words
    subjects: tuple[str, ...] = ()
