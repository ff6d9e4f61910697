"""The machines: what they have, what is used of it, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from danlu.control.view import ActiveView
from danlu.domain.errors import NotFound
from danlu.domain.job import Job, Task
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission
from danlu.domain.subjects import node_subject
from danlu.ports.store import EventStore, Recorded


@dataclass(frozen=True, slots=True)
class NodeUse:
    """A node with the live tasks on it."""

    node: Node
    tasks: tuple[tuple[Job, Task], ...]

    @property
    def cpu_milli(self) -> int:
        return sum(job.size_of(task).cpu_milli for job, task in self.tasks)

    @property
    def memory(self) -> int:
        return sum(job.size_of(task).memory for job, task in self.tasks)

    @property
    def gpu_milli(self) -> int:
        return sum(grant.milli for _, task in self.tasks for grant in task.gpus)


class Nodes:
    """The nodes as administrators rule them."""

    def __init__(self, nodes: Callable[[], Sequence[Node]], view: ActiveView, log: EventStore) -> None:
        self._nodes, self._view, self._log = nodes, view, log

    def all(self, caller: Caller) -> tuple[NodeUse, ...]:
        caller.require(Permission.NODE_READ)
        return self.uses()

    def uses(self) -> tuple[NodeUse, ...]:
        """The same for those who count, whoever asked them."""
        on: dict[str, list[tuple[Job, Task]]] = {}
        for job in self._view.live():
            for task in job.live_tasks:
                on.setdefault(task.node, []).append((job, task))
        return tuple(NodeUse(node, tuple(on.get(node.name, ()))) for node in self._nodes())

    def one(self, caller: Caller, name: str) -> NodeUse:
        for use in self.all(caller):
            if use.node.name == name:
                return use
        raise NotFound(f"there is no node '{name}'")

    def events(self, caller: Caller, name: str, before: int | None, limit: int) -> tuple[Recorded, ...]:
        """What happened on a node, the latest first; of jobs, those the caller may read. A node that is gone is
        remembered as long as something is known of it."""
        caller.require(Permission.NODE_READ)
        found = self._log.events_about(node_subject(name), before, limit, _readable(caller))
        if not found:
            self.one(caller, name)
        return found


def _readable(caller: Caller) -> Collection[str] | None:
    """Whose jobs the caller may read; None is everybody's."""
    if caller.may(Permission.JOB_READ, f"not {caller.name}"):
        return None
    return (caller.name,) if caller.may(Permission.JOB_READ, caller.name) else ()
