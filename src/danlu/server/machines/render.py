"""Nodes as the JSON that clients get."""

from __future__ import annotations

from danlu.control.machines.node_moves import Move
from danlu.control.machines.nodes import NodeUse
from danlu.control.machines.upkeep import Closure
from danlu.domain.errors import FieldError
from danlu.domain.job import Job, Task, Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Maintenance
from danlu.files.quantities import plain_number
from danlu.server.http.answering import (
    Json,
    instant,
    moment,
)


def node(use: NodeUse, who: Caller) -> Json:
    one = use.node
    return {
        "name": one.name,
        "state": one.state.value,
        "virtual": one.virtual,
        "address": one.address,
        "cpus": plain_number(one.cpu_milli),
        "memory": one.memory,
        "gpu_model": one.gpu_model,
        "gpus": [{"index": gpu.index, "uuid": gpu.uuid, "declared": gpu.declared} for gpu in one.gpus],
        "labels": dict(one.labels),
        "given_labels": dict(use.rule.labels),
        "used": {
            "cpus": plain_number(use.cpu_milli),
            "memory": use.memory,
            "gpus": plain_number(use.gpu_milli),
        },
        "tasks": [_on_node(job, task, who.may(Permission.JOB_READ, job.owner)) for job, task in use.tasks],
        "pool": one.pool,
        "cluster": one.cluster,
        "foreign": {
            "cpus": plain_number(one.foreign.cpu_milli),
            "memory": one.foreign.memory,
            "gpus": one.foreign.gpus,
        },
        "why": one.why,
        "note": "" if use.rule.put_aside else use.rule.note,  # which then is why it is cordoned
        "drain_by": moment(use.rule.drain_by),
        "closes_at": moment(one.closes_at),
        "maintenance": one.closes_for or None,
    }


def _on_node(job: Job, task: Task, readable: bool) -> Json:
    """Of the jobs of others one sees who holds what, not which job it is."""
    return {
        "job_id": job.id if readable else None,
        "job_name": job.spec.name if readable else None,
        "owner": job.owner,
        "task": task.name,
        "gpus": [grant.index for grant in task.gpus],
        "started_at": moment(task.started_at),
    }


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
