"""Use cases of jobs: each checks the permission, advances the life cycle and writes the result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

from danlu.control.jobs.admission import Admission
from danlu.control.jobs.advice import Advice, advice
from danlu.control.jobs.gpu_parts import GivenSize
from danlu.control.jobs.starts import Pass, Starts
from danlu.control.queue.queue import Outlook
from danlu.domain import events as ev
from danlu.domain.audit import Entry
from danlu.domain.changing import asked_for, changed, may_change
from danlu.domain.errors import Conflict, NotFound, Stale, WrongState
from danlu.domain.ids import looks_like_id
from danlu.domain.job import Attempt, ClonedFrom, Job, JobSpec, JobState
from danlu.domain.lifecycle import advance
from danlu.domain.names import split_title
from danlu.domain.permissions import Caller, Permission
from danlu.domain.reasons import Reason
from danlu.domain.terms import STATES, no_such
from danlu.domain.transfers.inputs import InputStep, steps_of
from danlu.domain.words import say
from danlu.files.changes import SpecChanges, changed_file
from danlu.files.writing import job_file_of
from danlu.ports.clock import Clock, Ids
from danlu.ports.inputs import InputStore
from danlu.ports.metrics import Latest
from danlu.ports.store import (
    ActiveJobs,
    EventStore,
    JobChange,
    JobPage,
    JobQuery,
    JobRow,
    JobStore,
    LatestReports,
    Recorded,
)

_TRIES = 5
_RUNS = 100
_MOST_REPLACED = 1000
_NOTHING_TO_PASS: AbstractContextManager[Pass] = nullcontext((None, ()))
Write = Callable[[Job, JobChange, Sequence[Entry]], Job]
_VERBS: dict[str, tuple[Permission, Callable[[str], ev.Event], str]] = {
    "start": (Permission.JOB_START, ev.StartRequested, "started"),
    "stop": (Permission.JOB_STOP, ev.StopRequested, "stopped"),
    "restart": (Permission.JOB_START, ev.RestartRequested, "restarted"),
    "reset": (Permission.JOB_RESET, ev.ResetRequested, "reset"),
}
_FRESH: dict[str, Callable[[str], ev.Event]] = {
    "start": lambda by: ev.StartRequested(by, fresh=True),
    "restart": lambda by: ev.RestartRequested(by, fresh=True),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A valid job file; `outlook` is None if this process does not follow the queue."""

    outlook: Outlook | None
    advice: tuple[Advice, ...]


class JobsAndEvents(JobStore, ActiveJobs, LatestReports, EventStore, InputStore, Protocol):
    """Jobs, why they wait, what they report, and what happened to them."""


