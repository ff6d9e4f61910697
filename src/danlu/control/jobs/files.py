"""Where the files of a job are: its working folders while and after it ran, its checkpoints; and keeping them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.control.jobs.jobs import noted_of
from danlu.control.quotas.storage import Storage
from danlu.control.rules.registry import Registry
from danlu.domain.errors import DiskLimit, FieldError, NotFound
from danlu.domain.job import Attempt, Job, Task, Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_size
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.files import PlaceBelow
from danlu.ports.governance import AuditStore
from danlu.ports.results import GoneResults, Results, RunKey


class Folder(StrEnum):
    """Where a task works, which is its own; where a job keeps its checkpoints, which all its attempts share."""

    WORK = "work"
    CHECKPOINTS = "checkpoints"


class FolderState(StrEnum):
    READY = "ready"
    NOT_STARTED = "not_started"
    NOTHING = "nothing"
    GONE = "gone"
    ELSEWHERE = "elsewhere"
    """On a cluster, whose files Danlu cannot read yet, or outside the personal directory."""


@dataclass(frozen=True, slots=True)
class FoundFolder:
    """A folder of a job, if it can be read: `place`; else `state` says why not. `inside` is its path as tasks know it,
    if that stays the same."""

    state: FolderState
    place: PlaceBelow | None = None
    gone: GoneResults | None = None
    inside: str | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept of a job: how much (None until it was counted), until when (None: as long as the job), and whether
    somebody asked for that."""

    size: int | None
    until: Time | None
    wanted: bool


class JobFiles:
    """Any thread."""

    def __init__(
        self,
        results: Results,
        storage: Storage,
        registry: Registry,
        store: AuditStore,
        clock: Clock,
        life: Time,
    ) -> None:
        self._results, self._storage, self._registry = results, storage, registry
        self._store, self._clock, self._life = store, clock, life

    def find(
        self, caller: Caller, job: Job, attempt: Attempt | None, task: Task | None, folder: Folder
    ) -> FoundFolder:
        """The caller may read the job."""
        if attempt is None or task is None:
            return FoundFolder(FolderState.NOT_STARTED)
        if folder is Folder.CHECKPOINTS:
            return self._checkpoints(caller, job, task)
        place = self._results.work(RunKey(job.id, attempt.number, task.run))
        if place is not None:
            return FoundFolder(FolderState.READY, place)
        if self._is_elsewhere(task):
            return FoundFolder(FolderState.ELSEWHERE)
        gone = self._results.gone(job.id, attempt.number)
        return FoundFolder(FolderState.GONE if gone else FolderState.NOTHING, gone=gone)

    def retention(self, job: Job) -> Retention | None:
        """None if nothing is kept (yet)."""
        kept = self._results.of_job(job.id)
        if not kept:
            return None
        sizes = [one.size for one in kept]
        known = sum(size or 0 for size in sizes) if None not in sizes else None
        wanted = any(one.wanted for one in kept)
        bounded = self._life and not wanted and not job.active
        return Retention(known, max(one.ended_at for one in kept) + self._life if bounded else None, wanted)

    def keep(self, caller: Caller, job: Job, wanted: bool) -> None:
        """Keep the results of a job until it is deleted, within what its owner may keep; or no longer."""
        caller.require(Permission.JOB_WRITE, job.owner)
        kept = self._results.of_job(job.id)
        if not kept:
            raise NotFound(
                say(
                    "nothing is kept of {name}: it has not ended yet, or its results are gone",
                    "{name} 没有保留任何结果：任务尚未结束，或结果已被清除",
                    name=job.spec.name,
                )
            )
        if wanted and not any(one.wanted for one in kept):
            self._require_room(job, sum(one.size or 0 for one in kept))
        self._results.want(job.id, wanted)
        if entries := noted_of(caller, job, "kept" if wanted else "unkept"):
            self._store.note(entries, self._clock.now())

    def _require_room(self, job: Job, more: int) -> None:
        bound = self._storage.results_bound(job.owner)
        used = sum(one.size or 0 for one in self._results.of_owner(job.owner) if one.wanted)
        if bound is not None and used + more > bound:
            said = {
                "owner": job.owner,
                "used": show_size(used),
                "more": show_size(more),
                "bound": show_size(bound),
            }
            text = _NO_ROOM.fill(**said)
            raise DiskLimit(text, (FieldError((), DiskLimit.code, text, said["more"], said["bound"], _NEXT),))

    def _checkpoints(self, caller: Caller, job: Job, task: Task) -> FoundFolder:
        personal, chosen = f"/mnt/{job.owner}/", job.spec.checkpoint.path
        path = chosen or f"{personal}checkpoints/{job.spec.name}-{job.id}"
        # What else lies in a folder that somebody chose is for its owner alone.
        hidden = chosen and (caller.name != job.owner or ".." in chosen.split("/"))
        if hidden or not path.startswith(personal) or self._is_elsewhere(task):
            return FoundFolder(FolderState.ELSEWHERE)
        place = self._results.checkpoints(job.owner, path[len(personal) :].strip("/"))
        return FoundFolder(FolderState.READY, place, inside=path)

    def _is_elsewhere(self, task: Task) -> bool:
        return task.node.rpartition(".")[2] in self._registry.clusters()


_NO_ROOM = Words(
    "{owner} keeps {used} of results already, and {more} more would exceed {bound} (results_total)",
    "{owner} 已保留 {used} 结果，再保留 {more} 将超过 {bound}（results_total）",
)
_NEXT = Words(
    "download what you need (danlu get), no longer keep another job (danlu keep JOB --off), or ask for more: danlu "
    "request quota",
    "请下载所需文件（danlu get），取消保留其他任务（danlu keep JOB --off），或申请更多配额：danlu request quota",
)
