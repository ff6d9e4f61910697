"""What every capability is built on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.rules.registry import Registry
from danlu.ports.clock import Clock, Ids
from danlu.ports.store import Store


@dataclass(frozen=True, slots=True)
class Foundation:
    """The store, the rules and the plane as this process sees them; `wake` is called after people's writes."""

    store: Store
    clock: Clock
    ids: Ids
    registry: Registry
    view: ActiveView
    planner: Planner
    wake: Callable[[], None]
