"""The queue and its scores as the JSON that clients get."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from danlu.control.queue.backlog import Backlog, WaitingWork
from danlu.control.queue.everybodys import AnybodysJob
from danlu.control.queue.queue import ModelScore, Place, Wait
from danlu.control.usage.holders import HeldGpus, Holder
from danlu.domain.job import Job
from danlu.domain.permissions import Caller
from danlu.domain.quantity import show_time
from danlu.domain.words import Words
from danlu.scheduler import Lane
from danlu.scheduler.whatif import Alternative
from danlu.server.http.answering import moment, reason, words
from danlu.server.jobs.models import JobRow
from danlu.server.jobs.render import row_of
from danlu.server.queue import models

Json = dict[str, Any]
_HOUR = 3_600_000


def place(one: Place, who: Caller) -> Json:
    """For jobs of others, callers see who waits for how much, but not which job it is."""
    row = row_of(one.job, None)
    shown = {key: row[key] for key in _OF_EVERYBODY}
    return {
        "lane": _lane(one.lane),
        "position": one.position,
        **shown,
        "pinned_at": moment(one.job.turn.pinned_at),
        "mine": one.job.owner == who.name,
        "job_id": one.job.id if one.readable else None,
        "name": one.job.title if one.readable else None,
        "reason": reason(one.reason) if one.readable else None,
    }


def anybodys(one: AnybodysJob, who: Caller) -> Json:
    """What everybody may know of any job is named key by key, so that a new column of lists stays private."""
    row = JobRow.render(one.row)
    return {
        **{key: row[key] for key in (*_OF_EVERYBODY, "state", "started_at", "ended_at")},
        "mine": one.row.owner == who.name,
        "job_id": one.row.id if one.readable else None,
        "name": one.row.title if one.readable else None,
        "reason": row["reason"] if one.readable else None,
    }


def backlog(one: Backlog) -> Json:
    return {
        "lanes": [{**_lane(lane), **_work(work)} for lane, work in one.lanes.items()],
        "classes": [{"class": each.value, **_work(work)} for each, work in one.classes.items()],
    }


def wait(one: Wait, held: HeldGpus, waiting: Backlog, who: Caller) -> Json:
    return {
        "state": one.job.state.value,
        "reason": reason(one.reason),
        "places": [
            {
                "lane": _lane(place.lane),
                "position": place.position,
                "waiting": max(place.position, waiting.in_lane(place.lane)),
            }
            for place in one.places
        ],
        "ahead": [place(other, who) for other in one.ahead],
        "ahead_total": one.ahead_total,
        "helps": [_help(change, one.job, who) for change in one.helps],
        **holding(held, who),
    }


def holding(one: HeldGpus, who: Caller) -> Json:
    return {
        "holders": [holder(each, who) for each in one.holders],
        "models": [models.HeldModel.render(each) for each in one.models],
    }


def holder(one: Holder, who: Caller) -> Json:
    """Of jobs of others, callers see who holds how much for how long, but not which job it is."""
    job = one.job
    return {
        "gpu_model": one.model,
        "gpus": one.milli / 1000,
        "nodes": one.nodes,
        "owner": job.owner,
        "kind": job.spec.kind.value,
        "class": job.spec.job_class.value,
        "state": job.state.value,
        "began_at": moment(one.began),
        "expected_end": moment(one.expected_end),
        "latest_end": moment(one.latest_end),
        "mine": job.owner == who.name,
        "job_id": job.id if one.readable else None,
        "name": job.title if one.readable else None,
    }


def scores(found: Iterable[ModelScore], score_time: int) -> list[Json]:
    """One entry for each person."""
    return [score(user, own, score_time) for user, own in groupby(found, key=lambda one: one.user)]


def score(user: str, own: Iterable[ModelScore], score_time: int) -> Json:
    each = [models.ModelScore.render(one) for one in own]
    return {"user": user, "score_time": show_time(score_time), "scores": each}


def _lane(lane: Lane) -> Json:
    return {"gpu_model": lane[0], "class": lane[1].value}


def _work(one: WaitingWork) -> Json:
    return {
        "waiting": one.jobs,
        "work_seconds": one.time / 1000,
        "gpu_hours": round(one.gpu_time / 1000 / _HOUR, 3),
        "without_estimate": one.unknown,
    }


def _help(change: Alternative, job: Job, who: Caller) -> Json:
    key = "total" if change.key == "gpus" and job.spec.total else change.key
    text = _HELPS[key].fill(value=change.value)
    ref = job.title if job.owner == who.name else job.id
    option = (
        f"--{change.key.replace('_', '-')} {shlex.quote(change.value)}"
        if change.value
        else f"--without {change.key}"
    )
    command = f"danlu edit {ref} {option}"
    return {"change": change.key, "value": change.value, "text": words(text), "command": command}


_OF_EVERYBODY = (
    "owner", "project", "kind", "class", "priority", "gpus", "gpu_model", "cpus", "memory", "nodes", "created_at",
    "queued_at",
)  # fmt: skip
_HELPS: Mapping[str, Words] = {
    "max_time": Words(
        "with a max_time of {value} it would start now, and be ended after that",
        "若将 max_time 设为 {value}，可立即启动，并最迟在此之后结束",
    ),
    "gpus": Words("with {value} GPUs per task it would start now", "若每个子任务使用 {value} 卡，可立即启动"),
    "total": Words("with {value} GPUs in all it would start now", "若总共使用 {value} 卡，可立即启动"),
    "tasks": Words("with {value} tasks it would start now", "若子任务数减为 {value}，可立即启动"),
    "gpu": Words("on {value} it would start now", "若改用 {value}，可立即启动"),
    "project": Words("in project {value} it would start now", "若改用项目组 {value}，可立即启动"),
    "node_selector": Words(
        "without its node_selector it would start now", "若去掉 node_selector，可立即启动"
    ),
    "topology": Words("without topology.same it would start now", "若去掉 topology.same，可立即启动"),
}
