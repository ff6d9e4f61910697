"""Nodes: what they have, what is used, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from danlu.control.plane.view import ActiveView
from danlu.domain.errors import NotFound
from danlu.domain.job import Job, Task
from danlu.domain.node import Node, idle
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import NodeRule
from danlu.domain.subjects import node_subject
from danlu.domain.terms import no_such
from danlu.ports.store import EventStore, Recorded
from danlu.ports.usage import Traffic

_UNRULED = NodeRule("")


@dataclass(frozen=True, slots=True)
class FreeOnNode:
    """In thousandths and bytes."""

    cpu_milli: int
    memory: int
    gpu_milli: int


@dataclass(frozen=True, slots=True)
class NodeNetwork:
    """What a node receives and sends in bytes per second; `shared` if it is a virtual one: the figures are then the
    whole machine's."""

    received: int
    sent: int
    shared: bool


@dataclass(frozen=True, slots=True)
class NodeUse:
    """A node with its live tasks, the rules of administrators, and its network where that is measured."""

    node: Node
    tasks: tuple[tuple[Job, Task], ...]
    rule: NodeRule = _UNRULED
    network: NodeNetwork | None = None

    @property
    def cpu_milli(self) -> int:
        return sum(job.size_of(task).cpu_milli for job, task in self.tasks)

    @property
    def memory(self) -> int:
        return sum(job.size_of(task).memory for job, task in self.tasks)

    @property
    def gpu_milli(self) -> int:
        return sum(grant.milli for _, task in self.tasks for grant in task.gpus)

    @property
    def free(self) -> FreeOnNode:
        """What jobs could still get there, counted as everywhere."""
        node, others = self.node, self.node.foreign
        return FreeOnNode(
            cpu_milli=idle(node, node.cpu_milli, self.cpu_milli, others.cpu_milli).free,
            memory=idle(node, node.memory, self.memory, others.memory).free,
            gpu_milli=idle(node, 1000 * len(node.gpus), self.gpu_milli, 1000 * others.gpus).free,
        )


class Nodes:
    """The nodes as administrators rule them."""

    def __init__(
        self,
        nodes: Callable[[], Sequence[Node]],
        view: ActiveView,
        log: EventStore,
        rules: Callable[[], Mapping[str, NodeRule]] = dict,
        traffic: Callable[[], Traffic | None] = lambda: None,
    ) -> None:
        """`traffic` is of the machine that Danlu itself runs on."""
        self._nodes, self._view, self._log, self._rules = nodes, view, log, rules
        self._traffic = traffic

    def all(self, caller: Caller) -> tuple[NodeUse, ...]:
        caller.require(Permission.NODE_READ)
        traffic = self._traffic()
        return tuple(_with_network(use, traffic) for use in self.uses())

    def uses(self) -> tuple[NodeUse, ...]:
        """All nodes with their tasks, without a permission check, for internal counting."""
        on: dict[str, list[tuple[Job, Task]]] = {}
        for job in self._view.live():
            for task in job.live_tasks:
                on.setdefault(task.node, []).append((job, task))
        rules = self._rules()
        return tuple(
            NodeUse(node, tuple(on.get(node.name, ())), rules.get(node.name, _UNRULED))
            for node in self._nodes()
        )

    def one(self, caller: Caller, name: str) -> NodeUse:
        caller.require(Permission.NODE_READ)
        node = next((node for node in self._nodes() if node.name == name), None)
        if node is None:
            raise NotFound(no_such("node", name))
        tasks = ((job, task) for job in self._view.live() for task in job.live_tasks if task.node == name)
        found = NodeUse(node, tuple(tasks), self._rules().get(name, _UNRULED))
        return _with_network(found, self._traffic())

    def events(self, caller: Caller, name: str, before: int | None, limit: int) -> tuple[Recorded, ...]:
        """What happened on a node, the latest first; of jobs, those the caller may read. A node that is gone is
        remembered as long as something is known of it."""
        caller.require(Permission.NODE_READ)
        found = self._log.events_about(node_subject(name), before, limit, _readable(caller))
        if not found:
            self.one(caller, name)
        return found


def has_network(node: Node) -> bool:
    """Only the network of Danlu's own machine is measured; clusters tell nothing of theirs."""
    return not node.cluster


def _with_network(use: NodeUse, traffic: Traffic | None) -> NodeUse:
    if traffic is None or not has_network(use.node):
        return use
    return replace(use, network=NodeNetwork(traffic.received, traffic.sent, use.node.virtual))


def _readable(caller: Caller) -> Collection[str] | None:
    """Whose jobs the caller may read; None is everybody's."""
    if caller.may_everywhere(Permission.JOB_READ):
        return None
    return (caller.name,) if caller.may(Permission.JOB_READ, caller.name) else ()
