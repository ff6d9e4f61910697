"""A machine that tasks run on, and the cards in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from danlu.domain.isolation import TaskIsolation
from danlu.domain.job import Time


class NodeState(StrEnum):
    READY = "ready"
    UNREACHABLE = "unreachable"
    OFF = "off"
    OCCUPIED = "occupied"
    CORDONED = "cordoned"


IN_SERVICE = frozenset({NodeState.READY, NodeState.OCCUPIED})
"""On nodes in these states jobs can start."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU. A declared GPU does not really exist (virtual nodes)."""

    index: int
    uuid: str
    model: str
    memory: int = 0
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Foreign:
    """What workloads outside Danlu use on a node."""

    cpu_milli: int = 0
    memory: int = 0
    gpus: int = 0


@dataclass(frozen=True, slots=True)
class LowDisk:
    """What is left of a node's disk in bytes, and what must be for tasks to start there."""

    free: int
    reserve: int


@dataclass(frozen=True, slots=True)
class Node:
    """A machine as its engine sees it; the GPUs of one node are all of one model.

    `cluster` is empty on the machine that Danlu itself runs on. `why` says in the engine's words why it accepts no
    tasks. `isolation` is None as long as nobody knows. At `closes_at` all jobs must leave, for the maintenance
    `closes_for` or for a drain. No more than `max_tasks` tasks run there at a time."""

    name: str
    address: str
    cpu_milli: int
    memory: int
    gpus: tuple[Gpu, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    state: NodeState = NodeState.READY
    virtual: bool = False
    pool: str = "default"
    cluster: str = ""
    foreign: Foreign = Foreign()
    why: str = ""
    closes_at: Time | None = None
    closes_for: str = ""
    opens_at: Time | None = None
    """When the maintenance that is in progress ends; None if there is none."""
    low_disk: LowDisk | None = None
    max_tasks: int | None = None
    isolation: TaskIsolation | None = None
    has: tuple[str, ...] | None = None
    """Of what frameworks and packages need, what is installed here; None if nobody knows."""

    @property
    def gpu_model(self) -> str | None:
        return self.gpus[0].model if self.gpus else None


@dataclass(frozen=True, slots=True)
class Idle:
    """What Danlu's tasks leave of a resource of a node: held by others, free for jobs, or closed to them."""

    others: int
    free: int
    closed: int


def idle(node: Node, size: int, held: int, foreign: int) -> Idle:
    """The one rule for counting what there is: a node that is off has nothing; what nobody holds on a node that takes
    no jobs (cordoned, drained, unreachable) is there, but closed."""
    if node.state is NodeState.OFF:
        return Idle(0, 0, 0)
    left = max(0, size - held)
    others = min(left, foreign)
    rest = left - others
    return Idle(others, rest, 0) if node.state in IN_SERVICE else Idle(others, 0, rest)


def unread(nodes: Iterable[Node], why: str) -> tuple[Node, ...]:
    """The nodes as they are shown while their state is unknown."""
    return tuple(replace(node, state=NodeState.UNREACHABLE, why=why) for node in nodes)
