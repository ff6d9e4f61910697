"""Who holds the GPUs that others wait for, and until when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from danlu.control.plane.view import ActiveView
from danlu.control.usage.panel import Amount, Panel, amount_of
from danlu.domain.job import Job, JobState, Time
from danlu.domain.permissions import Caller, Permission
from danlu.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that holds GPUs of one model, on so many nodes; `readable` says whether the caller may know which job it
    is. It is expected to end at one moment and has ended at another; None: nobody said."""

    model: str
    job: Job
    milli: int
    nodes: int
    began: Time
    expected_end: Time | None
    latest_end: Time | None
    readable: bool

    def frees_at(self, now: Time) -> Time | None:
        """When its GPUs are likely free: as expected, unless that has passed."""
        if self.job.state is JobState.STOPPING:
            return now
        expected = self.expected_end if self.expected_end is not None and self.expected_end > now else None
        known = [end for end in (expected, self.latest_end) if end is not None]
        return min(known, default=None)


@dataclass(frozen=True, slots=True)
class HeldModel:
    """GPUs of one model, and how many jobs hold some."""

    model: str
    amount: Amount
    jobs: int


@dataclass(frozen=True, slots=True)
class HeldGpus:
    """Holders by model, of each the one first whose GPUs are free first; and whether there are more."""

    models: tuple[HeldModel, ...]
    holders: tuple[Holder, ...]
    more: bool


class Holders:
    """Any thread."""

    def __init__(self, view: ActiveView, panel: Panel, clock: Clock) -> None:
        self._view, self._panel, self._clock = view, panel, clock

    def of(
        self,
        caller: Caller,
        models: Collection[str] | None,
        limit: int,
        after: tuple[str, int] | None = None,
    ) -> HeldGpus:
        """Who holds GPUs of these models, or of all; the page begins after the holder with this rank of a model."""
        caller.require(Permission.QUEUE_READ)
        found = [
            holder
            for job in self._view.live()
            for holder in held_by(job, readable=caller.may(Permission.JOB_READ, job.owner))
            if models is None or holder.model in models
        ]
        ranked = _ranked(found, self._clock.now())
        rest = [holder for holder, rank in ranked if after is None or (holder.model, rank) > after]
        count, jobs = self._panel.count(), Counter(holder.model for holder in found)
        named = [model for model in count.models() if models is None or model in models]
        return HeldGpus(
            tuple(HeldModel(model, amount_of(count, model, caller.name), jobs[model]) for model in named),
            tuple(rest[:limit]),
            len(rest) > limit,
        )


def held_by(job: Job, *, readable: bool) -> list[Holder]:
    """What a job holds, model by model; nothing where it has no GPUs."""
    gpus: Counter[str] = Counter()
    nodes: dict[str, set[str]] = {}
    for task in job.live_tasks:
        if task.gpus and task.model:
            gpus[task.model] += sum(grant.milli for grant in task.gpus)
            nodes.setdefault(task.model, set()).add(task.node)
    if not gpus or job.attempt is None:
        return []
    spec, began = job.spec, job.attempt.created_at
    runs_since = job.started_at if job.state is JobState.RUNNING and job.started_at is not None else began
    expected = None if spec.expected_time is None else runs_since + spec.expected_time
    latest = None if spec.max_time is None else began + spec.max_time
    return [
        Holder(model, job, milli, len(nodes[model]), began, expected, latest, readable)
        for model, milli in gpus.items()
    ]


def _ranked(holders: Sequence[Holder], now: Time) -> list[tuple[Holder, int]]:
    """Each with its rank among those of its model, from 1."""

    def key(holder: Holder) -> tuple[str, bool, Time, int, str]:
        end = holder.frees_at(now)
        return (holder.model, end is None, end or 0, -holder.milli, holder.job.id)

    ranks: Counter[str] = Counter()
    ranked = []
    for holder in sorted(holders, key=key):
        ranks[holder.model] += 1
        ranked.append((holder, ranks[holder.model]))
    return ranked