class Jobs:
    """The verbs on jobs. Any thread; every call is one or a few short transactions."""

    def __init__(
        self,
        store: JobsAndEvents,
        admission: Admission,
        clock: Clock,
        ids: Ids,
        wake: Callable[[], None],
        outlook: Callable[[Job], Outlook] | None = None,
        remove_logs: Callable[[str], None] = lambda _: None,
        starts: Starts | None = None,
        as_owner: Callable[[str], Caller | None] = lambda _: None,
    ) -> None:
        self._store, self._admission, self._clock, self._ids, self._wake = store, admission, clock, ids, wake
        self._outlook, self._remove_logs, self._starts, self._as_owner = (
            outlook,
            remove_logs,
            starts,
            as_owner,
        )

    def create(
        self,
        caller: Caller,
        data: Any,
        *,
        start: bool = False,
        key: str | None = None,
        replaces: bool = False,
    ) -> Job:
        """Create a job from a job file, the next run of its name, and start it at once if asked. The same idempotency
        key creates it only once. With `replaces`, earlier runs that are queued or run are stopped with it."""
        caller.require(Permission.JOB_WRITE, caller.name)
        spec = self._admission.read(data, caller)
        job = Job(id=self._ids.new(), owner=caller.name, spec=spec, created_at=self._clock.now())
        fingerprint = _fingerprint(key, data, start, replaces)
        return self._add(caller, job, ev.JobCreated(caller.name), start, fingerprint, replaces=replaces)

    def check(self, caller: Caller, data: Any) -> Checked:
        """What would happen to this job file if submitted now, with suggestions. Raises Invalid, or what a start would
        raise."""
        caller.require(Permission.JOB_WRITE, caller.name)
        spec = self._admission.read(data, caller)
        hopeful = Job(id="", owner=caller.name, spec=spec, created_at=self._clock.now())
        if self._starts:
            self._starts.check(caller, hopeful)
        return Checked(self._outlook(hopeful) if self._outlook else None, tuple(advice(spec, data)))

    def given(self, data: Any) -> tuple[GivenSize, ...]:
        """What a job file, even an unfinished one, gets with its GPUs without saying so."""
        return self._admission.given(data)

    def clone(self, caller: Caller, ref: str, name: str | None = None, *, start: bool = False) -> Job:
        """A new job of one's own with the same specification: the next run of its name, unless another is given."""
        source = self.get(caller, ref)
        caller.require(Permission.JOB_WRITE, caller.name)
        asked = self._admission.without_lost_flavors(source.spec)
        file = {**job_file_of(asked), "name": name or source.spec.name}
        spec = self._admission.read(file, caller, whole=True)
        job = Job(
            id=self._ids.new(),
            owner=caller.name,
            spec=spec,
            created_at=self._clock.now(),
            cloned_from=ClonedFrom(source.id, source.record),
        )
        return self._add(caller, job, ev.JobCloned(caller.name, source.record), start, None)

    def edit(self, caller: Caller, ref: str, data: Any, version: int | None = None) -> Job:
        """Replace the specification of a job that is not active or only waits; with a version, only if the job still
        has it. A queued job is queued again in the same act, see `domain/changing`."""
        if isinstance(data, Mapping) and data.get("name") is None:
            data = {**data, "name": self.get(caller, ref).spec.name}
        spec = self._admission.read(data, caller)
        return self._edit(caller, ref, lambda _: spec, version)

    def change(self, caller: Caller, ref: str, changes: SpecChanges) -> Job:
        """Change some of what a job asks for; the rest of its specification stays."""

        def wanted(job: Job) -> JobSpec:
            known = self._admission.without_lost_flavors(job.spec)
            return self._admission.read(changed_file(known, changes), caller)

        return self._edit(caller, ref, wanted)

    def _edit(
        self, caller: Caller, ref: str, wanted: Callable[[Job], JobSpec], version: int | None = None
    ) -> Job:
        def edited(job: Job) -> JobChange:
            if not may_change(job):
                raise WrongState(
                    say(
                        "{name} is {state}; stop it before editing",
                        "{name} {state}，请先停止再编辑",
                        name=job.title,
                        state=STATES[job.state],
                    )
                )
            if version not in (None, job.version):
                raise Conflict(
                    say(
                        "{name} was changed in the meantime; reload it and edit the current version",
                        "{name} 已被修改，请查看最新内容后再编辑",
                        name=job.title,
                    )
                )
            newer, event = changed(job, wanted(job), caller.name, self._clock.now())
            return JobChange(newer, (event,), caller.name)

        return self._write(caller, ref, Permission.JOB_WRITE, edited, "edited", self._requeuing(caller))

    def act(self, caller: Caller, ref: str, verb: str, *, fresh: bool = False) -> Job:
        """Start, stop, restart or reset a job; with `fresh`, start and restart begin from scratch instead of the last
        checkpoint. Whoever starts it, it runs in its owner's name: by their projects, priorities and quotas."""
        permission, event, done = _VERBS[verb]
        if fresh:
            event = _FRESH[verb]

        def acted(job: Job) -> JobChange | None:
            if verb in ("start", "restart"):
                self._admission.still_allowed(job.spec, self._in_whose_name(caller, job))
            step = advance(job, event(caller.name), self._clock.now())
            return JobChange(step.job, step.records, caller.name) if step.changed else None

        return self._write(caller, ref, permission, acted, done, self._starting(caller))

    def _in_whose_name(self, caller: Caller, job: Job) -> Caller:
        """The owner as a caller; somebody else's permissions never count for a job."""
        if caller.name == job.owner:
            return caller
        owner = self._as_owner(job.owner)
        if owner is None or owner.user.disabled:
            raise Conflict(
                say(
                    "{owner}'s account is disabled or gone; nothing can be started in their name. Clone the job to "
                    "run it as your own",
                    "{owner} 的账号已停用或删除，不能以其名义启动任务；可克隆为你自己的任务后运行",
                    owner=job.owner,
                )
            )
        return owner

    def delete(self, caller: Caller, ref: str) -> None:
        def deleted(job: Job) -> JobChange:
            if job.active or job.live_tasks:
                raise WrongState(
                    say(
                        "{name} is {state}; stop it before deleting",
                        "{name} {state}，请先停止再删除",
                        name=job.title,
                        state=STATES[job.state],
                    )
                )
            return JobChange(job, (ev.JobDeleted(caller.name),), caller.name)

        gone = self._write(caller, ref, Permission.JOB_DELETE, deleted, "deleted", self._remove)
        self._remove_logs(gone.id)

    def get(self, caller: Caller, ref: str) -> Job:
        """A job by id, by the name of one's own job, or as owner:name; name#2 is its second run, a name alone the
        latest. Jobs that the caller may not read are not found."""
        job = self._store.get(ref) if looks_like_id(ref) else None
        owner, _, title = ref.rpartition(":")
        job = job or self._store.find(owner or caller.name, *split_title(title))
        if job is None or not caller.reaches(job.id) or not caller.may(Permission.JOB_READ, job.owner):
            raise NotFound(no_such("job", ref))
        return job

    def page(self, caller: Caller, query: JobQuery) -> JobPage:
        """Jobs the caller may read."""
        if not caller.may_everywhere(Permission.JOB_READ):
            others = query.owners is not None and caller.name not in query.owners
            query = replace(query, owners=() if others else (caller.name,))
        caller.require(Permission.JOB_READ, caller.name)
        return self._store.page(query)

    def runs(self, caller: Caller, ref: str) -> tuple[JobRow, ...]:
        """The latest runs of a job's name, that job's among them or before them."""
        job = self.get(caller, ref)
        return tuple(
            row for row in self._store.runs(job.owner, job.spec.name, _RUNS) if caller.reaches(row.id)
        )

    def next_run(self, caller: Caller, name: str) -> int:
        """The number that a job of this name would get now."""
        return self._store.last_run(caller.name, name) + 1

    def attempts(self, job: Job) -> tuple[Attempt, ...]:
        return self._store.attempts(job.id) if job.attempts else ()

    def events(self, caller: Caller, ref: str, after: int, limit: int) -> tuple[Recorded, ...]:
        return self._store.events_of(self.get(caller, ref).id, after, limit)

    def waiting(self, job: Job) -> Reason | None:
        return self._store.waiting(job.id) if job.state is JobState.QUEUED else None

    def latest(self, job: Job) -> Latest | None:
        """What its training reported last."""
        return self._store.latest(job.id) if job.attempts else None

    def inputs(self, job: Job) -> tuple[InputStep, ...]:
        """What it has fetched into volumes, or fetches, and how far that is."""
        return steps_of(job, self._store.inputs_of(job.id)) if job.spec.inputs else ()

    def actions(self, caller: Caller, job: Job) -> list[str]:
        """What this caller may do with the job in its current state."""
        idle = not job.active and not job.live_tasks
        possible = {
            "start": idle and caller.may(Permission.JOB_START, job.owner),
            "stop": job.active and caller.may(Permission.JOB_STOP, job.owner),
            "restart": (idle or job.active) and caller.may(Permission.JOB_START, job.owner),
            "reset": job.resettable and caller.may(Permission.JOB_RESET, job.owner),
            "edit": may_change(job) and caller.may(Permission.JOB_WRITE, job.owner),
            "clone": caller.may(Permission.JOB_WRITE),
            "delete": idle and caller.may(Permission.JOB_DELETE, job.owner),
            "exec": bool(job.live_tasks) and caller.may(Permission.JOB_EXEC, job.owner),
            "pin": job.active and caller.may(Permission.QUEUE_PIN, job.owner),
            "unpin": job.turn.pinned_at is not None and caller.may(Permission.QUEUE_PIN, job.owner),
            "order": job.state is JobState.QUEUED and caller.may(Permission.QUEUE_ORDER, job.owner),
        }
        return [name for name, may in possible.items() if may]

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────

    def _add(
        self,
        caller: Caller,
        job: Job,
        made: ev.Event,
        start: bool,
        key: tuple[str, str] | None,
        *,
        replaces: bool = False,
    ) -> Job:
        records: tuple[ev.Event, ...] = (made,)
        if start:
            step = advance(job, ev.StartRequested(caller.name), self._clock.now())
            job, records = step.job, (*records, *step.records)
        change = JobChange(job, records, caller.name)
        for _ in range(_TRIES):
            first = self._stopped(caller, job.spec.name) if replaces else ()
            told = [caller.entry("replaced", f"job:{job.owner}:{one.job.record}") for one in first]
            try:
                with (
                    self._passing(caller, replace(job, run=0)) if start else _NOTHING_TO_PASS as (gate, notes)
                ):
                    kept = self._store.add(change, key=key, gate=gate, notes=(*told, *notes), first=first)
            except Stale:
                continue
            self._wake()
            return kept
        raise _restless(job.spec.name)

    def _stopped(self, caller: Caller, name: str) -> tuple[JobChange, ...]:
        """The runs of one's own that a new one replaces, as they are once they are told to stop."""
        changes = []
        for row in self._store.runs(caller.name, name, _MOST_REPLACED, active=True):
            job = self._store.get(row.id)
            if job is None or not job.active:
                continue
            caller.require(Permission.JOB_STOP, job.owner)
            step = advance(job, ev.StopRequested(caller.name, replaced=True), self._clock.now())
            if step.changed:
                changes.append(JobChange(step.job, step.records, caller.name))
        return tuple(changes)

    def _passing(self, caller: Caller, job: Job) -> AbstractContextManager[Pass]:
        return self._starts.passing(caller, job) if self._starts else _NOTHING_TO_PASS

    def _starting(self, caller: Caller) -> Write:
        """Writes a changed job; if it becomes active, it must pass the checks of a start."""

        def write(before: Job, change: JobChange, notes: Sequence[Entry]) -> Job:
            if before.active or not change.job.active:
                return self._save(before, change, notes)
            return self._save_passing(caller, change, notes)

        return write

    def _requeuing(self, caller: Caller) -> Write:
        """Writes an edited job; one that waits must pass the checks of a start again, and what it asked for before
        and after is recorded in the audit log, whoever did it."""

        def write(before: Job, change: JobChange, notes: Sequence[Entry]) -> Job:
            if not before.active:
                return self._save(before, change, notes)
            subject = f"job:{before.owner}:{before.record}"
            asked = caller.entry("edited", subject, asked_for(before.spec), asked_for(change.job.spec))
            return self._save_passing(caller, change, (asked,))

        return write

    def _save_passing(self, caller: Caller, change: JobChange, notes: Sequence[Entry]) -> Job:
        with self._passing(caller, change.job) as (gate, more):
            (written,) = self._store.save([change], self._clock.now(), gate=gate, notes=(*notes, *more))
        return written

    def _save(self, _: Job, change: JobChange, notes: Sequence[Entry]) -> Job:
        (written,) = self._store.save([change], self._clock.now(), notes=notes)
        return written

    def _remove(self, _: Job, change: JobChange, notes: Sequence[Entry]) -> Job:
        self._store.remove(change, self._clock.now(), notes=notes)
        return change.job

    def _write(
        self,
        caller: Caller,
        ref: str,
        permission: Permission,
        change: Callable[[Job], JobChange | None],
        done: str,
        write: Write | None = None,
    ) -> Job:
        """Load, change, write; on a conflict, again with the current version. Acts on another person's job are
        recorded in the audit log."""
        for _ in range(_TRIES):
            job = self.get(caller, ref)
            caller.require(permission, job.owner)
            wanted = change(job)
            if wanted is None:
                return job
            try:
                written = (write or self._save)(job, wanted, noted_of(caller, job, done))
            except Stale:
                continue
            self._wake()
            return written
        raise _restless(ref)


def noted_of(caller: Caller, job: Job, act: str) -> tuple[Entry, ...]:
    """The audit entry; None for what people do with their own jobs."""
    return () if caller.name == job.owner else (caller.entry(act, f"job:{job.owner}:{job.record}"),)


def _restless(ref: str) -> Conflict:
    return Conflict(say("job '{ref}' keeps changing; try again", "任务“{ref}”一直在变化，请重试", ref=ref))


def _fingerprint(key: str | None, data: Any, *how: bool) -> tuple[str, str] | None:
    if key is None:
        return None
    text = json.dumps([data, *how], sort_keys=True, default=str)
    return key, hashlib.sha256(text.encode()).hexdigest()
