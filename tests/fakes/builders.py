"""Short ways to say jobs, nodes and snapshots in tests."""

from __future__ import annotations

from typing import Any

from danlu.domain.job import Job, JobSpec
from danlu.domain.node import Gpu, Node, NodeState
from danlu.domain.quantity import GIB, parse_size
from danlu.files.reading import read_job_file


def spec(name: str = "some-job", **keys: Any) -> JobSpec:
    """A specification from job-file keys; `gpus`, `gpu`, `cpus` and `memory` go to resources."""
    sizes = {key: keys.pop(key) for key in ("gpus", "gpu", "cpus", "memory") if key in keys}
    file = {"kind": "training", "name": name, "command": "true", **keys}
    if sizes:
        file["resources"] = sizes
    return read_job_file(file).result()


def job(name: str = "some-job", *, owner: str = "lin", at: int = 0, **keys: Any) -> Job:
    return Job(id=name, owner=owner, spec=spec(name, **keys), created_at=at)


def node(
    name: str,
    gpus: int = 0,
    model: str = "A100",
    cpus: int = 64,
    memory: str = "512GiB",
    *,
    state: NodeState = NodeState.READY,
    **labels: str,
) -> Node:
    cards = tuple(Gpu(index, f"{name}-{index}", model) for index in range(gpus))
    return Node(name, f"10.0.0.{name}", cpus * 1000, parse_size(memory), cards, labels, state)


DEFAULT_MEMORY = 2 * GIB
