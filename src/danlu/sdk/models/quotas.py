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
class QuotaStanding:
    """The quotas that apply to a person (including their groups) or a group, and how much is used."""

    items: tuple[QuotaRow, ...] = ()
    storage: tuple[StorageRow, ...] = ()
    budgets: tuple[Budget, ...] = ()


READERS.update(
    {
        Quota: {"raises": ("raises", each(QuotaRaise))},
        QuotaRow: {"job_class": ("class", None)},
        QuotaStanding: {
            "items": ("items", each(QuotaRow)),
            "storage": ("storage", each(StorageRow)),
            "budgets": ("budgets", each(Budget)),
        },
    }
)
