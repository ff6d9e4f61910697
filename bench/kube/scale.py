"""A control plane with one large cluster: what it costs to read it, to keep up with it, and to do nothing."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.kube.controller import Figures, controller_of
from bench.kube.scripted import scripted_cluster

_SETTLE_S = 3.0


@dataclass(frozen=True)
class Size:
    """Of the pods, those of the gangs are ours."""

    nodes: int = 1_000
    pods: int = 5_000
    gangs: int = 32
    tasks: int = 32
    changes_per_s: float = 100.0
    seconds: float = 15.0
    steps: int = 50


QUICK = Size(nodes=50, pods=250, gangs=2, tasks=8, seconds=3.0, steps=10)


@dataclass(frozen=True)
class Costs:
    sync: Figures
    fill: Figures
    idle: Figures
    busy: Figures
    step: Figures
    requests: int


def measure(size: Size) -> Costs:
    others = size.pods - size.gangs * size.tasks
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        scripted_cluster(size.nodes, others) as cluster,
        controller_of(cluster.url, Path(folder)) as controller,
    ):
        sync = controller.sync(size.nodes, others)
        fill = controller.fill(size.gangs, size.tasks)
        controller.usage(_SETTLE_S)
        idle = controller.usage(size.seconds)
        cluster.pace(size.changes_per_s)
        controller.usage(_SETTLE_S)
        busy = controller.usage(size.seconds)
        cluster.pace(0)
        controller.usage(_SETTLE_S)
        return Costs(sync, fill, idle, busy, controller.step(size.steps), cluster.requests())
