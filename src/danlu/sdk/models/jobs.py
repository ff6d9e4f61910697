"""What the server answers about jobs."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.behaviour import ByCode, Handle, Living
from danlu.sdk.models.problems import Problem, Shortfall
from danlu.sdk.models.reading import READERS, each, one


@dataclass(frozen=True)
class Reason(ByCode):
    """Why a job waits, stopped or failed: a stable code, its parameters, what it means and what to do."""

    code: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)
    meaning: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """One process group of an attempt. `run` names its latest try in logs and metrics; `tries` is how often this
    task alone was restarted, and it does not restart before `not_before`."""

    name: str = ""
    role: str = ""
    index: int = 0
    state: str = ""
    node: str | None = None
    address: str | None = None
    gpus: tuple[int, ...] = ()
    reason: Reason | None = None
    exit_code: int | None = None
    started_at: str | None = None
    ended_at: str | None = None
    isolation: str = ""
    step: str = ""
    run: str = ""
    tries: int = 0
    not_before: str | None = None


@dataclass(frozen=True)
class Saved:
    """A checkpoint that a task reported: its path, its step if known, when, and in which attempt."""

    path: str = ""
    step: int | None = None
    at: str = ""
    attempt: int = 0


@dataclass(frozen=True)
class Attempt:
    """One try to run a job. It continued from the checkpoint `resumed`; `saved` is the last checkpoint it reported,
    `lost` the work after that in GPU-seconds. `then` is what Danlu did about its end; `story` says all that in one
    sentence."""

    number: int = 0
    state: str = ""
    reason: Reason | None = None
    started_at: str | None = None
    ended_at: str | None = None
    story: Mapping[str, str] | None = None
    resumed: Saved | None = None
    saved: Saved | None = None
    lost: float = 0
    then: str | None = None


@dataclass(frozen=True)
class LatestReport:
    """What a job's training reported last: its step, of how many if it told, and its main metric. `value` is null
    where that is not a finite number."""

    step: int = 0
    total_steps: int | None = None
    metric: str | None = None
    value: float | None = None
    at: str = ""


@dataclass(frozen=True)
class JobRow(Living):
    """A job in a list; sizes are for all its tasks together, `nodes` is the number of tasks, 0 with `nodes: auto`.
    `run` counts the jobs of the same name and owner, from 1; it is `numbered` once its name has had several, and
    then shown as `name#run`, since the name alone means the latest. `placed` are the nodes of its latest attempt,
    none while it waits; `expected_time` and `max_time` are in seconds."""

    id: str = ""
    name: str = ""
    run: int = 1
    numbered: bool = False
    kind: str = ""
    job_class: str = ""
    owner: str = ""
    project: str = ""
    state: str = ""
    reason: Reason | None = None
    image: str = ""
    gpus: float = 0
    gpu_model: str | None = None
    cpus: float = 0
    memory: int = 0
    nodes: int = 1
    priority: str = ""
    created_at: str | None = None
    queued_at: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    version: int = 0
    attempt: int = 0
    placed: tuple[str, ...] = ()
    expected_time: float | None = None
    max_time: float | None = None
    latest: LatestReport | None = None


@dataclass(frozen=True)
class InputStep:
    """An input of a job, and how far its latest transfer is: its id, null where none was begun or its record is
    gone. `source` lacks what follows the ? of a URL."""

    source: str = ""
    target: str = ""
    state: str = ""
    transfer: str | None = None
    files: int = 0
    bytes: int = 0
    bytes_total: int | None = None
    rate: int = 0
    problem: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Job(JobRow, Handle):
    """A job in full; `spec` is its job file, `actions` what the caller may do now, `nominated` the nodes on which
    room is being made for it. The next attempt continues from `saved`; `lost` is the work that all attempts did not
    save, in GPU-seconds."""

    description: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    restarts: int = 0
    waiting: Reason | None = None
    attempts: tuple[Attempt, ...] = ()
    actions: tuple[str, ...] = ()
    pinned_at: str | None = None
    nominated: tuple[str, ...] = ()
    cloned_from: Mapping[str, str] | None = None
    framework: str = ""
    strategy: str = ""
    saved: Saved | None = None
    lost: float = 0
    inputs: tuple[InputStep, ...] = ()


@dataclass(frozen=True)
class Advice:
    """A suggestion for one place of the job file, which is valid as it is."""

    loc: tuple[str | int, ...] = ()
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Would:
    """What would happen to a job submitted now; `ahead` is the number of jobs that would be ahead of it."""

    starts_now: bool = False
    reason: Reason | None = None
    ahead: int = 0


@dataclass(frozen=True)
class Check:
    """The result of a check of a job file; nothing was stored. `shortfalls`: quotas that a start would exceed.
    `given`: what goes with GPUs where the file does not say it. `run`: the number that a job of this name would
    get."""

    valid: bool = False
    errors: tuple[Problem, ...] = ()
    advice: tuple[Advice, ...] = ()
    shortfalls: tuple[Shortfall, ...] = ()
    size: Mapping[str, Any] = field(default_factory=dict)
    would: Would | None = None
    given: tuple[Mapping[str, Any], ...] = ()
    run: int | None = None


@dataclass(frozen=True)
class TaskStacks:
    """The stacks of one task's processes; `cause` says whether the job hung or somebody requested them."""

    task: str = ""
    attempt: int = 0
    taken_at: str = ""
    text: str = ""
    cause: str = ""


