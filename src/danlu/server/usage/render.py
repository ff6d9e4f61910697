"""Measured use as JSON."""

from __future__ import annotations

from danlu.domain.job import Attempt, Job, Task
from danlu.domain.node import Node
from danlu.domain.resources import Resources
from danlu.files.quantities import plain_number
from danlu.ports.usage import NODES_EVERY, NetworkLines, Usage
from danlu.server.http.answering import Json
from danlu.server.usage import models


def task_usage(job: Job, attempt: Attempt, task: Task, used: Usage) -> Json:
    given = _given(job, attempt, task)
    return models.TaskUsage.render(
        used,
        task=task.name,
        node=task.node,
        attempt=attempt.number,
        cpus_given=plain_number(given.cpu_milli),
        memory_given=given.memory,
        gpus_given=[grant.index for grant in task.gpus],
    )


def node_usage(node: Node, used: Usage, network: NetworkLines | None) -> Json:
    lines = None if network is None else models.NetworkLines.render(network, shared=node.virtual)
    return models.NodeUsage.render(
        used,
        node=node.name,
        cpus_total=plain_number(node.cpu_milli),
        memory_total=node.memory,
        network=lines,
        measured_every=NODES_EVERY,
    )


def _given(job: Job, attempt: Attempt, task: Task) -> Resources:
    """What the specification gives the task; nothing if the job was edited since and no longer has this role."""
    if all(role.name != task.role for role in job.spec.roles):
        return Resources(0, 0)
    return job.size_of(task, len(attempt.tasks))
