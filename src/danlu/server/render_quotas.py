"""Quotas as the JSON that clients get; `danlu.wire.quotas` documents it, a test compares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from danlu.control.quotas.budgets import Budget
from danlu.control.quotas.quotas import Standing
from danlu.domain.errors import Shortfall
from danlu.domain.quota import PLAIN, Bound, said
from danlu.domain.rules import MEMORY, UNLIMITED, Amounts, Quota, QuotaAmounts
from danlu.files.quantities import plain_number
from danlu.server.render import instant, moment, words

Json = dict[str, Any]


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


def shortfall(one: Shortfall) -> Json:
    return {
        "quota": one.quota,
        "class": one.within,
        "resource": one.resource,
        "used": _number(one.resource, one.used),
        "asked": _number(one.resource, one.asked),
        "limit": _number(one.resource, one.limit),
        "jobs": list(one.jobs),
        "text": words(said(one)),
    }


def _row(bound: Bound, used: int) -> Json:
    return {
        "quota": bound.quota,
        "class": bound.within,
        "resource": bound.resource,
        "limit": None if bound.limit is None else _number(bound.resource, bound.limit),
        "used": _number(bound.resource, used),
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
        resource: None if amount == UNLIMITED else _number(resource, amount)
        for resource, amount in amounts.items()
    }


def _number(resource: str, amount: int) -> int | float:
    return amount if resource == MEMORY or resource in PLAIN else plain_number(amount)


def _bytes(size: int) -> int | None:
    return None if size == UNLIMITED else size
