"""Quotas as the JSON that clients get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from danlu.control.quotas.budgets import Budget
from danlu.control.quotas.quotas import Standing
from danlu.domain.quota import Bound
from danlu.domain.rules import UNLIMITED, Amounts, Quota, QuotaAmounts
from danlu.files.quantities import plain_number
from danlu.server.http.answering import (
    Json,
    instant,
    moment,
    resource_number,
)


def quota(one: Quota) -> Json:
    return {
        "name": one.name,
        "amounts": quota_amounts(one.amounts),
        "storage": {kind: _bytes(size) for kind, size in one.storage.items()},
        "raises": [
            {
                "amounts": quota_amounts(more.amounts),
                "until": instant(more.until),
                "by": more.by,
                "reason": more.reason,
            }
            for more in one.raises
        ],
        "description": one.description,
    }


def quota_amounts(amounts: QuotaAmounts) -> Json:
    """Amounts by class as clients write them: null is no bound."""
    return {within: _amounts(counted) for within, counted in amounts.items()}


def standing(one: Standing, budgets: Iterable[Budget] = ()) -> Json:
    return {
        "items": [_row(bound, used) for bound, used in one.bounds],
        "storage": [{"type": kind, "limit": size, "used": 0} for kind, size in sorted(one.storage.items())],
        "budgets": [_budget(each) for each in budgets],
    }


def _row(bound: Bound, used: int) -> Json:
    return {
        "quota": bound.quota,
        "class": bound.within,
        "resource": bound.resource,
        "limit": None if bound.limit is None else resource_number(bound.resource, bound.limit),
        "used": resource_number(bound.resource, used),
        "source": bound.source.value,
        "until": moment(bound.until),
    }


def _budget(one: Budget) -> Json:
    return {
        "priority": one.priority,
        "budget": plain_number(one.budget),
        "spent": plain_number(one.spent),
        "since": instant(one.since),
        "renews": instant(one.renews),
    }


def _amounts(amounts: Amounts | Mapping[str, int]) -> Json:
    return {
        resource: None if amount == UNLIMITED else resource_number(resource, amount)
        for resource, amount in amounts.items()
    }


def _bytes(size: int) -> int | None:
    return None if size == UNLIMITED else size
