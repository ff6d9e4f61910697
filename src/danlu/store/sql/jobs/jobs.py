"""Jobs: stored, changed with a version check, found and removed, always together with their events."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, case, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, KeyReused, Stale
from danlu.domain.job import ACTIVE, ENDED, Attempt, Job, JobState, Time
from danlu.domain.reasons import Reason
from danlu.domain.score import Charge, Settled
from danlu.domain.words import listed, say
from danlu.ports.store import Gate, JobChange
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.codec import dump_or_none
from danlu.store.sql.datasets import uses
from danlu.store.sql.jobs import mounts, numbers, outputs
from danlu.store.sql.jobs.holdings import pass_gate
from danlu.store.sql.jobs.rows import (
    SELECT_ATTEMPTS,
    SELECT_JOBS,
    asked,
    attempt_values,
    load_attempt,
    load_job,
    standing,
)
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import attempts, jobs
from danlu.store.sql.upsert import insert_for
from danlu.store.sql.usage import ledger

_INSERT_JOB = insert(jobs)
_AS_READ = (jobs.c.id == bindparam("job")) & (jobs.c.version == bindparam("read"))
_UPDATE_JOB = (
    update(jobs)
    .where(_AS_READ)
    .values(
        version=jobs.c.version + 1,
        # A job that left the queue waits for nothing any more.
        waiting=case((bindparam("queued"), jobs.c.waiting), else_=None),
    )
)
_DELETE_JOB = delete(jobs).where(_AS_READ)
_SET_WAITING = (
    update(jobs)
    .where(jobs.c.id == bindparam("job"), jobs.c.state == JobState.QUEUED.value)
    .where(jobs.c.waiting.is_distinct_from(bindparam("why")))
    .values(waiting=bindparam("why"))
)
_BY_ID = SELECT_JOBS.where(jobs.c.id == bindparam("job"))
_BY_NAME = SELECT_JOBS.where(jobs.c.owner == bindparam("owner"), jobs.c.name == bindparam("name"))
_LATEST = _BY_NAME.order_by(jobs.c.run.desc()).limit(1)
_BY_RUN = _BY_NAME.where(jobs.c.run == bindparam("run"))
_BY_KEY = select(jobs.c.id, jobs.c.fingerprint).where(
    jobs.c.owner == bindparam("owner"), jobs.c.idempotency_key == bindparam("key")
)
_VERSIONS = select(
    *(jobs.c[name] for name in ("id", "version", "spec_version", "owner", "name", "numbered", "state"))
).where(jobs.c.id.in_(bindparam("ids", expanding=True)))
_ATTEMPTS = SELECT_ATTEMPTS.where(attempts.c.job_id == bindparam("job")).order_by(attempts.c.number)


@functools.cache
def _put(dialect: str) -> Executable:
    insert_attempt = insert_for(dialect, attempts)
    newer = {name: insert_attempt.excluded[name] for name in ("ended_at", "reason", "tasks", "progress")}
    return insert_attempt.on_conflict_do_update(index_elements=["job_id", "number"], set_=newer)


class SqlJobs(StorePart):
    """Implements the writing and finding of ports.store.JobStore."""

    def add(
        self,
        change: JobChange,
        *,
        key: tuple[str, str] | None = None,
        gate: Gate | None = None,
        notes: Sequence[Entry] = (),
        first: Sequence[JobChange] = (),
    ) -> Job:
        job = change.job
        _must_tell([*first, change])
        with self._writing(orderly=True) as connection:
            if key is not None and (known := _made_before(connection, job.owner, key)):
                return known
            if gate is not None:
                pass_gate(connection, gate, {job.id, *(one.job.id for one in first)})
            if first:
                self._update(connection, first, job.created_at)
            job = _numbered(connection, job)
            if job.active:
                mounts.require_usable(connection, [job])
                uses.require_usable(connection, [job])
                uses.note_reads(connection, [job])
            _insert(connection, job, key or (None, None))
            mounts.write(connection, job)
            if job.attempt is not None:
                self._put_attempts(connection, [(job, job.attempt)])
            event_log.append(connection, [*first, change], job.created_at)
            audit_log.append(connection, [_of_run(one, job) for one in notes], job.created_at)
        return job

    def save(
        self,
        changes: Sequence[JobChange],
        now: Time,
        charges: Sequence[Charge] = (),
        settled: Sequence[Settled] = (),
        *,
        gate: Gate | None = None,
        notes: Sequence[Entry] = (),
    ) -> tuple[Job, ...]:
        if not changes and not charges and not settled:
            return ()
        _must_tell(changes)
        with self._writing(orderly=True, telling=bool(changes)) as connection:
            if gate is not None:
                pass_gate(connection, gate, {change.job.id for change in changes})
            written: tuple[Job, ...] = ()
            if changes:
                written = self._update(connection, changes, now)
                event_log.append(connection, changes, now)
            audit_log.append(connection, notes, now)
            ledger.append(connection, charges, settled)
        return written

    def get(self, job_id: str) -> Job | None:
        with self._database.reading() as connection:
            return _one(connection, job_id)

    def find(self, owner: str, name: str, run: int | None = None) -> Job | None:
        wanted = _LATEST if run is None else _BY_RUN
        params = {"owner": owner, "name": name} | ({} if run is None else {"run": run})
        with self._database.reading() as connection:
            row = connection.execute(wanted, params).first()
        return None if row is None else load_job(row)

    def last_run(self, owner: str, name: str) -> int:
        with self._database.reading() as connection:
            return numbers.last(connection, owner, name)

    def remove(self, change: JobChange, now: Time, *, notes: Sequence[Entry] = ()) -> None:
        _must_tell([change])
        job = change.job
        with self._writing(orderly=True) as connection:
            if connection.execute(_DELETE_JOB, {"job": job.id, "read": job.version}).rowcount:
                outputs.forget_job(connection, job)
                numbers.forget(connection, job.owner, job.spec.name)
                event_log.append(connection, [change], now)
                audit_log.append(connection, notes, now)
            elif connection.execute(_VERSIONS, {"ids": [job.id]}).first():
                raise _stale([job.id])

    def attempts(self, job_id: str) -> tuple[Attempt, ...]:
        with self._database.reading() as connection:
            return tuple(map(load_attempt, connection.execute(_ATTEMPTS, {"job": job_id})))

    def set_waiting(self, reasons: Mapping[str, Reason | None]) -> None:
        if not reasons:
            return
        rows = [{"job": job, "why": dump_or_none(reason)} for job, reason in reasons.items()]
        with self._writing(orderly=True, telling=False) as connection:
            connection.execute(_SET_WAITING, rows)

    def _update(self, connection: Connection, changes: Sequence[JobChange], at: Time) -> tuple[Job, ...]:
        found = {row[0]: row for row in connection.execute(_VERSIONS, {"ids": [c.job.id for c in changes]})}
        as_read = [change.job for change in changes if _is_as_read(change.job, found)]
        if len(as_read) < len(changes):
            raise _stale([change.job.id for change in changes if not _is_as_read(change.job, found)])
        # A specification is long and seldom changes: it is written when its version says so.
        edited = [
            _renamed(connection, job, found[job.id])
            for job in as_read
            if job.spec_version != found[job.id].spec_version
        ]
        same = [
            replace(job, numbered=bool(found[job.id].numbered))
            for job in as_read
            if job.spec_version == found[job.id].spec_version
        ]
        written = _write(connection, [_guarded(job) for job in same])
        written += _write(connection, [_guarded(job) | asked(job) for job in edited])
        if written != len(changes):  # one job twice
            raise _stale([change.job.id for change in changes])
        taking = [job for job in as_read if _takes_volumes(job, found[job.id])]
        mounts.require_usable(connection, taking)
        uses.require_usable(connection, taking)
        uses.note_reads(connection, taking)
        outputs.note_due(connection, [job for job in as_read if _ends(job, found[job.id])], at)
        for job in edited:
            mounts.write(connection, job, anew=True)
            if job.spec.name != found[job.id].name:
                numbers.forget(connection, job.owner, found[job.id].name)
        self._put_attempts(connection, [(job, job.attempt) for job in as_read if job.attempt])
        now = {job.id: job for job in (*same, *edited)}
        return tuple(replace(now[job.id], version=job.version + 1) for job in as_read)

    def _put_attempts(self, connection: Connection, tried: Sequence[tuple[Job, Attempt]]) -> None:
        if tried:
            rows = [attempt_values(job, attempt) for job, attempt in tried]
            connection.execute(_put(connection.dialect.name), rows)


def _is_as_read(job: Job, found: Mapping[str, Any]) -> bool:
    return job.id in found and found[job.id].version == job.version


def _takes_volumes(job: Job, before: Any) -> bool:
    """Whether it becomes active with its volumes, or is active and has others now."""
    if not job.spec.mounts or not job.active:
        return False
    return before.state not in ACTIVE or job.spec_version != before.spec_version


def _ends(job: Job, before: Any) -> bool:
    return bool(job.spec.outputs) and job.state in ENDED and before.state not in ENDED


def _guarded(job: Job) -> dict[str, Any]:
    return {
        "job": job.id,
        "read": job.version,
        "queued": job.state is JobState.QUEUED,
        **standing(job),
    }


def _write(connection: Connection, rows: list[dict[str, Any]]) -> int:
    if not rows:
        return 0
    return connection.execute(_UPDATE_JOB, rows).rowcount


def _renamed(connection: Connection, job: Job, before: Any) -> Job:
    """A job with a new name is the next run of that name; one that keeps it is numbered as it is stored."""
    if job.spec.name != before.name:
        return _numbered(connection, job)
    return replace(job, numbered=bool(before.numbered))


def _numbered(connection: Connection, job: Job) -> Job:
    run = numbers.take(connection, job.owner, job.spec.name)
    return replace(job, run=run, numbered=run > 1)


def _of_run(note: Entry, job: Job) -> Entry:
    """What was noted of a job before it had its number names the run it became."""
    unknown = f"job:{job.owner}:{replace(job, run=0).record}"
    return replace(note, subject=f"job:{job.owner}:{job.record}") if note.subject == unknown else note


def _must_tell(changes: Sequence[JobChange]) -> None:
    """A change must record an event, or followers of the log would never notice it."""
    for change in changes:
        if not change.records:
            raise ValueError(f"the change of job {change.job.id} records no event")


def _insert(connection: Connection, job: Job, key: tuple[str | None, str | None]) -> None:
    values = {
        "id": job.id,
        "owner": job.owner,
        "version": job.version,
        "created_at": job.created_at,
        "cloned_from": dump_or_none(job.cloned_from),
        "idempotency_key": key[0],
        "fingerprint": key[1],
        **standing(job),
        **asked(job),
    }
    try:
        connection.execute(_INSERT_JOB, [values])
    except IntegrityError as error:
        raise Conflict(
            say("there is already a job {id}; try again", "已有任务 {id}，请重试", id=job.id)
        ) from error


def _made_before(connection: Connection, owner: str, key: tuple[str, str]) -> Job | None:
    row = connection.execute(_BY_KEY, {"owner": owner, "key": key[0]}).first()
    if row is None:
        return None
    if row.fingerprint != key[1]:
        raise KeyReused(
            say(
                "the idempotency key {key} was already used for a different request; send a new key",
                "幂等键 {key} 已用于另一个请求，请使用新的键",
                key=key[0],
            )
        )
    return _one(connection, row.id)


def _one(connection: Connection, job_id: str) -> Job | None:
    row = connection.execute(_BY_ID, {"job": job_id}).first()
    return None if row is None else load_job(row)


def _stale(ids: Sequence[str]) -> Stale:
    return Stale(
        say(
            "somebody else changed or deleted these jobs in the meantime: {ids}; reload and try again",
            "已被他人修改或已不存在：{ids}；请重新加载后重试",
            ids=listed(ids),
        )
    )