@dataclass(frozen=True)
class FileEntry:
    """One name in a folder. `name` is for people; `key` is the name for the end of a `path`. `target` is where a
    link leads; links are not followed. `executable`: a file that its owner may execute."""

    name: str = ""
    key: str = ""
    kind: str = ""
    size: int = 0
    modified: str = ""
    target: str | None = None
    executable: bool = False


@dataclass(frozen=True)
class Retention:
    """How long the results of a job are kept: `until` a moment, or null: as long as the job. `wanted`: somebody
    asked to keep them. `size` is null until it was counted."""

    size: int | None = None
    until: str | None = None
    wanted: bool = False


@dataclass(frozen=True)
class FileList:
    """A page of a folder. Unless `state` is ready there is nothing to list: the job has not started, the folder
    does not exist, or is gone (`gone_since`, `gone_because`), or lies elsewhere, where Danlu cannot read it.
    `whole` is false for a folder with so many entries that not all were looked at. `live`: its task may still write
    there. `inside` is the folder's path as tasks know it, if all of the job's tasks know it by the same."""

    state: str = ""
    live: bool = False
    items: tuple[FileEntry, ...] = ()
    next_cursor: str | None = None
    total: int = 0
    whole: bool = False
    gone_since: str | None = None
    gone_because: str | None = None
    retention: Retention | None = None
    inside: str | None = None


READERS.update(
    {
        Task: {"gpus": ("gpus", tuple), "reason": ("reason", one(Reason))},
        Attempt: {
            "reason": ("reason", one(Reason)),
            "resumed": ("resumed", one(Saved)),
            "saved": ("saved", one(Saved)),
        },
        JobRow: {
            "job_class": ("class", None),
            "reason": ("reason", one(Reason)),
            "placed": ("placed", tuple),
            "latest": ("latest", one(LatestReport)),
        },
        Job: {
            "job_class": ("class", None),
            "reason": ("reason", one(Reason)),
            "placed": ("placed", tuple),
            "latest": ("latest", one(LatestReport)),
            "tasks": ("tasks", each(Task)),
            "waiting": ("waiting", one(Reason)),
            "attempts": ("attempts", each(Attempt)),
            "actions": ("actions", tuple),
            "nominated": ("nominated", tuple),
            "saved": ("saved", one(Saved)),
            "inputs": ("inputs", each(InputStep)),
        },
        Advice: {"loc": ("loc", tuple)},
        Would: {"reason": ("reason", one(Reason))},
        Check: {
            "errors": ("errors", each(Problem)),
            "advice": ("advice", each(Advice)),
            "shortfalls": ("shortfalls", each(Shortfall)),
            "would": ("would", one(Would)),
            "given": ("given", tuple),
        },
        FileList: {"items": ("items", each(FileEntry)), "retention": ("retention", one(Retention))},
    }
)
