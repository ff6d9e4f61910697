"""The jobs that a controller follows, and their changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, case, func, select, true

from danlu.domain.events import RuleChanged
from danlu.domain.job import Job
from danlu.domain.reasons import Reason
from danlu.ports.store import Changes
from danlu.store.sql.codec import load_reason
from danlu.store.sql.event_log import latest
from danlu.store.sql.jobs.rows import SELECT_JOBS, load_job
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import events, jobs

_LIVE = SELECT_JOBS.where(jobs.c.live == true()).order_by(jobs.c.id)
_BY_IDS = SELECT_JOBS.where(jobs.c.id.in_(bindparam("ids", expanding=True))).order_by(jobs.c.id)
_RULED = func.max(case((events.c.kind == RuleChanged.kind, 1), else_=0))
_TOUCHED = (
    select(events.c.job_id, func.max(events.c.seq), _RULED)
    .where(events.c.seq > bindparam("after"))
    .group_by(events.c.job_id)
)
_WAITING = select(jobs.c.waiting).where(jobs.c.id == bindparam("job"))
_VERSIONS = (
    select(jobs.c.id, jobs.c.version)
    .where(jobs.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(jobs.c.id)
)
_AT_ONCE = 500
_NOTHING: Mapping[str, int] = {}


class SqlActive(StorePart):
    """Implements ports.store.ActiveJobs."""

    def active(self) -> Changes:
        with self._database.reading() as connection:
            seq = latest(connection)
            rows = connection.execute(_LIVE).all()
        return Changes(tuple(map(load_job, rows)), (), seq, ruled=True)

    def changes(self, after: int, held: Mapping[str, int] = _NOTHING) -> Changes:
        with self._database.reading() as connection:
            touched = connection.execute(_TOUCHED, {"after": after}).all()
            ids = sorted(job_id for job_id, _, _ in touched if job_id is not None)
            versions = _versions(connection, ids)
            newer = [job_id for job_id, version in versions.items() if version > held.get(job_id, 0)]
            found = _load(connection, newer)
        gone = tuple(job_id for job_id in ids if job_id not in versions)
        ruled = any(ruled for _, _, ruled in touched)
        return Changes(found, gone, max((seq for _, seq, _ in touched), default=after), ruled)

    def waiting(self, job_id: str) -> Reason | None:
        with self._database.reading() as connection:
            return load_reason(connection.execute(_WAITING, {"job": job_id}).scalar())


def _versions(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(ids), _AT_ONCE):
        rows = connection.execute(_VERSIONS, {"ids": ids[start : start + _AT_ONCE]})
        found.update((job_id, version) for job_id, version in rows)
    return found


def _load(connection: Connection, ids: Sequence[str]) -> tuple[Job, ...]:
    found: list[Job] = []
    for start in range(0, len(ids), _AT_ONCE):
        rows = connection.execute(_BY_IDS, {"ids": ids[start : start + _AT_ONCE]})
        found.extend(map(load_job, rows))
    return tuple(found)
