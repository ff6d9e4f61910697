"""What a transfer is: from where to where, how, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from danlu.domain.job import Time
from danlu.domain.transfers.problems import Problem


class TransferState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNFINISHED = frozenset({TransferState.QUEUED, TransferState.RUNNING})


class OnExisting(StrEnum):
    """What becomes of a file that is at its place already; one that is the same is never transferred again, unless
    it is to be overwritten."""

    UPDATE = "update"
    """One that differs is replaced."""
    OVERWRITE = "overwrite"
    """Every file is transferred, whatever is there."""
    REFUSE = "refuse"
    """The transfer fails at the first one that differs."""


@dataclass(frozen=True, slots=True)
class TransferEnd:
    """One end of a transfer. `kind` says what `address` is: a URL, or for a volume its id (or `personal`, `archive`),
    whose name people know is `title`, with a path below it. A `job` is a try of a job's task (`JOB/ATTEMPT/RUN`), of
    whose working folder the path is; a `recipe` what Danlu itself writes of a public set: the address is the set's, the
    path how many images a stand-in has. Nobody but Danlu names these two."""

    VOLUME, WEB, GIT, JOB, RECIPE = "volume", "web", "git", "job", "recipe"

    kind: str
    address: str
    path: bytes = b""
    title: str = ""
    folder: bool = False
    """Whether it was written as a folder: with a / at the end."""


@dataclass(frozen=True, slots=True)
class TransferWish:
    """How somebody wants it: `ref` of a Git repository, globs of paths to take and to leave out, the SHA-256 that the
    one file must have, and whether an archive is unpacked. Recipes know the `md5` of some archives, and `nested` ones:
    each archive in them goes into a folder of its name."""

    existing: OnExisting = OnExisting.UPDATE
    ref: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sha256: str = ""
    unpack: bool = False
    md5: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """How far it is: files and bytes that are at their places, of how many (None: not known yet); of these files
    `skipped` were there already. `left_out` cannot be transferred (links that lead out, pipes), `changed` began anew
    because their source had changed. `rate` is bytes per second."""

    files: int = 0
    files_total: int | None = None
    bytes: int = 0
    bytes_total: int | None = None
    skipped: int = 0
    left_out: int = 0
    changed: int = 0
    rate: int = 0


@dataclass(frozen=True, slots=True)
class ForJob:
    """A job that a transfer was made for, and its name at that time."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """`attempts` is how often it was begun; after a problem it is tried again at `not_before`. `login` names what the
    server signs in with at the place outside."""

    id: str
    owner: str
    source: TransferEnd
    target: TransferEnd
    wish: TransferWish
    created_at: Time
    changed_at: Time
    state: TransferState = TransferState.QUEUED
    progress: TransferProgress = field(default_factory=TransferProgress)
    attempts: int = 0
    problem: Problem | None = None
    started_at: Time | None = None
    ended_at: Time | None = None
    not_before: Time | None = None
    cancelling: bool = False
    schedule: str | None = None
    login: str | None = None
    for_job: ForJob | None = None
    """The job whose input it is, if it was made for one."""

    @property
    def unfinished(self) -> bool:
        return self.state in UNFINISHED

    def begun_again(self) -> Transfer:
        """One that failed or was cancelled, queued again; what came of it is not transferred again."""
        return replace(
            self,
            state=TransferState.QUEUED,
            progress=TransferProgress(),
            attempts=0,
            problem=None,
            ended_at=None,
            not_before=None,
            cancelling=False,
        )


@dataclass(frozen=True, slots=True)
class TransferSchedule:
    """A transfer that is created again at the times of `cron`, in the time zone `zone`. `due_at` is when next (None
    while it is paused); `last_at` when last, and `last_skipped` whether the one before was still on its way then."""

    id: str
    owner: str
    source: TransferEnd
    target: TransferEnd
    wish: TransferWish
    cron: str
    zone: str
    created_at: Time
    changed_at: Time
    paused: bool = False
    due_at: Time | None = None
    last_at: Time | None = None
    last_transfer: str | None = None
    last_skipped: bool = False
    login: str | None = None


@dataclass(frozen=True, slots=True)
class WebLogin:
    """What a server outside is told: a user and a password, or a token alone."""

    user: str = ""
    secret: str = field(default="", repr=False)

    @classmethod
    def of(cls, data: Mapping[str, Any] | None) -> WebLogin | None:
        return None if data is None else cls(str(data.get("user") or ""), str(data.get("secret") or ""))
