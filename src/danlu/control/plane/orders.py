"""From a placed job to the order that an engine carries out."""

from __future__ import annotations

import zlib

from danlu.control.plane.task_ssh import ssh_key
from danlu.domain.job import NO_FRAMEWORK, Job, Task, TaskState
from danlu.domain.resources import GpuGrant
from danlu.frameworks.base import Gang, Seat
from danlu.frameworks.catalog import framework, strategy
from danlu.ports.engine import AttemptOrder, TaskOrder, at

_FIRST_PORT, _PORTS = 20_000, 12_000  # below Linux's range of ports handed out for outgoing connections
_PORTS_EACH = 64
"""An attempt has so many ports in a row, for tasks that share a machine."""


def order_of(job: Job, url: str, only: tuple[str, ...] = (), token: str | None = None) -> AttemptOrder:
    """The order for the job's present attempt, or these tasks of it; the same job gives the same order.

    Tasks authenticate to Danlu with the token."""
    assert job.attempt is not None
    gang = _gang(job)
    return AttemptOrder(
        attempt_id=job.attempt_id,
        job_id=job.id,
        number=job.attempt.number,
        owner=job.owner,
        image=job.spec.image,
        code=job.spec.code,
        job_name=job.spec.name,
        project=job.spec.project,
        grace=job.spec.checkpoint.grace,
        network=job.spec.network,
        packages=job.spec.packages,
        tasks=tuple(
            _task_order(job, gang, rank, task, url, token)
            for rank, task in enumerate(_ranked(job))
            if not only or task.name in only
        ),
    )


def _ranked(job: Job) -> list[Task]:
    """The attempt's tasks by rank: in the order in which the strategy names its roles, else the file."""
    assert job.attempt is not None
    known = [shape.name for shape in strategy(framework(job.spec.framework), job.spec.strategy).roles]
    places = {name: place for place, name in enumerate(known)} if job.spec.framework != NO_FRAMEWORK else {}
    return sorted(job.attempt.tasks, key=lambda task: places.get(task.role, len(places)))


def _gang(job: Job) -> Gang:
    spec, tasks, port = job.spec, _ranked(job), _port(job.attempt_id)
    seats = []
    for rank, task in enumerate(tasks):
        role, cards = spec.role(task.role), len(task.gpus)
        seats.append(
            Seat(
                name=task.name,
                role=task.role,
                index=task.index,
                rank=rank,
                host=at(task.name),
                port=port + rank % _PORTS_EACH,
                gpus=cards,
                processes=role.processes or max(1, cards),
                command=role.command,
                cpus=max(1, job.size_of(task).cpu_milli // 1000),
            )
        )
    return Gang(
        job.attempt_id, spec.strategy, tuple(seats), spec.minimum, max(spec.size, len(tasks)), spec.restarts
    )


def _task_order(job: Job, gang: Gang, rank: int, task: Task, url: str, token: str | None) -> TaskOrder:
    role = job.spec.role(task.role)
    given = framework(job.spec.framework).given(gang, gang.seats[rank])
    return TaskOrder(
        name=task.run,
        host=task.name,
        role=task.role,
        node=task.node,
        address=task.address,
        gpus=tuple(grant.index for grant in task.gpus),
        resources=job.size_of(task),
        command=given.command,
        # Variables set by people override those of the framework; Danlu's own names are reserved.
        env={**given.env, **job.spec.env, **role.env, **_told(job, gang, rank, task, url, token)},
        seen=task.state is not TaskState.PENDING,
        image=role.image or job.spec.image,
        held=task.not_before is not None,
    )


def _told(job: Job, gang: Gang, rank: int, task: Task, url: str, token: str | None) -> dict[str, str]:
    assert job.attempt is not None
    told = {
        "DANLU_JOB_ID": job.id,
        "DANLU_JOB_NAME": job.spec.name,
        "DANLU_JOB_RUN": str(job.run),
        "DANLU_ATTEMPT": str(job.attempt.number),
        "DANLU_TASK": task.name,
        "DANLU_RUN": task.run,
        "DANLU_ROLE": task.role,
        "DANLU_INDEX": str(task.index),
        "DANLU_RANK": str(rank),
        "DANLU_WORLD_SIZE": str(len(job.attempt.tasks)),
        "DANLU_MASTER_ADDR": gang.first.host,
        "DANLU_MASTER_PORT": str(_port(job.attempt_id)),
        "DANLU_URL": url,
        "DANLU_GPUS": ",".join(_card(grant) for grant in task.gpus),
    }
    if token is not None:
        told["DANLU_TASK_TOKEN"] = token
        if framework(job.spec.framework).ssh:
            told["DANLU_SSH_KEY"] = ssh_key(token)
    if job.spec.checkpoint.path:
        told["DANLU_CHECKPOINT_DIR"] = job.spec.checkpoint.path
    if job.saved is not None:
        told["DANLU_RESUME_FROM"] = job.saved.path
        told["DANLU_RESUME_STEP"] = "" if job.saved.step is None else str(job.saved.step)
    return told


def _port(attempt_id: str) -> int:
    return _FIRST_PORT + zlib.crc32(attempt_id.encode()) % (_PORTS // _PORTS_EACH) * _PORTS_EACH


def _card(grant: GpuGrant) -> str:
    return str(grant.index) if grant.milli == 1000 else f"{grant.index}:{grant.milli}"
