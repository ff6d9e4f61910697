"""Quotas and budgets."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.quotas.bounds import Bounds
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.quotas.storage import Storage, StorageBounds
from danlu.ports.code import PeoplesCode
from danlu.ports.results import Results
from danlu.ports.storage import PersonalUse


@dataclass(frozen=True, slots=True)
class QuotasRoom:
    quotas: Quotas
    budgets: Budgets
    storage: Storage
    bounds: Bounds


def build(
    on: Foundation,
    personal: PersonalUse,
    code: PeoplesCode,
    bounds: StorageBounds,
    most_tasks: int | None,
    results: Results | None = None,
) -> QuotasRoom:
    """`bounds` and `most_tasks` hold for each person where no quota says so."""
    storage = Storage(on.registry, personal, code, on.store, on.clock, bounds, results)
    return QuotasRoom(
        quotas=Quotas(on.registry, on.store, on.clock, storage, most_tasks),
        budgets=Budgets(on.registry, on.store, on.view.live_of, on.clock),
        storage=storage,
        bounds=Bounds(on.registry, on.store, on.planner.snapshot),
    )
