"""What the server answers about queue."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import Change
from danlu.sdk.models.jobs import Reason
from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class QueueItem:
    """A job in a lane. Its name and why it waits are shown to those who may read it; sizes are for all its tasks
    together."""

    lane: Mapping[str, str] = field(default_factory=dict)
    position: int = 0
    owner: str = ""
    project: str = ""
    kind: str = ""
    job_class: str = ""
    priority: str = ""
    gpus: float = 0
    gpu_model: str | None = None
    cpus: float = 0
    memory: int = 0
    nodes: int = 1
    created_at: str | None = None
    queued_at: str | None = None
    pinned_at: str | None = None
    mine: bool = False
    job_id: str | None = None
    name: str | None = None
    reason: Reason | None = None


@dataclass(frozen=True)
class AnybodysJob:
    """A job of anybody in any state. Its id, name and reason are shown to those who may read it; for others only
    owner, kind, size, times and what decides its place in the queue. Sizes are for all its tasks together."""

    owner: str = ""
    project: str = ""
    kind: str = ""
    job_class: str = ""
    priority: str = ""
    state: str = ""
    gpus: float = 0
    gpu_model: str | None = None
    cpus: float = 0
    memory: int = 0
    nodes: int = 1
    created_at: str | None = None
    queued_at: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    mine: bool = False
    job_id: str | None = None
    name: str | None = None
    reason: Reason | None = None


@dataclass(frozen=True)
class Lane:
    """The work that waits in a lane; a job that accepts several GPU models waits in several lanes."""

    gpu_model: str = ""
    job_class: str = ""
    waiting: int = 0
    work_seconds: float = 0
    gpu_hours: float = 0
    without_estimate: int = 0


@dataclass(frozen=True)
class ClassBacklog:
    """The work of one class that waits; every job counts once."""

    waiting: int = 0
    work_seconds: float = 0
    gpu_hours: float = 0
    without_estimate: int = 0
    job_class: str = ""


@dataclass(frozen=True)
class HeldModel:
    """GPUs of one model: how many there are, are held by jobs and are free, and how many jobs hold some."""

    gpu_model: str = ""
    total: float = 0
    held: float = 0
    free: float = 0
    jobs: int = 0


@dataclass(frozen=True)
class Holder:
    """A job that holds GPUs of one model. Its id and name are shown to those who may read it; for others only
    owner, kind, size and times. `expected_end` is when it should end, `latest_end` when it is ended."""

    gpu_model: str = ""
    gpus: float = 0
    nodes: int = 0
    owner: str = ""
    kind: str = ""
    job_class: str = ""
    state: str = ""
    began_at: str = ""
    expected_end: str | None = None
    latest_end: str | None = None
    mine: bool = False
    job_id: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Help(Change):
    """One change that would start a job now (max_time, gpus, tasks, gpu, project, node_selector or topology), and
    its new value; `command` makes it."""

    change: str = ""
    value: str = ""
    text: Mapping[str, str] = field(default_factory=dict)
    command: str = ""


@dataclass(frozen=True)
class Why:
    """Why a job waits, its place in the queue, the first jobs ahead of it, what would start it now, and who holds
    the GPUs it waits for, those first whose GPUs are free first. Of a job that is not queued, the reason alone: why
    it stopped or failed, and what to do. `ask` names some `administrators` who can help."""

    state: str = ""
    reason: Reason | None = None
    places: tuple[Mapping[str, Any], ...] = ()
    ahead: tuple[QueueItem, ...] = ()
    ahead_total: int = 0
    helps: tuple[Help, ...] = ()
    holders: tuple[Holder, ...] = ()
    models: tuple[HeldModel, ...] = ()
    administrators: tuple[Mapping[str, str], ...] | None = None
    ask: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Score:
    """A person's scores; `score_time` is the time after which past use counts 37 %."""

    user: str = ""
    score_time: str = ""
    scores: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class LedgerRow:
    """What one task used, from when to when, and how much that adds to the score now."""

    job_id: str = ""
    job_name: str = ""
    attempt: int = 0
    task: str = ""
    model: str = ""
    amount: float = 0
    began: str | None = None
    ended: str | None = None
    adds: float = 0


READERS.update(
    {
        QueueItem: {"job_class": ("class", None), "reason": ("reason", one(Reason))},
        AnybodysJob: {"job_class": ("class", None), "reason": ("reason", one(Reason))},
        Lane: {"job_class": ("class", None)},
        ClassBacklog: {"job_class": ("class", None)},
        Holder: {"job_class": ("class", None)},
        Why: {
            "reason": ("reason", one(Reason)),
            "places": ("places", tuple),
            "ahead": ("ahead", each(QueueItem)),
            "helps": ("helps", each(Help)),
            "holders": ("holders", each(Holder)),
            "models": ("models", each(HeldModel)),
            "administrators": ("administrators", tuple),
        },
        Score: {"scores": ("scores", tuple)},
    }
)
