"""Moved and closing nodes as the JSON that clients get; `danlu.wire.nodes` documents it."""

from __future__ import annotations

from typing import Any

from danlu.control.machines.node_moves import Move
from danlu.control.machines.upkeep import Closure
from danlu.domain.errors import FieldError
from danlu.domain.job import Job, Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Maintenance
from danlu.server.render import instant

Json = dict[str, Any]


def move(one: Move, who: Caller) -> Json:
    return {
        "nodes": [{"name": node.name, "from": node.before, "to": node.after} for node in one.nodes],
        "running": [{**_job(job, who), "served": served} for job, served in one.running],
        "waiting": [_job(job, who) for job in one.waiting],
        "flavors_lost": list(one.flavors_lost),
        "flavors_gained": list(one.flavors_gained),
    }


def closure(one: Closure, who: Caller) -> Json:
    return {
        "nodes": list(one.nodes),
        "jobs": [{**_job(job, who), "ends_by_itself": ends} for job, ends in one.jobs],
        "drain_by": instant(one.at),
    }


def outcome(name: str, error: FieldError | None) -> Json:
    told = None if error is None else "; ".join(filter(None, (error.message, error.hint)))
    return {"name": name, "ok": error is None, "error": told}


def maintenance(one: Maintenance, now: Time) -> Json:
    return {
        "name": one.name,
        "start": instant(one.start),
        "end": instant(one.end),
        "nodes": list(one.nodes),
        "pool": one.pool,
        "description": one.description,
        "state": "planned" if now < one.start else "now" if now < one.end else "past",
    }


def _job(job: Job, who: Caller) -> Json:
    """Of the jobs of others one sees whose they are, not which."""
    readable = who.may(Permission.JOB_READ, job.owner, job.spec.project)
    return {
        "job_id": job.id if readable else None,
        "name": job.spec.name if readable else None,
        "owner": job.owner,
        "class": job.spec.job_class,
    }
