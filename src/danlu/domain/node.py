"""A machine that tasks run on, and the cards in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class NodeState(StrEnum):
    READY = "ready"
    UNREACHABLE = "unreachable"
    OFF = "off"
    OCCUPIED = "occupied"
    CORDONED = "cordoned"


@dataclass(frozen=True, slots=True)
class Gpu:
    """One card. A declared card is one that somebody only says is there (virtual nodes)."""

    index: int
    uuid: str
    model: str
    memory: int = 0
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A machine as its engine sees it; the GPUs of one node are all of one model."""

    name: str
    address: str
    cpu_milli: int
    memory: int
    gpus: tuple[Gpu, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    state: NodeState = NodeState.READY
    virtual: bool = False
    pool: str = "default"

    @property
    def gpu_model(self) -> str | None:
        return self.gpus[0].model if self.gpus else None
