"""What trainings reported last, beside their jobs."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import bindparam, select, update

from danlu.ports.metrics import Latest
from danlu.store.sql.codec import dump
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import jobs

_SET = update(jobs).where(jobs.c.id == bindparam("job")).values(latest=bindparam("told"))
_GET = select(jobs.c.latest).where(jobs.c.id == bindparam("job"))


class SqlLatest(StorePart):
    """Implements ports.store.LatestReports."""

    def set_latest(self, reports: Mapping[str, Latest]) -> None:
        if not reports:
            return
        rows = [{"job": job, "told": dump(told._asdict())} for job, told in reports.items()]
        with self._writing(orderly=True, telling=False) as connection:
            connection.execute(_SET, rows)

    def latest(self, job_id: str) -> Latest | None:
        with self._database.reading() as connection:
            told = connection.execute(_GET, {"job": job_id}).scalar()
        return None if told is None else Latest(**json.loads(told))
