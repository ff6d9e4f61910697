"""Measured usage of tasks and nodes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.machines.nodes import has_network
from danlu.domain.job import Attempt, Time
from danlu.ports.logs import LogKey
from danlu.ports.usage import TASKS_EVERY, TimeWindow
from danlu.server.http.access import API, COMMON, JOB, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.finding import find_attempt, find_try, require_task
from danlu.server.http.reading import Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.usage import models, render

routes = Routes("usage")


@routes.add("GET", f"{API}/jobs/{{job}}/usage", AccessRule(P.JOB_READ, JOB), models.JobUsage, refusals=(422,))
def job_usage(
    desk: AtDesk,
    who: Who,
    job: str,
    query: Annotated[models.JobUsageQuery, Depends(Query(models.JobUsageQuery))],
) -> Response:
    """Get the CPU, memory and GPU usage of a job's tasks over time."""
    found = desk.services.jobs.jobs.get(who, job)
    attempt = find_attempt(desk.services.jobs.jobs, found, query.attempt)
    if attempt is None:
        require_task(found, None, query.task)
        return answer({"items": [], "measured_every": TASKS_EVERY})
    tasks = attempt.tasks if query.task is None else (find_try(found, attempt, query.task, query.try_),)
    span = TimeWindow(query.window, query.points, _end(attempt))
    items = []
    for task in tasks:
        used = desk.services.ports.usage.of_task(LogKey(found.id, attempt.number, task.run), span)
        items.append(render.task_usage(found, attempt, task, used))
    return answer({"items": items, "measured_every": TASKS_EVERY})


@routes.add(
    "GET", f"{API}/nodes/{{name}}/usage", AccessRule(P.NODE_READ, COMMON), models.NodeUsage, refusals=(422,)
)
def node_usage(
    desk: AtDesk, who: Who, name: str, query: Annotated[models.UsageQuery, Depends(Query(models.UsageQuery))]
) -> Response:
    """Get the CPU, memory and GPU usage of all tasks on a node over time, and what its network carried."""
    node = desk.services.machines.nodes.one(who, name).node
    span, measured = TimeWindow(query.window, query.points), desk.services.ports.usage
    network = measured.of_network(span) if has_network(node) else None
    return answer(render.node_usage(node, measured.of_node(node.name, span), network))


def _end(attempt: Attempt) -> Time | None:
    """When the attempt ended; None if it has not."""
    if attempt.live_tasks:
        return None
    ends = [attempt.ended_at, *(task.ended_at for task in attempt.tasks)]
    return max((end for end in ends if end is not None), default=None)
