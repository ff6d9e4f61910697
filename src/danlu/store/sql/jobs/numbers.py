"""The numbers of runs: one name of one person counts its jobs, and no number is given twice while it has any."""

from __future__ import annotations

import functools

from sqlalchemy import Connection, Executable, bindparam, delete, exists, select, update

from danlu.domain.names import run_title
from danlu.store.sql.schema import job_runs, jobs
from danlu.store.sql.upsert import insert_for

_OF_NAME = (job_runs.c.owner == bindparam("whose"), job_runs.c.name == bindparam("what"))
_LAST = select(job_runs.c.last).where(*_OF_NAME)
_FORGET = delete(job_runs).where(
    *_OF_NAME,
    ~exists().where(jobs.c.owner == bindparam("whose"), jobs.c.name == bindparam("what")),
)
_NUMBER_FIRST = (
    update(jobs)
    .where(jobs.c.owner == bindparam("whose"), jobs.c.name == bindparam("what"), jobs.c.run == 1)
    .where(~jobs.c.numbered)
    .values(numbered=True, folded=bindparam("folded_now"))
)


def take(connection: Connection, owner: str, name: str) -> int:
    """The number of the next run; whoever takes one at the same time waits, and gets another. From the second on, the
    first is numbered too."""
    row = {"owner": owner, "name": name, "last": 1}
    run = int(connection.execute(_take(connection.dialect.name), row).scalar_one())
    if run > 1:
        folded = run_title(name.lower(), 1, numbered=True)
        connection.execute(_NUMBER_FIRST, {"whose": owner, "what": name, "folded_now": folded})
    return run


def last(connection: Connection, owner: str, name: str) -> int:
    return int(connection.execute(_LAST, {"whose": owner, "what": name}).scalar() or 0)


def forget(connection: Connection, owner: str, name: str) -> None:
    """Count anew if no job has the name any more."""
    connection.execute(_FORGET, {"whose": owner, "what": name})


@functools.cache
def _take(dialect: str) -> Executable:
    first = insert_for(dialect, job_runs)
    one_more = first.on_conflict_do_update(
        index_elements=["owner", "name"], set_={"last": job_runs.c.last + 1}
    )
    return one_more.returning(job_runs.c.last)
