"""Which volumes jobs mount, kept beside them: none is put in the trash while an active job mounts it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, insert, select

from danlu.domain.errors import Conflict
from danlu.domain.job import Job
from danlu.domain.words import say
from danlu.store.sql.schema import job_mounts, volumes

_INSERT = insert(job_mounts)
_DELETE = delete(job_mounts).where(job_mounts.c.job_id == bindparam("job"))
_USABLE = select(volumes.c.id).where(
    volumes.c.id.in_(bindparam("ids", expanding=True)), volumes.c.trashed_at.is_(None)
)


def write(connection: Connection, job: Job, *, anew: bool = False) -> None:
    """Those of a job's specification; `anew` where it had another one before."""
    if anew:
        connection.execute(_DELETE, {"job": job.id})
    if rows := _rows(job):
        connection.execute(_INSERT, rows)


def require_usable(connection: Connection, jobs: Sequence[Job]) -> None:
    """Conflict when a volume of jobs that become active is gone or in the trash: checked in the transaction that makes
    them active, since the other way round a volume is checked for active jobs."""
    wanted = {mount.id: mount.volume for job in jobs for mount in job.spec.mounts if mount.id}
    if not wanted:
        return
    usable = {row[0] for row in connection.execute(_USABLE, {"ids": sorted(wanted)})}
    for volume_id, name in wanted.items():
        if volume_id not in usable:
            raise Conflict(
                say(
                    "volume {volume} is in the trash or gone; restore it, or change `mounts`",
                    "存储卷 {volume} 在回收站中或已不存在；请恢复，或修改 `mounts`",
                    volume=name,
                )
            )


def _rows(job: Job) -> list[dict[str, object]]:
    """One for each volume; mounted twice it is written to if either mount is."""
    modes: dict[str, bool] = {}
    for mount in job.spec.mounts:
        if mount.id:
            modes[mount.id] = modes.get(mount.id, True) and mount.read_only
    return [{"job_id": job.id, "volume": volume, "read_only": mode} for volume, mode in modes.items()]
