"""Jobs as a GPU cluster sees them: one list for Danlu and for those it is measured beside."""

from __future__ import annotations

import random
from dataclasses import dataclass

# How often each shape (GPUs, CPUs, GiB) was asked for in the openb pod list of Alibaba's GPU cluster trace
# (Apache-2.0): the shapes that cover nine tenths of the pods with GPUs, and every size above one GPU. A share of a
# GPU counts as one, because not every scheduler here can share; pods without a GPU are left out.
_SHAPES: dict[tuple[int, int, int], int] = {
    (1, 4, 5): 1592, (1, 12, 48): 861, (1, 12, 46): 786, (1, 12, 47): 534, (1, 8, 30): 486, (1, 19, 63): 255,
    (1, 10, 41): 195, (1, 4, 22): 189, (1, 4, 15): 182, (1, 12, 24): 158, (1, 16, 57): 158, (1, 5, 10): 153,
    (1, 4, 30): 136, (1, 12, 76): 116, (1, 16, 32): 108, (1, 8, 16): 106, (1, 4, 24): 104, (1, 12, 16): 101,
    (1, 15, 57): 93, (1, 25, 91): 84,
    (2, 17, 65): 7, (2, 6, 64): 3, (2, 31, 157): 3, (2, 18, 42): 2, (2, 14, 59): 1,
    (4, 33, 129): 9, (4, 32, 128): 3, (4, 61, 313): 3,
    (8, 88, 320): 18, (8, 65, 257): 18, (8, 64, 256): 3, (8, 120, 720): 3, (8, 121, 625): 2,
}  # fmt: skip
# The trace has run times; what a scheduler sees is the limit that was asked for, which people round up.
_LIMITS = (30, 60, 60, 120, 240, 480, 1440)


# A node of the largest kind in that trace.
NODE_GPUS, NODE_CPUS, NODE_MEMORY_MIB = 8, 128, 786_432


@dataclass(frozen=True)
class Request:
    """One job of one task on one node."""

    gpus: int
    cpus: int
    memory_mib: int
    minutes: int


def requests(count: int, seed: int = 42) -> list[Request]:
    """The same `count` jobs for the same seed; a longer list begins with the shorter one."""
    draw = random.Random(seed)
    shapes = list(_SHAPES)
    weights = list(_SHAPES.values())
    drawn = draw.choices(shapes, weights, k=count)
    return [
        Request(gpus, cpus, memory * 1024, _LIMITS[number * 5 % len(_LIMITS)])
        for number, (gpus, cpus, memory) in enumerate(drawn)
    ]


@dataclass(frozen=True)
class Scenario:
    """What is decided: `first` on an empty cluster, then `freed` places in a full one with `queue` waiting."""

    nodes: int
    first: list[Request]
    queue: list[Request]
    freed: int
    """Running jobs of one GPU that end at once; every node that `first` left empty holds one 8-GPU task by then."""


def scenario(nodes: int) -> Scenario:
    return Scenario(
        nodes, requests(4 * min(nodes, 100)), requests(2 * nodes, seed=43), freed=min(100, nodes // 2)
    )
