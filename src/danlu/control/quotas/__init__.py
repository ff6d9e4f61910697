"""Quotas and budgets."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas


@dataclass(frozen=True, slots=True)
class QuotasRoom:
    quotas: Quotas
    budgets: Budgets


def build(on: Foundation) -> QuotasRoom:
    return QuotasRoom(
        quotas=Quotas(on.registry, on.store, on.clock),
        budgets=Budgets(on.registry, on.store, on.view.live_of, on.clock),
    )
