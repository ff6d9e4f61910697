"""What the server answers about quotas."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping

from danlu.sdk.models.reading import READERS, each


@dataclass(frozen=True)
class QuotaRaise:
    """A temporary raise, and who granted it."""

    amounts: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    until: str = ""
    by: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Quota:
    """How much jobs may use at once, queued jobs included: of `user:NAME`, of all members of `group:NAME` together,
    or of everybody without their own quota (`default`). GPUs and CPUs as numbers, memory and storage in bytes; null
    is unlimited."""

    name: str = ""
    amounts: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    storage: Mapping[str, int | None] = field(default_factory=dict)
    raises: tuple[QuotaRaise, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class QuotaRow:
    """One limit and how much of it is used; `limit` null is unlimited. `until` is when a raise expires."""

    quota: str = ""
    job_class: str = ""
    resource: str = ""
    limit: float | None = None
    used: float = 0
    source: str = ""
    until: str | None = None


@dataclass(frozen=True)
class StorageRow:
    """Storage of one type, in bytes: `local` is the personal directory, `code` what was uploaded for jobs.
    `counted_at` is when it was counted; null if it is not counted, or not yet."""

    type: str = ""
    limit: int | None = None
    used: int = 0
    counted_at: str | None = None


@dataclass(frozen=True)
class Budget:
    """GPU-hours of one priority class in a calendar month (UTC); `renews` is when the next month begins."""

    priority: str = ""
    budget: float = 0
    spent: float = 0
    since: str = ""
    renews: str = ""


@dataclass(frozen=True)
class LimitUse:
    """A limit on a person's jobs: GPUs at once, of which so many are in use, or how long a job may run. `shared`:
    those of others count too. `project` is whose use it is, if the limit is on each project or on one."""

    name: str = ""
    shared: bool = False
    project: str | None = None
    job_class: str | None = None
    gpus: float | None = None
    used: float = 0
    max_time: str | None = None


@dataclass(frozen=True)
class CapUse:
    """What the running jobs of a project may use of one resource together, and use."""

    project: str = ""
    resource: str = ""
    limit: float = 0
    used: float = 0


@dataclass(frozen=True)
class QuotaStanding:
    """What bounds a person (including their groups) or a group, and how much is used: quotas, and of a person this
    month's budgets, limits, and caps of the projects that they may queue in."""

    items: tuple[QuotaRow, ...] = ()
    storage: tuple[StorageRow, ...] = ()
    budgets: tuple[Budget, ...] = ()
    limits: tuple[LimitUse, ...] = ()
    caps: tuple[CapUse, ...] = ()


READERS.update(
    {
        Quota: {"raises": ("raises", each(QuotaRaise))},
        QuotaRow: {"job_class": ("class", None)},
        LimitUse: {"job_class": ("class", None)},
        QuotaStanding: {
            "items": ("items", each(QuotaRow)),
            "storage": ("storage", each(StorageRow)),
            "budgets": ("budgets", each(Budget)),
            "limits": ("limits", each(LimitUse)),
            "caps": ("caps", each(CapUse)),
        },
    }
)
