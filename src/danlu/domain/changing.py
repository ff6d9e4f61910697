"""Changing a job's specification, also while it is queued: what it keeps of its turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from danlu.domain.events import JobChanged, JobEdited
from danlu.domain.events.base import Event
from danlu.domain.job import Job, JobSpec, JobState, Time
from danlu.domain.quantity import show_milli, show_size, show_time


def may_change(job: Job) -> bool:
    """Whether nothing runs by its specification: it is not active, or only waits."""
    return not job.live_tasks and (not job.active or job.state is JobState.QUEUED)


def changed(job: Job, spec: JobSpec, by: str, now: Time) -> tuple[Job, Event]:
    """The job with this specification, and what to record.

    A queued job is taken back, changed and queued again in one act. It keeps its turn if it asks for no more than
    before; else it goes behind those who wait already, as if it were submitted now, and a pin is gone: it was given
    to another request. Either way it has waited since it was first queued."""
    newer = replace(job, spec=spec, spec_version=job.spec_version + 1)
    if job.state is not JobState.QUEUED:
        return newer, JobEdited(by, newer.spec_version)
    keeps = asks_no_more(job.spec, spec)
    # Room that was being made, and a cluster's rejection, were for the former request.
    turn = replace(job.turn, nominated=(), refusals=0, held_until=None)
    if spec.inputs != job.spec.inputs:
        turn = replace(turn, fetched=False)
    if not keeps:
        turn = replace(turn, pinned_at=None, slot_at=now, slot_id=job.id)
    return replace(newer, turn=turn), JobChanged(by, newer.spec_version, keeps)


def asks_no_more(before: JobSpec, after: JobSpec) -> bool:
    """Whether nobody who waits could lose by this change: the same queue, no more of anything, for no longer."""
    same = (before.kind, before.project, before.priority) == (after.kind, after.project, after.priority)
    return (
        same
        and _within(_models(after), _models(before))
        and all(map(_no_more, _asked(after), _asked(before)))
    )


def asked_for(spec: JobSpec) -> dict[str, Any]:
    """What counts in the queue, for the audit log."""
    gpus, cpus, memory, *_ = _asked(spec)
    models = _models(spec)
    return {
        "project": spec.project,
        "priority": spec.priority,
        "gpus": show_milli(gpus or 0),
        "gpu": "|".join(sorted(models)) if models else "",
        "cpus": show_milli(cpus or 0),
        "memory": show_size(memory or 0),
        "tasks": spec.size,
        "max_time": show_time(spec.max_time) if spec.max_time is not None else "",
    }


def _asked(spec: JobSpec) -> tuple[int | None, ...]:
    sizes = [role.resources.times(role.replicas) for role in spec.roles]
    return (
        sum(size.gpu_milli for size in sizes),
        sum(size.cpu_milli for size in sizes),
        sum(size.memory for size in sizes),
        max(role.resources.gpu_milli for role in spec.roles),
        spec.size,
        spec.max_time,
    )


def _no_more(after: int | None, before: int | None) -> bool:
    """None is without bound."""
    return before is None or (after is not None and after <= before)


def _models(spec: JobSpec) -> frozenset[str] | None:
    """The GPU models whose lanes it waits in; None: any."""
    asked = [role.resources.models for role in spec.roles if role.resources.gpu_milli]
    return frozenset(model for models in asked for model in models) if all(asked) else None


def _within(after: frozenset[str] | None, before: frozenset[str] | None) -> bool:
    return before is None or (after is not None and after <= before)
