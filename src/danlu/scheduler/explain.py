"""Why each job waits, in numbers, with the jobs ahead of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from danlu.domain.arrays import Mask
from danlu.domain.quantity import show_milli, show_size
from danlu.domain.reasons import (
    BackingOff,
    BehindOthers,
    ClosingSoon,
    HeldBack,
    HeldByOthers,
    MakingRoom,
    NodesCordoned,
    NodesLowOnDisk,
    NodeTaskCap,
    NoSuchNode,
    NotEnoughGpus,
    NotEnoughRoom,
    NotInOneCluster,
    NotTogether,
    Reason,
    ReservedFor,
    UnderMaintenance,
)
from danlu.domain.rules import GPUS
from danlu.scheduler.ask import Ask
from danlu.scheduler.closed import closed_cards, closing_soon, cordoned, in_maintenance
from danlu.scheduler.draft import Draft
from danlu.scheduler.failures import Failures
from danlu.scheduler.model import Lane, Pending
from danlu.scheduler.possible import could_ever_start

ANY_MODEL = "GPU"
_WAIT_STEP, _SOON_STEP = 15_000, 1_000
HOLDS_UP_NOBODY = NoSuchNode | HeldByOthers | UnderMaintenance | NodesCordoned | NodesLowOnDisk | ClosingSoon
Selector = tuple[tuple[str, str], ...]


def explain(draft: Draft, failures: Failures) -> Mapping[str, Reason]:
    """A reason for every job that still waits. If it is in several lanes, the most promising one counts."""
    reasons: dict[str, Reason] = {}
    for lane, jobs in draft.waiting().items():
        waiting: Counter[Selector] = Counter()
        for job in jobs:
            if job.fetching is not None:
                reasons[job.job_id] = draft.snapshot.fetching.get(job.job_id, job.fetching)
                continue
            if job.job_id in draft.promised:
                reasons[job.job_id] = MakingRoom(len(draft.promised[job.job_id].after))
                continue
            gate = _held_back(draft, job) or draft.volumes.shut(job) or failures.gate(job, lane)
            reason = gate or why(draft, failures, lane, job, _ahead(waiting, job.ask.selector))
            if gate is None and not isinstance(reason, HOLDS_UP_NOBODY):
                waiting[job.ask.selector] += 1
            known = reasons.get(job.job_id)
            if known is None or _hope(reason) < _hope(known):
                reasons[job.job_id] = reason
    return reasons


def _held_back(draft: Draft, job: Pending) -> Reason | None:
    """The time is rounded unless it is short, so that the reason is not rewritten every second."""
    if job.held_until is None or not draft.held_back(job):
        return None
    left = job.held_until - draft.snapshot.now
    step = _WAIT_STEP if job.refusals or left > _WAIT_STEP else _SOON_STEP
    wait = -(-left // step) * step
    return HeldBack(job.refusals, wait) if job.refusals else BackingOff(job.troubles, wait)


def _ahead(waiting: Mapping[Selector, int], selector: Selector) -> int:
    """How many of these could use the same nodes: not those that require another value of a label."""
    if len(waiting) <= 1 and selector in waiting:
        return waiting[selector]
    mine = dict(selector)
    return sum(
        count
        for other, count in waiting.items()
        if all(mine.get(label, value) == value for label, value in other)
    )


def why(draft: Draft, failures: Failures, lane: Lane, job: Pending, ahead: int) -> Reason:
    """What a job waits for in a lane, with so many ahead of it there."""
    cluster = draft.snapshot.cluster
    if not could_ever_start(cluster, job.ask, lane[0]):
        if could_ever_start(cluster.without_others, job.ask, lane[0]):
            return HeldByOthers(wanted(job.ask))
        closed = in_maintenance(draft, job.ask, lane[0]) or cordoned(draft, job.ask, lane[0])
        return closed or NoSuchNode(wanted(job.ask))
    holder = failures.reserved_for(job, lane)
    if holder is not None and holder.job_id != job.job_id:  # it would fit on nodes that stay open long enough
        return ReservedFor(wanted(holder.ask))
    if (closing := closing_soon(draft, job, lane[0])) is not None:
        return closing
    head = failures.heads.get(lane)
    if ahead and (head is None or head.job_id != job.job_id):
        return BehindOthers(_roughly(ahead))
    return lacking(draft, job.ask, lane[0], draft.closing.open(job.max_time))


def lacking(draft: Draft, ask: Ask, model: str, nodes: Mask | None) -> Reason:
    """What is lacking for the job's minimum on these nodes (None: all nodes)."""
    gang = ask.gangs[-1]
    part = max(gang, key=lambda part: part.size.gpu_milli * max(1, part.minimum))
    tasks = ask.tasks(gang)
    fits = draft.room.counts(ask, gang, model, nodes)
    fit = max(fits)
    if fit >= tasks and ask.same:
        return NotTogether(ask.same, tasks, draft.room.closest(ask, part, model, nodes))
    if fit < tasks <= sum(fits):
        return NotInOneCluster(tasks, fit)
    if crowded := draft.room.crowded(ask, part, model, nodes):
        node = draft.snapshot.cluster.nodes[crowded[0]]
        return NodeTaskCap(len(crowded), node.name, node.max_tasks or 0)
    fit = min(fit, tasks - 1)  # one by one they might, but not as they must be together
    if not part.size.gpu_milli:
        return NotEnoughRoom(part.size.cpu_milli, part.size.memory, tasks, fit)
    name = part.size.gpu_model or ANY_MODEL
    return NotEnoughGpus(ask.amounts(model).get(GPUS, 0), name, tasks, fit, *closed_cards(draft, ask, model))


def wanted(ask: Ask) -> str:
    """What a job's minimum is made of."""
    parts = []
    for part in ask.gangs[0]:
        size = part.size
        gpus = f"{show_milli(size.gpu_milli)} {size.gpu_model or ANY_MODEL}, " if size.gpu_milli else ""
        cpus = f"{show_milli(size.cpu_milli)} CPU, {show_size(size.memory)}"
        parts.append(f"{part.minimum} × ({gpus}{cpus})")
    return " + ".join(parts)


def _hope(reason: Reason) -> int:
    """If a job is in several lanes, the lane in which it comes first is reported."""
    if isinstance(reason, NoSuchNode | HeldByOthers | UnderMaintenance | NodesCordoned | NodesLowOnDisk):
        return 2**40
    if isinstance(reason, ClosingSoon):
        return 2**39
    return reason.ahead if isinstance(reason, BehindOthers) else 0


def _roughly(count: int) -> int:
    """Two leading digits, so that not every reason is rewritten when a long queue moves by one."""
    step = 10 ** max(0, len(str(count)) - 2)
    return int(count - count % step)
