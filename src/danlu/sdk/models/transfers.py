"""What the server answers about transfers."""
# Written by ./dev docs from the server's OpenAPI document; change the server's models, not this file.

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from danlu.sdk.models.reading import READERS, one


@dataclass(frozen=True)
class TransferProgress:
    """What is in its place: of so many files and bytes (null: not known yet). `skipped` were there already,
    `left_out` cannot be transferred (links that lead out, pipes), `changed` began anew as their source had changed.
    `rate`: bytes per second."""

    files: int = 0
    files_total: int | None = None
    bytes: int = 0
    bytes_total: int | None = None
    skipped: int = 0
    left_out: int = 0
    changed: int = 0
    rate: int = 0


@dataclass(frozen=True)
class TransferProblem:
    """Why it failed, or waits to be tried again: a stable code, its parameters, and what to do."""

    code: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ForJob:
    """The job whose input a transfer is, with its name at that time."""

    id: str = ""
    name: str = ""


@dataclass(frozen=True)
class Transfer:
    """A transfer. After a problem it is tried again at `not_before`; `cancelling`: its process is being ended.
    `for_job` is the job that it was made for as an input; others may wait for it too. `source` lacks what follows
    the ? of a URL, except for its owner."""

    id: str = ""
    owner: str = ""
    source: str = ""
    target: str = ""
    state: str = ""
    progress: TransferProgress = TransferProgress()
    problem: TransferProblem | None = None
    attempts: int = 0
    cancelling: bool = False
    created_at: str = ""
    started_at: str | None = None
    ended_at: str | None = None
    not_before: str | None = None
    schedule: str | None = None
    for_job: ForJob | None = None
    existing: str = ""
    ref: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sha256: str = ""
    unpack: bool = False
    can_edit: bool = False


@dataclass(frozen=True)
class TransferSchedule:
    """A schedule: `due_at` is when its next transfer is created (null: paused), `last_at` when the last was due;
    `last_skipped`: it was not created, as the one before was still on its way."""

    id: str = ""
    owner: str = ""
    source: str = ""
    target: str = ""
    cron: str = ""
    zone: str = ""
    paused: bool = False
    due_at: str | None = None
    last_at: str | None = None
    last_transfer: str | None = None
    last_skipped: bool = False
    created_at: str = ""
    changed_at: str = ""
    existing: str = ""
    ref: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unpack: bool = False
    can_edit: bool = False


READERS.update(
    {
        Transfer: {
            "progress": ("progress", one(TransferProgress)),
            "problem": ("problem", one(TransferProblem)),
            "for_job": ("for_job", one(ForJob)),
            "include": ("include", tuple),
            "exclude": ("exclude", tuple),
        },
        TransferSchedule: {"include": ("include", tuple), "exclude": ("exclude", tuple)},
    }
)
