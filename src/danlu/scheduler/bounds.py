"""How much of limits and caps is used, by the same sums as decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from danlu.domain.rules import EACH, Limit
from danlu.scheduler.board import Snapshot
from danlu.scheduler.shares import Tally, limited


@dataclass(frozen=True, slots=True)
class LimitUse:
    """A limit that applies to a person, and the GPUs in use under it; `project` is whose use it is, where the limit is
    on each project separately or on one."""

    limit: Limit
    project: str | None
    used: int


@dataclass(frozen=True, slots=True)
class CapUse:
    """What a project may use of one resource at most, and uses."""

    project: str
    resource: str
    cap: int
    used: int


def limits_on(snapshot: Snapshot, owner: str, projects: Collection[str]) -> Iterator[LimitUse]:
    """The limits that apply to a person who uses these projects."""
    held = _held(snapshot)
    accounts = sorted({snapshot.rules.account(name) for name in projects})
    for limit in snapshot.rules.limits:
        if limit.user not in (None, EACH, owner) or limit.project not in (None, EACH, *projects, *accounts):
            continue
        if limit.project != EACH:
            yield LimitUse(limit, limit.project, held.limits[limited(limit, owner, "")])
            continue
        uses = ((name, held.limits[limited(limit, owner, name)]) for name in accounts)
        in_use = [LimitUse(limit, name, used) for name, used in uses if used]
        yield from in_use or (LimitUse(limit, None, 0),)


def caps_on(snapshot: Snapshot, projects: Collection[str]) -> Iterator[CapUse]:
    """The caps of these projects, and of the one whose share they draw on."""
    held = _held(snapshot)
    for name in sorted({*projects, *(snapshot.rules.account(one) for one in projects)}):
        for resource, cap in sorted(snapshot.rules.project(name).cap.items()):
            yield CapUse(name, resource, cap, held.of_project(snapshot.rules.project(name), resource))


def _held(snapshot: Snapshot) -> Tally:
    """What tasks hold, those included that have not left yet."""
    use = snapshot.use
    tally = Tally(snapshot.rules, use.projects, {}, ())
    for project, amounts in use.leaving.items():
        tally.sum(project, amounts)
    for one in use.holdings:
        for amounts in (one.staying, one.leaving):
            tally.limit(one.owner, one.project, one.job_class, amounts)
    return tally
