"""Quotas and their use, as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.control.quotas.budgets import Budget
from danlu.control.quotas.quotas import QuotaStanding
from danlu.domain.quota import Bound
from danlu.server.http.answering import Json, moment, resource_number
from danlu.server.quotas import models


def standing(one: QuotaStanding, budgets: Iterable[Budget] = ()) -> Json:
    return {
        "items": [_row(bound, used) for bound, used in one.bounds],
        "storage": [models.StorageRow.render(each) for each in one.storage],
        "budgets": [models.Budget.render(each) for each in budgets],
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
