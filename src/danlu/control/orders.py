"""From a placed job to the order an engine carries out: what every task is told."""

from __future__ import annotations

import zlib

from danlu.domain.job import Job, Task, TaskState
from danlu.domain.resources import GpuGrant
from danlu.ports.engine import AttemptOrder, TaskOrder

_FIRST_PORT, _PORTS = 20_000, 12_000  # below Linux's range of ports handed out for outgoing connections


def order_of(job: Job, url: str, only: tuple[str, ...] = (), token: str | None = None) -> AttemptOrder:
    """The order for the job's present attempt, or these tasks of it; the same job gives the same order.

    With the token, tasks prove to Danlu who they are."""
    assert job.attempt is not None
    return AttemptOrder(
        attempt_id=job.attempt_id,
        job_id=job.id,
        number=job.attempt.number,
        owner=job.owner,
        image=job.spec.image,
        code=job.spec.code,
        mounts=job.spec.mounts,
        job_name=job.spec.name,
        project=job.spec.project,
        grace=job.spec.checkpoint.grace,
        tasks=tuple(
            _task_order(job, rank, task, url, token)
            for rank, task in enumerate(job.attempt.tasks)
            if not only or task.name in only
        ),
    )


def _task_order(job: Job, rank: int, task: Task, url: str, token: str | None) -> TaskOrder:
    role = job.spec.role(task.role)
    return TaskOrder(
        name=task.name,
        role=task.role,
        node=task.node,
        address=task.address,
        gpus=tuple(grant.index for grant in task.gpus),
        resources=job.size_of(task),
        command=role.command,
        env={**job.spec.env, **role.env, **_told(job, rank, task, url, token)},
        seen=task.state is not TaskState.PENDING,
    )


def _told(job: Job, rank: int, task: Task, url: str, token: str | None) -> dict[str, str]:
    assert job.attempt is not None
    first = job.attempt.tasks[0]
    told = {
        "DANLU_JOB_ID": job.id,
        "DANLU_JOB_NAME": job.spec.name,
        "DANLU_ATTEMPT": str(job.attempt.number),
        "DANLU_TASK": task.name,
        "DANLU_ROLE": task.role,
        "DANLU_INDEX": str(task.index),
        "DANLU_RANK": str(rank),
        "DANLU_WORLD_SIZE": str(len(job.attempt.tasks)),
        "DANLU_MASTER_ADDR": first.address,
        "DANLU_MASTER_PORT": str(_port(job.attempt_id)),
        "DANLU_URL": url,
        "DANLU_GPUS": ",".join(_card(grant) for grant in task.gpus),
    }
    if token is not None:
        told["DANLU_TASK_TOKEN"] = token
    if job.spec.checkpoint.path:
        told["DANLU_CHECKPOINT_DIR"] = job.spec.checkpoint.path
    return told


def _port(attempt_id: str) -> int:
    return _FIRST_PORT + zlib.crc32(attempt_id.encode()) % _PORTS


def _card(grant: GpuGrant) -> str:
    return str(grant.index) if grant.milli == 1000 else f"{grant.index}:{grant.milli}"
