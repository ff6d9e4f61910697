"""The jobs a control plane follows, and what has happened to them since."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, select, true

from danlu.domain.job import Job
from danlu.domain.reasons import Reason
from danlu.ports.store import Changes
from danlu.store.sql.codec import load_reason
from danlu.store.sql.event_log import latest
from danlu.store.sql.part import Part
from danlu.store.sql.rows import SELECT_JOBS, load_job
from danlu.store.sql.schema import events, jobs

_LIVE = SELECT_JOBS.where(jobs.c.live == true()).order_by(jobs.c.id)
_BY_IDS = SELECT_JOBS.where(jobs.c.id.in_(bindparam("ids", expanding=True))).order_by(jobs.c.id)
_TOUCHED = (
    select(events.c.job_id, func.max(events.c.seq))
    .where(events.c.seq > bindparam("after"))
    .group_by(events.c.job_id)
)
_WAITING = select(jobs.c.waiting).where(jobs.c.id == bindparam("job"))
_AT_ONCE = 500


class Active(Part):
    """Implements ports.store.ActiveJobs."""

    def active(self) -> Changes:
        with self._database.reading() as connection:
            seq = latest(connection)
            rows = connection.execute(_LIVE).all()
        return Changes(tuple(map(load_job, rows)), (), seq)

    def changes(self, after: int) -> Changes:
        with self._database.reading() as connection:
            touched = connection.execute(_TOUCHED, {"after": after}).all()
            ids = sorted(job_id for job_id, _ in touched if job_id is not None)
            found = _load(connection, ids)
        there = {job.id for job in found}
        gone = tuple(job_id for job_id in ids if job_id not in there)
        return Changes(found, gone, max((seq for _, seq in touched), default=after))

    def waiting(self, job_id: str) -> Reason | None:
        with self._database.reading() as connection:
            return load_reason(connection.execute(_WAITING, {"job": job_id}).scalar())


def _load(connection: Connection, ids: Sequence[str]) -> tuple[Job, ...]:
    found: list[Job] = []
    for start in range(0, len(ids), _AT_ONCE):
        rows = connection.execute(_BY_IDS, {"ids": ids[start : start + _AT_ONCE]})
        found.extend(map(load_job, rows))
    return tuple(found)
