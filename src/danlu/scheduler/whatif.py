"""What would start a job now: the same decision on a state in which one thing is different."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from danlu.domain.job import JobClass
from danlu.domain.quantity import show_time
from danlu.domain.reasons import ClosingSoon, Reason, RunTimeLimit
from danlu.domain.rules import ENGINE_LABEL, KUBERNETES, RDMA_LABEL, Project
from danlu.scheduler.ask import Ask, RoleAsk, altered, divided
from danlu.scheduler.board import Snapshot, demand_of
from danlu.scheduler.decide import Decision, decide
from danlu.scheduler.model import Pending, QueueLine

_IMPLIED = {(ENGINE_LABEL, KUBERNETES), (RDMA_LABEL, "true")}
"""Labels that follow from the rest of a job's request: it cannot do without them."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One change of a request: of max_time, gpus, tasks, gpu, project, node_selector or topology; and its new value."""

    key: str
    value: str


def fate(snapshot: Snapshot, job: Pending) -> Reason | None:
    """Why this job would wait if it were queued; None if it would start."""
    return _reason(decide(with_job(snapshot, job)), job.job_id)


def fate_and_place(snapshot: Snapshot, job: Pending) -> tuple[Reason | None, int]:
    """The same, and how many jobs would be before it."""
    decision = decide(with_job(snapshot, job))
    reason = _reason(decision, job.job_id)
    return reason, len(_ahead(decision, job.job_id)) if reason else 0


def _reason(decision: Decision, job_id: str) -> Reason | None:
    if any(start.job_id == job_id and not start.after for start in decision.plan.starts):
        return None
    return decision.waiting[job_id]


def _ahead(decision: Decision, job_id: str) -> set[str]:
    """A job that accepts several models is in several lanes; count each job ahead of it once."""
    before: set[str] = set()
    for jobs in decision.queue.values():
        ids = [one.job_id for one in jobs]
        if job_id in ids:
            before.update(ids[: ids.index(job_id)])
    return before


def what_would_help(
    snapshot: Snapshot, job: Pending, projects: list[Project], reason: Reason | None = None
) -> list[Alternative]:
    """The changes that would start the job now, given why it waits; of those with fewer GPUs or tasks, only the one
    with most."""
    found: list[Alternative] = []
    if job.fetching is not None:  # nothing that it could ask for brings its inputs
        return found
    for change, other in (*_shorter(job, reason), *_changes(snapshot, job, projects)):
        if any(known.key == change.key in ("gpus", "tasks") for known in found):
            continue
        if fate(snapshot, replace(other, nominated=())) is None:
            found.append(change)
    return found


def with_job(snapshot: Snapshot, job: Pending) -> Snapshot:
    """The same state with this job queued in place of the one with its id."""
    old = next((one for line in snapshot.lines for one in line.jobs if one.job_id == job.job_id), None)
    demand = dict(snapshot.use.demand)
    if old is not None:
        less = demand_of(old.ask)
        there = demand.get(old.project, {})
        demand[old.project] = {name: amount - less.get(name, 0) for name, amount in there.items()}
    lines = [_without(line, job) for line in snapshot.lines]
    kept = [at for at, line in enumerate(lines) if line.jobs]
    apart = tuple(one for one in snapshot.apart if one.job_id != job.job_id)
    return replace(
        snapshot,
        lines=tuple(lines[at] for at in kept),
        numbers=snapshot.numbers[:, kept],
        apart=(*apart, job),
        use=replace(snapshot.use, demand=demand),
    )


def _without(line: QueueLine, job: Pending) -> QueueLine:
    if all(one.job_id != job.job_id for one in line.jobs):
        return line
    return replace(line, jobs=tuple(one for one in line.jobs if one.job_id != job.job_id))


def _shorter(job: Pending, reason: Reason | None) -> Iterator[tuple[Alternative, Pending]]:
    """The longest max_time that the reason leaves it."""
    match reason:
        case ClosingSoon(fits=longest) | RunTimeLimit(bound=longest) if longest:
            yield Alternative("max_time", show_time(longest)), replace(job, max_time=longest)


def _changes(
    snapshot: Snapshot, job: Pending, projects: list[Project]
) -> Iterator[tuple[Alternative, Pending]]:
    ask = job.ask
    (part, *others) = ask.gangs[0]
    if not others:
        yield from _smaller(job, ask, part)
        if part.size.gpu_milli:
            for model in snapshot.cluster.models:
                if part.size.models and model not in part.size.models:
                    size = replace(part.size, gpu_model=model)
                    yield Alternative("gpu", model), replace(job, ask=altered(ask, replace(part, size=size)))
    demanded = set(snapshot.rules.project(job.project).node_selector.items())
    own = set(ask.selector) - demanded
    implied = own & _IMPLIED
    for project in projects:
        if project.name != job.project and not project.closed:
            there = altered(ask, selector=tuple(sorted(own | set(project.node_selector.items()))))
            yield Alternative("project", project.name), replace(job, project=project.name, ask=there)
    if own - implied:
        needed = tuple(sorted(demanded | implied))
        yield Alternative("node_selector", ""), replace(job, ask=altered(ask, selector=needed))
    if ask.same:
        yield Alternative("topology", ""), replace(job, ask=altered(ask, same=None))


def _smaller(job: Pending, ask: Ask, part: RoleAsk) -> Iterator[tuple[Alternative, Pending]]:
    """Fewer GPUs per task (or in total, for `nodes: auto`), by powers of two; then half as many tasks, a quarter, …"""
    gpus = 1 << max(0, part.size.whole_gpus - 1).bit_length() >> 1
    while gpus:
        size = part.size.with_gpus(gpus * 1000)
        fewer_gpus = divided(ask, size) if len(ask.gangs) > 1 else altered(ask, replace(part, size=size))
        yield Alternative("gpus", str(gpus)), replace(job, ask=fewer_gpus)
        gpus //= 2
    tasks = part.minimum // 2
    while tasks:
        fewer = altered(ask, replace(part, minimum=tasks, replicas=tasks))
        if tasks == 1 and ask.job_class is JobClass.DISTRIBUTED:
            fewer = altered(fewer, job_class=JobClass.SINGLE)
        yield Alternative("tasks", str(tasks)), replace(job, ask=fewer)
        tasks //= 2
