"""The subject of an event besides its job: the one node it happened on."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.domain import events as ev
from danlu.domain.job import Job, Task, split_run
from danlu.domain.rules import NodeRule


def node_subject(name: str) -> str:
    return f"node:{name}"


def subject_of(event: ev.Event, job: Job | None = None) -> str | None:
    """The subject of an event, given the job it happened to; None when it concerns no node, or several."""
    nodes = set(_nodes(event, job.attempt.tasks if job and job.attempt else ()))
    return node_subject(nodes.pop()) if len(nodes) == 1 else None


def _nodes(event: ev.Event, tasks: tuple[Task, ...]) -> Iterable[str]:
    match event:
        case ev.RuleChanged(rule=NodeRule.kind, name=name):
            return (name,)
        case ev.Placed(tasks=placed) | ev.Nominated(tasks=placed) | ev.Grown(tasks=placed):
            return (task.node for task in placed)
        # The steps of a starting task concern only its job.
        case ev.TaskDelayed(task=name) | ev.TaskRunning(task=name) | ev.TaskEnded(task=name):
            return (task.node for task in tasks if task.name == split_run(name)[0])
        case ev.Evicted(tasks=names):
            return (task.node for task in tasks if task.live and (task.name in names or not names))
        case ev.StopOverdue():
            return (task.node for task in tasks if task.live)
    return ()
