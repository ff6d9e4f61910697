"""Quotas, as methods of the client: what people and groups may hold at once, and what of it they use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from danlu.sdk import models
from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http

Amounts = Mapping[str, Mapping[str, Any]]
"""By class of jobs (or `all`), then by resource: `{"workspace": {"gpus": 2, "memory": "64GiB"}}`; None is no bound."""


@dataclass(frozen=True)
class QuotaRaise:
    """More for a while, and who granted it."""

    amounts: Amounts = field(default_factory=dict)
    until: str = ""
    by: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Quota:
    """How much jobs may hold at once: of `user:NAME`, of all members of `group:NAME` together, or by `default`. Memory
    and storage are in bytes."""

    name: str
    amounts: Amounts = field(default_factory=dict)
    storage: Mapping[str, int | None] = field(default_factory=dict)
    raises: tuple[QuotaRaise, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class QuotaRow:
    """One bound and what is used of it; `source` is user, default, group or raise, `until` when a raise ends."""

    quota: str
    job_class: str
    resource: str
    limit: float | None = None
    used: float = 0
    source: str = ""
    until: str | None = None


@dataclass(frozen=True)
class StorageRow:
    """Storage of one type, in bytes."""

    type: str
    limit: int | None = None
    used: int = 0


@dataclass(frozen=True)
class Budget:
    """GPU-hours of a priority class in a calendar month."""

    priority: str
    budget: float = 0
    spent: float = 0
    since: str = ""
    renews: str = ""


@dataclass(frozen=True)
class QuotaStanding:
    """What holds for a person or a group, and what of it is used."""

    items: tuple[QuotaRow, ...] = ()
    storage: tuple[StorageRow, ...] = ()
    budgets: tuple[Budget, ...] = ()


class Quotas:
    """Names are `user:NAME`, `group:NAME` and `default`. For administrators, but for what holds for oneself."""

    http: Http

    def quotas(self, search: str | None = None) -> list[Quota]:
        filters = {"search": search} if search else {}
        return [_quota(one) for one in self.pages("quotas", None, filters)]

    def quota(self, name: str) -> Quota:
        return _quota(self.http.json("GET", _path(name)))

    def set_quota(self, name: str, **said: Any) -> Quota:
        """Make a quota what `amounts`, `storage` and `description` say, and no more; raises stay."""
        return _quota(self.http.json("PUT", _path(name), body=said))

    def edit_quota(self, name: str, **changes: Any) -> Quota:
        """Change `amounts`, `storage` or `description`; what is left out stays."""
        return _quota(self.http.json("PATCH", _path(name), body=changes))

    def set_quotas(self, names: Sequence[str], **said: Any) -> list[Quota]:
        """Say the same of many, or of none; what is left out stays."""
        found = self.http.json("POST", "quotas/bulk", body={"names": list(names), **said})
        return [_quota(one) for one in found["items"]]

    def delete_quota(self, name: str) -> None:
        self.http.json("DELETE", _path(name))

    def raise_quota(self, name: str, amounts: Amounts, life: str, reason: str = "") -> Quota:
        """More for a while, such as `7d`; it ends by itself."""
        body = {"amounts": amounts, "life": life, "reason": reason}
        return _quota(self.http.json("POST", f"{_path(name)}/raises", body=body))

    def end_raises(self, name: str) -> Quota:
        return _quota(self.http.json("DELETE", f"{_path(name)}/raises"))

    def user_quota(self, name: str) -> QuotaStanding:
        """What holds for a person and their groups, what of it is used, and their budgets of this month."""
        return _standing(self.http.json("GET", f"users/{segment(name)}/quota"))

    def group_quota(self, name: str) -> QuotaStanding:
        return _standing(self.http.json("GET", f"groups/{segment(name)}/quota"))

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError


def _path(name: str) -> str:
    return f"quotas/{segment(name)}"


def _quota(found: Mapping[str, Any]) -> Quota:
    raises = tuple(
        QuotaRaise(one.get("amounts") or {}, one.get("until", ""), one.get("by", ""), one.get("reason", ""))
        for one in found.get("raises") or ()
    )
    return models.read(Quota, {**found, "raises": raises})


def _standing(found: Mapping[str, Any]) -> QuotaStanding:
    return QuotaStanding(
        tuple(models.read(QuotaRow, one) for one in found.get("items") or ()),
        tuple(models.read(StorageRow, one) for one in found.get("storage") or ()),
        tuple(models.read(Budget, one) for one in found.get("budgets") or ()),
    )
