"""What becomes of jobs' outputs: noted in the transaction that ends their job."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.events import Event
from danlu.domain.job import Job, Time
from danlu.domain.output import Output
from danlu.domain.outputs.made import JobOutput, OutputState, due_outputs
from danlu.domain.outputs.problems import OutputProblem
from danlu.domain.words import say
from danlu.store.sql import audit_log, event_log
from danlu.store.sql.jobs.rows import SELECT_JOBS, load_job
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import job_outputs, jobs
from danlu.store.sql.upsert import insert_for

_O = job_outputs.c
_ALL = select(*(column for column in _O if column is not _O.target))
_THIS = (_O.job_id == bindparam("of")) & (_O.attempt == bindparam("nth")) & (_O.place == bindparam("at"))
_ONE = _ALL.where(_THIS)
_UNFINISHED = _O.ended_at.is_(None)
_OPEN = _ALL.where(_UNFINISHED).order_by(_O.created_at, _O.job_id, _O.place)
_OPEN_JOBS = select(_O.job_id).where(_UNFINISHED).distinct()
_OF_JOB = _ALL.where(_O.job_id == bindparam("of")).order_by(_O.attempt.desc(), _O.place)
_INTO = (
    _ALL.where(_O.target == bindparam("this"), _O.state == OutputState.DONE.value)
    .order_by(_O.ended_at.desc())
    .limit(bindparam("most"))
)
_JOB = SELECT_JOBS.where(jobs.c.id == bindparam("job"))


class SqlOutputs(StorePart):
    """Implements ports.outputs.OutputStore."""

    def open_outputs(self) -> tuple[JobOutput, ...]:
        with self._database.reading() as connection:
            return tuple(map(_output, connection.execute(_OPEN).mappings()))

    def jobs_with_open_outputs(self) -> frozenset[str]:
        with self._database.reading() as connection:
            return frozenset(connection.execute(_OPEN_JOBS).scalars())

    def outputs_of(self, job_id: str) -> tuple[JobOutput, ...]:
        with self._database.reading() as connection:
            return tuple(map(_output, connection.execute(_OF_JOB, {"of": job_id}).mappings()))

    def outputs_into(self, target: str, limit: int = 200) -> tuple[JobOutput, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_INTO, {"this": target, "most": limit}).mappings()
            return tuple(map(_output, rows))

    def edit_output(
        self,
        one: JobOutput,
        change: Callable[[JobOutput], JobOutput],
        now: Time,
        *,
        tells: Event | None = None,
        by: Entry | None = None,
    ) -> JobOutput:
        with self._writing(orderly=True, telling=tells is not None) as connection:
            before = _read(connection, one)
            if before is None:
                raise NotFound(say("there is no output {id}", "没有输出 {id}", id=one.id))
            changed = change(before)
            if changed == before:
                return before
            after = replace(changed, changed_at=now)
            key = {"of": one.job_id, "nth": one.attempt, "at": one.place}
            connection.execute(update(job_outputs).where(_THIS), {**_values(after), **key})
            if tells is not None:
                _tell(connection, after, tells, now)
            if by is not None:
                audit_log.append(connection, [by], now)
        return after


def note_due(connection: Connection, ended: Iterable[Job], now: Time) -> None:
    """What is to be kept of jobs that have ended; what is noted already stays."""
    rows = [_values(one) for job in ended for one in due_outputs(job, now)]
    if rows:
        connection.execute(insert_for(connection.dialect.name, job_outputs).on_conflict_do_nothing(), rows)


def forget_job(connection: Connection, job: Job) -> None:
    """What could not be made of a job that is deleted. Conflict while something of it is being made."""
    mine = _O.job_id == job.id
    if connection.execute(select(_O.place).where(mine, _UNFINISHED).limit(1)).first():
        raise Conflict(
            say(
                "outputs of {job} are still being kept; wait until they are made: danlu outputs {job}",
                "{job} 的输出仍在保存，请等待完成：danlu outputs {job}",
                job=job.title,
            )
        )
    connection.execute(delete(job_outputs).where(mine, _O.state != OutputState.DONE.value))


def _tell(connection: Connection, one: JobOutput, event: Event, now: Time) -> None:
    row = connection.execute(_JOB, {"job": one.job_id}).first()
    if row is not None:
        told = event_log.values(event, now, one.owner, None, load_job(row))
        event_log.append_rows(connection, [told])


def _read(connection: Connection, one: JobOutput) -> JobOutput | None:
    row = connection.execute(_ONE, {"of": one.job_id, "nth": one.attempt, "at": one.place}).mappings().first()
    return None if row is None else _output(row)


def _values(one: JobOutput) -> dict[str, Any]:
    told = {column.name: getattr(one, column.name) for column in _O if column is not _O.target}
    problem = None if one.problem is None else json.dumps([one.problem.code, dict(one.problem.params)])
    wish = json.dumps(asdict(one.wish))
    return {**told, "target": one.wish.id, "wish": wish, "state": one.state.value, "problem": problem}


def _output(row: Any) -> JobOutput:
    return JobOutput(
        **{
            **row,
            "wish": Output(**json.loads(row["wish"])),
            "state": OutputState(row["state"]),
            "problem": None if row["problem"] is None else OutputProblem(*json.loads(row["problem"])),
        }
    )
