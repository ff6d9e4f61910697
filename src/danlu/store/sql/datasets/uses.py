"""Which jobs read versions, kept beside them: none that an active job uses is ever removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, exists, select

from danlu.domain.datasets.dataset import Dataset, Version, VersionRead
from danlu.domain.errors import Conflict
from danlu.domain.job import Job
from danlu.domain.words import Words, say
from danlu.store.sql.schema import dataset_reads, dataset_versions, datasets, jobs
from danlu.store.sql.upsert import insert_for

_ACTIVE = exists().where(jobs.c.id == dataset_reads.c.job_id, jobs.c.live)
_READS = (
    select(*dataset_reads.c, _ACTIVE.label("active"))
    .join(dataset_versions, dataset_versions.c.id == dataset_reads.c.version)
    .order_by(dataset_reads.c.at.desc(), dataset_reads.c.job_id.desc())
)
_OF_DATASET = _READS.where(dataset_versions.c.dataset == bindparam("this"))
_OF_VERSION = _READS.where(dataset_reads.c.version == bindparam("this"))
_OF_JOB = _READS.where(dataset_reads.c.job_id == bindparam("this"))
_USABLE = (
    select(dataset_versions.c.id)
    .join(datasets, datasets.c.id == dataset_versions.c.dataset)
    .where(dataset_versions.c.id.in_(bindparam("ids", expanding=True)), datasets.c.trashed_at.is_(None))
)


def reads_of_dataset(connection: Connection, dataset_id: str) -> tuple[VersionRead, ...]:
    return _read(connection.execute(_OF_DATASET, {"this": dataset_id}).mappings())


def reads_of_job(connection: Connection, job_id: str) -> tuple[VersionRead, ...]:
    return _read(connection.execute(_OF_JOB, {"this": job_id}).mappings())


def require_unused(connection: Connection, one: Dataset, version: Version | None = None) -> None:
    """Conflict while an active job uses the dataset, or this version of it."""
    if version is None:
        reads = _read(connection.execute(_OF_DATASET, {"this": one.id}).mappings())
    else:
        reads = _read(connection.execute(_OF_VERSION, {"this": version.id}).mappings())
    active = next((read for read in reads if read.active), None)
    if active is not None:
        raise Conflict(
            _IN_USE.fill(
                name=one.name if version is None else f"{one.name}@{version.name}",
                job=active.job,
                owner=active.owner,
            )
        )


def roots_in_use(connection: Connection) -> frozenset[str]:
    """Of versions that active jobs use."""
    used = exists().where(dataset_reads.c.version == dataset_versions.c.id, _ACTIVE)
    return frozenset(row[0] for row in connection.execute(select(dataset_versions.c.root).where(used)))


def require_usable(connection: Connection, active: Sequence[Job]) -> None:
    """Conflict when a version that jobs need which become active is gone or in the trash: checked in the transaction
    that makes them active, since the other way round a version is checked for active jobs."""
    wanted = {mount.version: mount.dataset for job in active for mount in job.spec.mounts if mount.version}
    if not wanted:
        return
    usable = {row[0] for row in connection.execute(_USABLE, {"ids": sorted(wanted)})}
    for version_id, name in wanted.items():
        if version_id not in usable:
            raise Conflict(
                say(
                    "dataset version {version} is in the trash or gone; restore it, or change `mounts`",
                    "数据集版本 {version} 在回收站中或已不存在；请恢复，或修改 `mounts`",
                    version=name,
                )
            )


def note_reads(connection: Connection, active: Iterable[Job]) -> None:
    """Of jobs that are active now: kept when they are over, and when they are deleted."""
    rows = [
        {
            "version": version,
            "job_id": job.id,
            "owner": job.owner,
            "job": job.title,
            "at": job.queued_at or job.created_at,
        }
        for job in active
        for version in sorted({mount.version for mount in job.spec.mounts if mount.version})
    ]
    if rows:
        statement = insert_for(connection.dialect.name, dataset_reads).on_conflict_do_nothing()
        connection.execute(statement, rows)


def _read(rows: Iterable[Any]) -> tuple[VersionRead, ...]:
    return tuple(VersionRead(**{**row, "active": bool(row["active"])}) for row in rows)


_IN_USE = Words(
    "{name} is in use by job {job} of {owner}; stop it first",
    "{name} 正被 {owner} 的任务 {job} 使用，请先停止该任务",
)
