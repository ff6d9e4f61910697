"""Jobs and attempts as rows, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from danlu.domain.job import Attempt, Job, JobState, Turn
from danlu.domain.names import run_title
from danlu.domain.resources import Resources
from danlu.ports.store import JobRow, placed_on
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
_SHOWN = (
    *("name", "project", "kind", "job_class", "priority", "gpu_model", "tasks", "image", "run", "numbered"),
    *("expected_time", "max_time"),
)
_SUMS = ("gpu_milli", "cpu_milli", "memory")
"""What lists show of a specification, kept beside it; sums may be larger than a database can hold."""
_FIRST = Turn()
"""The unchanged turn: stored as NULL, since nearly all are."""

_JOB: Mapping[str, Callable[[Any], Any] | None] = {
    "id": None,
    "owner": None,
    "spec": load_spec,
    "created_at": None,
    "version": None,
    "spec_version": None,
    "state": JobState,
    "reason": load_reason,
    "attempts": None,
    "restarts": None,
    "ending": load_ending,
    "warned": bool,
    "turn": lambda turn: _FIRST if turn is None else load_turn(turn),
    "queued_at": None,
    "started_at": None,
    "ended_at": None,
    "cloned_from": load_source,
    "run": None,
    "numbered": bool,
    "saved": load_saved,
}
"""Columns that are fields of a job, and how each is read where it is not kept as it is."""
_ATTEMPT: Mapping[str, Callable[[Any], Any] | None] = {
    "number": None,
    "tasks": load_tasks,
    "created_at": None,
    "ended_at": None,
    "reason": load_reason,
}
_ATTEMPT_COLUMNS = tuple(attempts.c[name] for name in (*_ATTEMPT, "progress"))

SELECT_JOBS = select(*(jobs.c[name] for name in _JOB), *_ATTEMPT_COLUMNS).outerjoin_from(
    jobs, attempts, (attempts.c.job_id == jobs.c.id) & (attempts.c.number == jobs.c.attempts)
)
"""Whole jobs with their latest attempt, for `load_job`."""
SELECT_ATTEMPTS = select(*_ATTEMPT_COLUMNS)


def load_job(row: Sequence[Any]) -> Job:
    attempt = row[len(_JOB) :]
    return Job(attempt=None if attempt[0] is None else load_attempt(attempt), **_read(_JOB, row))


def load_attempt(row: Sequence[Any]) -> Attempt:
    known = Attempt(**_read(_ATTEMPT, row))
    progress = row[len(_ATTEMPT)]
    return known if progress is None else replace(known, **load_progress(progress))


def _read(columns: Mapping[str, Callable[[Any], Any] | None], row: Sequence[Any]) -> dict[str, Any]:
    """The columns at the beginning of a row, by name."""
    return {
        name: value if read is None else read(value)
        for (name, read), value in zip(columns.items(), row, strict=False)
    }


def standing(job: Job) -> dict[str, Any]:
    """The columns that change during a job's life."""
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
        "placed": dump(placed) if (placed := placed_on(job)) else None,
    }


def asked(job: Job) -> dict[str, Any]:
    """The columns that change only with the specification."""
    row = JobRow.of(job)
    return {
        **{name: getattr(row, name) for name in _SHOWN},
        **{name: min(getattr(row, name), _LARGEST) for name in _SUMS},
        "folded": run_title(row.name.lower(), row.run, row.numbered),
        "spec": dump(job.spec),
        "gpu_mix": _mix([(role.resources, role.replicas) for role in job.spec.roles]),
    }


def _mix(wanted: Sequence[tuple[Resources, int]]) -> str | None:
    """How much of which model, if the roles differ; the empty key stands for any model."""
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
