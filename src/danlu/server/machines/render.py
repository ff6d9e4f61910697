"""Nodes as the JSON that clients get."""

from __future__ import annotations

from danlu.control.machines.node_moves import Move
from danlu.control.machines.nodes import NodeUse
from danlu.control.machines.upkeep import Closure
from danlu.domain.errors import FieldError
from danlu.domain.job import Job, Task, Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import Maintenance
from danlu.domain.words import joined
from danlu.server.http.answering import (
    Json,
    instant,
    moment,
    words,
)
from danlu.server.machines import models


def node(use: NodeUse, who: Caller) -> Json:
    tasks = [_on_node(job, task, who.may(Permission.JOB_READ, job.owner)) for job, task in use.tasks]
    return models.Node.render(use, tasks=tasks)


def _on_node(job: Job, task: Task, readable: bool) -> Json:
    """For jobs of others, callers see who uses what, but not which job it is."""
    return {
        "job_id": job.id if readable else None,
        "job_name": job.title if readable else None,
        "owner": job.owner,
        "task": task.name,
        "gpus": [grant.index for grant in task.gpus],
        "started_at": moment(task.started_at),
    }


def move(one: Move, who: Caller) -> Json:
    return {
        "nodes": [models.MovedNode.render(node) for node in one.nodes],
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
    told = None if error is None else joined(filter(None, (error.text, error.hint)))
    return {
        "name": name,
        "ok": told is None,
        "error": None if told is None else told.en,
        "text": None if told is None else words(told),
    }


def maintenance(one: Maintenance, now: Time) -> Json:
    state = "planned" if now < one.start else "now" if now < one.end else "past"
    return models.Maintenance.render(one, state=state)


def _job(job: Job, who: Caller) -> Json:
    """For jobs of others, callers see the owner, but not which job it is."""
    readable = who.may(Permission.JOB_READ, job.owner, job.spec.project)
    return {
        "job_id": job.id if readable else None,
        "name": job.title if readable else None,
        "owner": job.owner,
        "class": job.spec.job_class,
    }
