"""The queue, as people see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.queue.everybodys import Everybodys
from danlu.control.queue.queue import Queue
from danlu.control.queue.standing import Standings
from danlu.domain.job import Job
from danlu.domain.permissions import Caller


@dataclass(frozen=True, slots=True)
class QueueRoom:
    queue: Queue
    everybodys: Everybodys
    standings: Standings


def build(on: Foundation, find: Callable[[Caller, str], Job]) -> QueueRoom:
    """`find` is a job that somebody may know of."""
    return QueueRoom(
        queue=Queue(on.store, on.view, on.planner, find, on.clock, on.wake),
        everybodys=Everybodys(on.store),
        standings=Standings(on.planner, on.registry, on.store),
    )
