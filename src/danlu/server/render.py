"""Domain objects as the JSON that clients get; `danlu.wire.responses` documents it, a test compares them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from pydantic_core import PydanticSerializationError, to_json
from starlette.responses import Response

from danlu.control.machines.nodes import NodeUse
from danlu.control.people.accounts import sign_in_means
from danlu.control.queue.queue import Outlook
from danlu.domain import reasons
from danlu.domain.job import Attempt, Job, JobState, Saved, Task
from danlu.domain.people import Session, Token, User
from danlu.domain.permissions import Caller, Permission
from danlu.domain.reasons import Reason
from danlu.domain.story import told
from danlu.domain.words import Words
from danlu.files.quantities import plain_number
from danlu.files.writing import job_file_of
from danlu.ports.store import JobPage, JobRow, Recorded

Json = dict[str, Any]

_EPOCH = date(1970, 1, 1)
_NO_FAILURE = (
    reasons.StoppedBy,
    reasons.ResetBy,
    reasons.RestartedBy,
    reasons.Preempted,
    reasons.Reclaimed,
    reasons.NodeDrained,
    reasons.NodeMaintenance,
)


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON as it is, without a detour through models."""
    return Response(as_json(body), status, headers, "application/json")


def as_json(body: Any) -> bytes:
    """Compact and always encodable: programs may say halves of characters, and one must not break a stream."""
    try:
        return to_json(body)  # a quarter of the time, but not for halves of characters
    except PydanticSerializationError:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def moment(time_ms: int | None) -> str | None:
    return None if time_ms is None else instant(time_ms)


def instant(time_ms: int) -> str:
    """RFC 3339, UTC, to the millisecond; by hand, since a list has hundreds of them."""
    seconds, millis = divmod(time_ms, 1000)
    day, second = divmod(seconds, 86_400)
    minute = second // 60
    return f"{_date(day)}T{minute // 60:02}:{minute % 60:02}:{second % 60:02}.{millis:03}Z"


@lru_cache(maxsize=1024)
def _date(day: int) -> str:
    return (_EPOCH + timedelta(days=day)).isoformat()


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────────


def job_page(page: JobPage) -> Json:
    return {
        "items": [job_row(row) for row in page.rows],
        "next_cursor": page.next_cursor,
        "total": page.total,
    }


def job_row(row: JobRow) -> Json:
    """A waiting job's reason is why it waits."""
    waits = row.waiting if row.state == JobState.QUEUED else None
    return {
        "id": row.id,
        "name": row.name,
        "kind": row.kind,
        "class": row.job_class,
        "owner": row.owner,
        "project": row.project,
        "state": row.state,
        "reason": _reason(waits or row.reason),
        "image": row.image,
        "gpus": row.gpu_milli / 1000,
        "gpu_model": row.gpu_model,
        "cpus": row.cpu_milli / 1000,
        "memory": row.memory,
        "nodes": row.tasks,
        "priority": row.priority,
        "created_at": instant(row.created_at),
        "queued_at": moment(row.queued_at),
        "started_at": moment(row.started_at),
        "ended_at": moment(row.ended_at),
        "version": row.version,
        "attempt": row.attempts,
    }


def row_of(job: Job, waiting: Reason | None) -> Json:
    """A job as lists show it, from the job itself."""
    spec = job.spec
    sizes = [role.resources.times(role.replicas) for role in spec.roles]
    row = JobRow(
        id=job.id,
        name=spec.name,
        kind=spec.kind.value,
        job_class=spec.job_class.value,
        owner=job.owner,
        project=spec.project,
        state=job.state.value,
        reason=reasons.encode(job.reason),
        waiting=reasons.encode(waiting),
        image=spec.image,
        gpu_milli=sum(size.gpu_milli for size in sizes),
        gpu_model=next((size.gpu_model for size in sizes if size.gpu_model), None),
        cpu_milli=sum(size.cpu_milli for size in sizes),
        memory=sum(size.memory for size in sizes),
        tasks=spec.tasks_asked,
        priority=spec.priority,
        created_at=job.created_at,
        queued_at=job.queued_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
        version=job.version,
        attempts=job.attempts,
    )
    return job_row(row)


def job_detail(job: Job, attempts: tuple[Attempt, ...], waiting: Reason | None, actions: list[str]) -> Json:
    spec, source = job.spec, job.cloned_from
    waits = waiting if job.state is JobState.QUEUED else None
    return {
        **row_of(job, waits),
        "description": spec.description,
        "spec": job_file_of(spec),
        "tasks": [task(one) for one in job.attempt.tasks] if job.attempt else [],
        "restarts": job.restarts,
        "waiting": reason(waits),
        "attempts": [attempt(one, job) for one in attempts],
        "actions": actions,
        "pinned_at": moment(job.turn.pinned_at),
        "nominated": sorted({task.node for task in job.turn.nominated}),
        "cloned_from": {"id": source.id, "name": source.name} if source else None,
        "framework": spec.framework,
        "strategy": spec.strategy,
        "saved": saved(job.saved),
        "lost": sum(one.lost for one in attempts) / 1000,
    }


