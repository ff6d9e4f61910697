"""Jobs and attempts as rows, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from danlu.domain.job import Attempt, Job, JobState, Turn
from danlu.domain.resources import Resources
from danlu.store.sql.codec import (
    PROGRESS,
    dump,
    dump_or_none,
    load_ending,
    load_progress,
    load_reason,
    load_saved,
    load_source,
    load_spec,
    load_tasks,
    load_turn,
)
from danlu.store.sql.schema import attempts, jobs

_LARGEST = 2**63 - 1
_FIRST = Turn()
"""The turn nobody changed: kept as NULL, since nearly all are like it."""

SELECT_JOBS = select(
    jobs.c.id,
    jobs.c.owner,
    jobs.c.spec,
    jobs.c.created_at,
    jobs.c.version,
    jobs.c.spec_version,
    jobs.c.state,
    jobs.c.reason,
    jobs.c.attempts,
    jobs.c.restarts,
    jobs.c.ending,
    jobs.c.warned,
    jobs.c.turn,
    jobs.c.queued_at,
    jobs.c.started_at,
    jobs.c.ended_at,
    jobs.c.cloned_from,
    jobs.c.saved,
    attempts.c.number,
    attempts.c.tasks,
    attempts.c.created_at,
    attempts.c.ended_at,
    attempts.c.reason,
    attempts.c.progress,
).outerjoin_from(jobs, attempts, (attempts.c.job_id == jobs.c.id) & (attempts.c.number == jobs.c.attempts))
"""Whole jobs with their latest attempt, for `load_job`."""

SELECT_ATTEMPTS = select(
    attempts.c.number,
    attempts.c.tasks,
    attempts.c.created_at,
    attempts.c.ended_at,
    attempts.c.reason,
    attempts.c.progress,
)


def load_job(row: Sequence[Any]) -> Job:
    (id_, owner, spec, created_at, version, spec_version, state, reason, tried, restarts, ending, warned,
     turn, queued_at, started_at, ended_at, cloned_from, saved, *attempt) = row  # fmt: skip
    return Job(
        id=id_,
        owner=owner,
        spec=load_spec(spec),
        created_at=created_at,
        version=version,
        spec_version=spec_version,
        state=JobState(state),
        reason=load_reason(reason),
        attempt=None if attempt[0] is None else load_attempt(attempt),
        attempts=tried,
        restarts=restarts,
        ending=load_ending(ending),
        warned=bool(warned),
        turn=_FIRST if turn is None else load_turn(turn),
        queued_at=queued_at,
        started_at=started_at,
        ended_at=ended_at,
        cloned_from=load_source(cloned_from),
        saved=load_saved(saved),
    )


def load_attempt(row: Sequence[Any]) -> Attempt:
    number, tasks, created_at, ended_at, reason, progress = row
    known = Attempt(number, load_tasks(tasks), created_at, ended_at, load_reason(reason))
    return known if progress is None else replace(known, **load_progress(progress))


def standing(job: Job) -> dict[str, Any]:
    """The columns that change as a job lives."""
    return {
        "state": job.state.value,
        "live": job.active or bool(job.live_tasks),
        "spec_version": job.spec_version,
        "attempts": job.attempts,
        "restarts": job.restarts,
        "warned": job.warned,
        "queued_at": job.queued_at,
        "started_at": job.started_at,
        "ended_at": job.ended_at,
        "reason": dump_or_none(job.reason),
        "ending": dump_or_none(job.ending),
        "turn": None if job.turn == _FIRST else dump(job.turn),
        "saved": dump_or_none(job.saved),
    }


def asked(job: Job) -> dict[str, Any]:
    """The columns that change only with the specification."""
    spec = job.spec
    wanted = [(role.resources, role.replicas) for role in spec.roles]
    return {
        "name": spec.name,
        "folded": spec.name.lower(),
        "project": spec.project,
        "kind": spec.kind.value,
        "job_class": spec.job_class.value,
        "priority": spec.priority,
        "gpu_milli": min(sum(each.gpu_milli * count for each, count in wanted), _LARGEST),
        "gpu_model": next((each.gpu_model for each, _ in wanted if each.gpu_model and each.gpu_milli), None),
        "cpu_milli": min(sum(each.cpu_milli * count for each, count in wanted), _LARGEST),
        "memory": min(sum(each.memory * count for each, count in wanted), _LARGEST),
        "tasks": spec.tasks_asked,
        "image": spec.image,
        "spec": dump(spec),
        "gpu_mix": _mix(wanted),
    }


def _mix(wanted: Sequence[tuple[Resources, int]]) -> str | None:
    """How much of which model, where one name does not say it; no model goes by the empty word."""
    mix: dict[str, int] = {}
    for each, count in wanted:
        if each.gpu_milli:
            model = each.gpu_model or ""
            mix[model] = min(mix.get(model, 0) + each.gpu_milli * count, _LARGEST)
    return dump(mix) if len(mix) > 1 else None


def attempt_values(job: Job, attempt: Attempt) -> dict[str, Any]:
    return {
        "job_id": job.id,
        "number": attempt.number,
        "created_at": attempt.created_at,
        "ended_at": attempt.ended_at,
        "reason": dump_or_none(attempt.reason),
        "tasks": dump(attempt.tasks),
        "progress": _progress(attempt),
    }


def _progress(attempt: Attempt) -> str | None:
    told = {name: value for name in PROGRESS if (value := getattr(attempt, name))}
    return dump(told) if told else None
