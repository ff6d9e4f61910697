"""What jobs use of quotas while they are active or have tasks: summed by the database, also inside the transaction that
starts another."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, literal, or_, select, true

from danlu.domain.names import run_title
from danlu.domain.rules import CPUS, GPUS, JOBS, MEMORY, TASKS
from danlu.ports.store import Gate, QuotaHolding
from danlu.store.sql.part import StorePart
from danlu.store.sql.schema import jobs, templates

_HELD = jobs.c.live == true()  # a reset job holds what it was given until its tasks are gone
# Where the scheduler divides, there may be a task for each GPU.
_TASKS = case(
    (jobs.c.tasks > 0, jobs.c.tasks),
    (jobs.c.gpu_milli >= 2000, jobs.c.gpu_milli // 1000),
    else_=1,
)
# In two parts, since a sum of bytes could be more than a database can count.
_LARGE = 2**20
_MEMORY = (func.sum(jobs.c.memory // _LARGE), func.sum(jobs.c.memory % _LARGE))
_SORTS = (jobs.c.owner, jobs.c.job_class, jobs.c.gpu_model, jobs.c.gpu_mix)
_SUMS = (
    select(
        *_SORTS,
        func.count(),
        *(func.sum(one) for one in (jobs.c.gpu_milli, jobs.c.cpu_milli, _TASKS)),
        *_MEMORY,
    )
    .where(_HELD)
    .group_by(*_SORTS)
)
_HOLDERS = select(jobs.c.owner, jobs.c.name, jobs.c.run, jobs.c.numbered).where(_HELD)
_COUNTED: dict[str, Any] = {
    GPUS: jobs.c.gpu_milli,
    CPUS: jobs.c.cpu_milli,
    MEMORY: jobs.c.memory,
    TASKS: _TASKS,
    JOBS: jobs.c.gpu_milli,
}


class SqlHoldings(StorePart):
    """Implements ports.store.HoldingStore and ports.code.CodeUses."""

    def code_in_use(self, digests: Collection[str]) -> frozenset[str]:
        found = set()
        with self._database.reading() as connection:
            for digest in digests:
                named = (
                    select(literal(1))
                    .select_from(table)
                    .where(column.contains(digest, autoescape=True))
                    .limit(1)
                    for table, column in ((jobs, jobs.c.spec), (templates, templates.c.job))
                )
                if any(connection.execute(one).first() is not None for one in named):
                    found.add(digest)
        return frozenset(found)

    def holdings(self, owners: Collection[str] | None) -> tuple[QuotaHolding, ...]:
        with self._database.reading() as connection:
            return _read(connection, _of(_SUMS, owners))

    def holders(
        self, owners: Collection[str], job_class: str | None, resource: str, limit: int
    ) -> tuple[tuple[str, str], ...]:
        wanted = _of(_HOLDERS, owners)
        if job_class is not None:
            wanted = wanted.where(jobs.c.job_class == job_class)
        if resource not in _COUNTED:
            wanted = wanted.where(_may_be(resource))
        most = _COUNTED.get(resource, jobs.c.gpu_milli)
        if resource != JOBS:
            wanted = wanted.where(most > 0)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(most.desc(), jobs.c.id).limit(limit))
            return tuple((owner, run_title(*named)) for owner, *named in rows)


def _may_be(model: str) -> ColumnElement[bool]:
    """Jobs that accept this GPU model, alone or among others."""
    alone = jobs.c.gpu_mix.is_(None) & (
        jobs.c.gpu_model.is_(None)
        | (literal("|") + jobs.c.gpu_model + "|").contains(f"|{model}|", autoescape=True)
    )
    named = (f"{before}{model}{after}" for before in '"|' for after in '"|')
    return or_(alone, *(jobs.c.gpu_mix.contains(part, autoescape=True) for part in ('"":', *named)))


def pass_gate(connection: Connection, gate: Gate, starting: Collection[str]) -> None:
    """Run the gate's check on what all other jobs use; it raises if these jobs may not start."""
    gate.check(_read(connection, _of(_SUMS, gate.owners).where(jobs.c.id.not_in(starting))))


def _of(wanted: Select[Any], owners: Collection[str] | None) -> Select[Any]:
    return wanted if owners is None else wanted.where(jobs.c.owner.in_(list(owners)))


def _read(connection: Connection, wanted: Select[Any]) -> tuple[QuotaHolding, ...]:
    return tuple(_holding(*row) for row in connection.execute(wanted))


def _holding(owner: str, job_class: str, model: str | None, mix: str | None, *sums: Any) -> QuotaHolding:
    count, gpus, cpus, tasks, large, rest = map(int, sums)  # PostgreSQL sums into decimals
    models = {} if mix is None else json.loads(mix)
    return QuotaHolding(owner, job_class, model, models, count, gpus, cpus, large * _LARGE + rest, tasks)
