"""What a decision sees and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danlu.domain.job import JobSpec, Time
from danlu.domain.node import Node
from danlu.domain.reasons import Reason
from danlu.domain.resources import GpuGrant


@dataclass(frozen=True, slots=True)
class Held:
    """What one live task holds of a node."""

    node: str
    cpu_milli: int
    memory: int
    gpus: tuple[GpuGrant, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A queued job."""

    job_id: str
    spec: JobSpec
    created_at: Time


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One immutable view of everything a decision may depend on, time included."""

    now: Time
    nodes: tuple[Node, ...]
    held: tuple[Held, ...]
    pending: tuple[Pending, ...]


@dataclass(frozen=True, slots=True)
class Assigned:
    """One task of a start: where it runs and on which cards."""

    role: str
    index: int
    node: str
    gpus: tuple[GpuGrant, ...]


@dataclass(frozen=True, slots=True)
class Start:
    job_id: str
    tasks: tuple[Assigned, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who starts where, and for everybody else why not."""

    starts: tuple[Start, ...]
    waiting: Mapping[str, Reason]