def outlook(one: Outlook) -> Json:
    """What a job file asks for, and what would happen to it now."""
    row = row_of(one.job, None)
    size = {"tasks": row["nodes"], **{key: row[key] for key in ("gpus", "gpu_model", "cpus", "memory")}}
    would = {"starts_now": one.starts_now, "reason": reason(one.reason), "ahead": one.ahead}
    return {"size": size, "would": would}


def task(one: Task) -> Json:
    return {
        "name": one.name,
        "role": one.role,
        "index": one.index,
        "state": one.state.value,
        "node": one.node,
        "address": one.address,
        "gpus": [grant.index for grant in one.gpus],
        "reason": reason(one.reason),
        "exit_code": one.exit_code,
        "started_at": moment(one.started_at),
        "ended_at": moment(one.ended_at),
        "isolation": one.isolation or None,
        "step": one.step or None,
        "run": one.run,
        "tries": one.tries,
        "not_before": moment(one.not_before),
    }


def attempt(one: Attempt, job: Job) -> Json:
    started = [task.started_at for task in one.tasks if task.started_at is not None]
    story = told(one)
    return {
        "number": one.number,
        "state": _attempt_state(one, job),
        "reason": reason(one.reason),
        "started_at": moment(min(started, default=None)),
        "ended_at": moment(one.ended_at),
        "story": words(story) if story else None,
        "resumed": saved(one.resumed),
        "saved": saved(one.saved),
        "lost": one.lost / 1000,
        "then": one.then,
    }


def saved(one: Saved | None) -> Json | None:
    if one is None:
        return None
    return {"path": one.path, "step": one.step, "at": instant(one.at), "attempt": one.attempt}


def _attempt_state(one: Attempt, job: Job) -> str:
    if one.ended_at is None and one.number == job.attempts and job.active and one.live_tasks:
        return job.state.value
    if one.ended_at is None and one.live_tasks:
        return "stopping"  # the leftovers of a reset
    if one.ended_at is None or isinstance(one.reason, _NO_FAILURE):
        return "stopped"
    return "failed" if one.reason else "completed"


def reason(why: Reason | None) -> Json | None:
    return _reason(reasons.encode(why))


def _reason(data: Mapping[str, Any] | None) -> Json | None:
    return None if data is None else _told(tuple(data.items()))


@lru_cache(maxsize=4096)
def _told(items: tuple[tuple[str, Any], ...]) -> Json:
    """Many jobs wait for the same reason: its sentences are made once. Never change what this returns."""
    data = dict(items)
    code = data["code"]
    params = {name: value for name, value in items if name != "code"}
    try:
        known = reasons.decode(data)
    except (KeyError, TypeError):  # written by a newer Danlu
        known = None
    if known is None:
        plain = words(Words(code, code))
        return {"code": code, "params": params, "text": plain, "meaning": plain, "advice": plain}
    shown = known.shown()
    return {
        "code": code,
        "params": params,
        "text": words(known.text()),
        "meaning": words(known.meaning.fill(**shown)),
        "advice": words(known.advice.fill(**shown)),
    }


def words(both: Words) -> dict[str, str]:
    return {"en": both.en, "zh": both.zh}


def event(one: Recorded) -> Json:
    return {
        "seq": one.seq,
        "time": instant(one.time),
        "kind": one.kind,
        "job_id": one.job_id,
        "actor": one.actor,
        "data": one.data,
        "text": words(one.text),
    }


# ── nodes and people ─────────────────────────────────────────────────────────────────────────────────


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


def user(one: User) -> Json:
    return {
        "name": one.name,
        "display_name": one.display_name,
        "email": one.email,
        "role": one.role.value,
        "disabled": one.disabled,
        "groups": list(one.groups),
        "created_at": instant(one.created_at),
        "sign_in": sign_in_means(one).value,
    }


def session(who: User, session: Session | None) -> Json:
    return {
        "user": user(who),
        "csrf": session.csrf if session else "",
        "must_set_password": who.password_hash is None and not who.subject,
    }


def token(one: Token) -> Json:
    return {
        "id": one.id,
        "name": one.name,
        "scopes": list(one.scopes),
        "created_at": instant(one.created_at),
        "expires_at": moment(one.expires_at),
        "last_used_at": moment(one.last_used_at),
    }
