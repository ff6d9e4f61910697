"""How a project stands: what it holds, wants and deserves, by the same sums as decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from danlu.domain.rules import CPUS, GPUS, MEMORY, Amounts
from danlu.scheduler.ask import ANY
from danlu.scheduler.board import Snapshot, demand_of
from danlu.scheduler.shares import Shares, Tally


@dataclass(frozen=True, slots=True)
class Share:
    """One resource of one project; None where nothing is said of it. `deserved` is its part of what all hold and wait
    for at the moment: None where no shares are worked out, and for a project that draws on another's."""

    resource: str
    held: int
    queued: int
    guarantee: int | None
    cap: int | None
    deserved: int | None


def shares_of(snapshot: Snapshot, project: str) -> tuple[Share, ...]:
    """Every resource that the project holds, wants or has rules for, and all GPU models."""
    rules, use = snapshot.rules, snapshot.use
    ruled = rules.project(project)
    held = _sum([use.projects.get(project, {}), use.leaving.get(project, {})])
    queued = _sum(_wanted(snapshot, project))
    shares = Shares(snapshot, Tally(rules, use.projects, use.people, ()))
    shares.divide()
    divided = {*snapshot.cluster.models, CPUS, *ruled.guarantee} if ruled.account == project else set()
    named = {*snapshot.cluster.models, *held, *queued, *ruled.guarantee, *ruled.cap} - {
        ANY,
        CPUS,
        MEMORY,
        GPUS,
    }
    return tuple(
        Share(
            name,
            held.get(name, 0),
            queued.get(name, 0),
            ruled.guarantee.get(name),
            ruled.cap.get(name),
            shares.deserved(project, name) if name in divided else None,
        )
        for name in (*sorted(named), GPUS, CPUS, MEMORY)
    )


def _wanted(snapshot: Snapshot, project: str) -> Iterator[Amounts]:
    yield snapshot.use.demand.get(project, {})
    yield from (demand_of(job.ask) for job in snapshot.apart if job.project == project)
    yield from (demand_of(one.ask, one.tasks) for one in snapshot.elastic if one.project == project)


def _sum(parts: Iterable[Amounts]) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, 0) + amount
    return total
