"""Quotas: what people and groups may use at once, and how much of it they use."""

from __future__ import annotations

from typing import Mapping, Sequence

from danlu.sdk.http.paths import segment
from danlu.sdk.models.quotas import Quota, QuotaStanding
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Resource
from danlu.sdk.resources.former import Listed

Amounts = Mapping[str, Mapping[str, object]]
"""By class of jobs (or `all`), then by resource: `{"workspace": {"gpus": 2, "memory": "64GiB"}}`; None is no bound."""


class Quotas(Resource, Listed):
    """Names are `user:NAME`, `group:NAME` and `default`. For administrators, except for your own standing."""

    path = "quotas"

    def list(self, search: str | None = None) -> Items[Quota]:
        filters = {"search": search} if search else {}
        return [read(Quota, one) for one in self.http.pages(self.path, None, filters)]

    def get(self, name: str) -> Quota:
        return read(Quota, self.http.json("GET", _path(name)))

    def set(self, name: str, **said: object) -> Quota:
        """Replace a quota by `amounts`, `storage` and `description`; raises stay."""
        return read(Quota, self.http.json("PUT", _path(name), body=said))

    def edit(self, name: str, **changes: object) -> Quota:
        """Change `amounts`, `storage` or `description`; what is left out stays."""
        return read(Quota, self.http.json("PATCH", _path(name), body=changes))

    def set_many(self, names: Sequence[str], **said: object) -> Items[Quota]:
        """Make the same change to many, all or none; what is left out stays."""
        found = self.http.json("POST", "quotas/bulk", body={"names": [*names], **said})
        return [read(Quota, one) for one in found["items"]]

    def delete(self, name: str) -> None:
        self.http.json("DELETE", _path(name))

    def add_raise(self, name: str, amounts: Amounts, life: str, reason: str = "") -> Quota:
        """More for a while, such as `7d`; it ends by itself."""
        return self._post(Quota, _path(name, "raises"), {"amounts": amounts, "life": life, "reason": reason})

    def end_raises(self, name: str) -> Quota:
        return read(Quota, self.http.json("DELETE", _path(name, "raises")))

    def of_user(self, name: str) -> QuotaStanding:
        """The quotas of a person and their groups, how much of them is used, and their budgets of this month."""
        return read(QuotaStanding, self.http.json("GET", f"users/{segment(name)}/quota"))

    def of_group(self, name: str) -> QuotaStanding:
        return read(QuotaStanding, self.http.json("GET", f"groups/{segment(name)}/quota"))


def _path(name: str, *rest: str) -> str:
    return "/".join(["quotas", segment(name), *rest])
