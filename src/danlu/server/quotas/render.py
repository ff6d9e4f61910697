"""Quotas and their use, as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.control.quotas.bounds import OtherBounds
from danlu.control.quotas.budgets import Budget
from danlu.control.quotas.quotas import QuotaStanding
from danlu.domain.quantity import show_time
from danlu.domain.quota import Bound
from danlu.scheduler.bounds import CapUse, LimitUse
from danlu.server.http.answering import Json, moment, resource_number
from danlu.server.quotas import models


def standing(one: QuotaStanding, budgets: Iterable[Budget] = (), others: OtherBounds | None = None) -> Json:
    others = others or OtherBounds()
    return {
        "items": [_row(bound, used) for bound, used in one.bounds],
        "storage": [models.StorageRow.render(each) for each in one.storage],
        "budgets": [models.Budget.render(each) for each in budgets],
        "limits": [_limit(each) for each in others.limits],
        "caps": [_cap(each) for each in others.caps],
    }


def _limit(use: LimitUse) -> Json:
    limit = use.limit
    return {
        "name": limit.name,
        "shared": limit.user is None,
        "project": use.project,
        "class": limit.job_class.value if limit.job_class else None,
        "gpus": None if limit.gpu_milli is None else limit.gpu_milli / 1000,
        "used": use.used / 1000,
        "max_time": None if limit.max_time is None else show_time(limit.max_time),
    }


def _cap(use: CapUse) -> Json:
    return {
        "project": use.project,
        "resource": use.resource,
        "limit": resource_number(use.resource, use.cap),
        "used": resource_number(use.resource, use.used),
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
