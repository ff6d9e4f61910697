"""The machines: what they have, what is used of it, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from danlu.control.view import ActiveView
from danlu.domain.errors import NotFound
from danlu.domain.job import Job, Task
from danlu.domain.node import Node
from danlu.domain.permissions import Caller, Permission


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

    def __init__(self, nodes: Callable[[], Sequence[Node]], view: ActiveView) -> None:
        self._nodes, self._view = nodes, view

    def all(self, caller: Caller) -> tuple[NodeUse, ...]:
        caller.require(Permission.NODE_READ)
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
