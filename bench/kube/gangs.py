"""Gangs on hollow nodes, by the engine alone and by a bare loop: what they take, and how much of it is ours."""

from __future__ import annotations

import itertools
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.kube.hollow import HollowNodes, hollow_nodes
from bench.peers.bare_pods import Made, bare_loop
from danlu.bootstrap.clock import SystemClock
from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.ids import make_id
from danlu.domain.quantity import MIB
from danlu.domain.resources import Resources
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes import KubernetesEngine
from danlu.engines.kubernetes.objects.pods import pod_of
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.telemetry.logs import log_path
from tests.kubernetes.kube import Kube
from tests.live import eventually
from tools.cluster.cluster import Cluster

_IMAGE = "hollow.test/nothing:1"
_KEPT_MS = 1_000
_LIMIT_S = 180.0
_SETTLED_S = 0.5
_VERBS = {"POST": "create", "PATCH": "patch", "DELETE": "delete", "GET": "get", "CONNECT": "get"}
"""What is asked for each task; a list or a watch is for all of them."""
_THE_CLUSTERS_OWN = "get services"
_number = itertools.count()
_OF_TASKS = ("pods", "pods/log", "services")


@dataclass(frozen=True)
class Load:
    """So many gangs, one after the other and then all at once."""

    gangs: int = 10
    tasks: int = 32
    nodes: int = 64


QUICK = Load(gangs=2, tasks=4, nodes=4)


@dataclass
class Figures:
    """Times in seconds; each list has one entry per gang."""

    load: Load
    wall: list[float] = field(default_factory=list)
    cpu_to_run: list[float] = field(default_factory=list)
    cpu_whole: list[float] = field(default_factory=list)
    pods_per_s: float = 0.0
    requests: Counter[str] = field(default_factory=Counter)

    @property
    def tasks(self) -> int:
        """How many ran one gang after the other, to which the requests belong."""
        return self.load.gangs * self.load.tasks

    @property
    def requests_per_task(self) -> float:
        return self.requests.total() / self.tasks

    @property
    def cpu_share(self) -> float:
        return statistics.median(self.cpu_to_run)


@dataclass
class PeerFigures:
    gangs: list[Made]
    pods_per_s: float


def measure_ours(cluster: Cluster, kube: Kube, nodes: HollowNodes, load: Load, *, dns: bool) -> Figures:
    rule = KubernetesCluster("bench", namespace=kube.namespace, image=_IMAGE, dns=dns, admission_time=120_000)
    figures = Figures(load)
    with _engine(rule, kube, nodes) as floor:
        floor.run_through(order(nodes, load.tasks))  # connections are made, code is loaded
        floor.emptied()
        before = _asked(cluster, nodes)
        for _ in range(load.gangs):
            floor.run_through(order(nodes, load.tasks), figures)
        floor.emptied()
        figures.requests = _asked(cluster, nodes) - before
        all_at_once = [order(nodes, load.tasks, first) for first in range(load.gangs)]
        began = time.monotonic()
        for one in all_at_once:
            floor.engine.start(one)
        floor.await_all(TaskRunning, all_at_once)
        figures.pods_per_s = load.gangs * load.tasks / (time.monotonic() - began)
        floor.end(all_at_once)
        floor.emptied()
    return figures


def measure_bare(kube: Kube, nodes: HollowNodes, load: Load) -> PeerFigures:
    """The same pods, without Danlu."""
    rule = KubernetesCluster("bench", namespace=kube.namespace, image=_IMAGE)

    with bare_loop(kube) as loop:

        def made(orders: Sequence[AttemptOrder]) -> Made:
            result = loop.make(
                [pod_of(rule, one, task, node=task.node) for one in orders for task in one.tasks]
            )
            nodes.end(*(one.attempt_id for one in orders))
            kube.http.delete(kube.path("pods"), params={"gracePeriodSeconds": "0"}).raise_for_status()
            _await_no_pods(kube)
            return result

        made([order(nodes, load.tasks)])
        one_by_one = [made([order(nodes, load.tasks)]) for _ in range(load.gangs)]
        together = made([order(nodes, load.tasks, first) for first in range(load.gangs)])
    return PeerFigures(one_by_one, load.gangs * load.tasks / together.wall_s)


def nodes_for(cluster: Cluster, kube: Kube, load: Load) -> AbstractContextManager[HollowNodes]:
    return hollow_nodes(cluster, kube.namespace, load.nodes)


def order(nodes: HollowNodes, tasks: int, gang: int = 0) -> AttemptOrder:
    """A gang with one card per task, every task on a node of its own; gangs with other numbers begin elsewhere."""
    job = make_id(SystemClock().now(), next(_number))
    size = Resources(cpu_milli=1000, memory=256 * MIB, gpu_milli=1000)
    places = [nodes.names[(gang * tasks + rank) % len(nodes.names)] for rank in range(tasks)]
    wishes = tuple(
        TaskOrder(
            f"worker-{rank}", "worker", place, "10.99.0.1", (0,), size, "python train.py",
            {"DANLU_TASK": f"worker-{rank}", "DANLU_RANK": str(rank)}, False,
        )
        for rank, place in enumerate(places)
    )  # fmt: skip
    return AttemptOrder(f"{job}-1", job, 1, "bench", "", None, wishes, job_name="bench", grace=5_000)


class Floor:
    """An engine, and everything it has told so far."""

    def __init__(self, engine: KubernetesEngine, kube: Kube, nodes: HollowNodes) -> None:
        self.engine, self._kube, self._nodes = engine, kube, nodes
        self._seen: list[TaskEvent] = []
        self._woken = threading.Event()
        engine.listen(self._woken.set)

    def run_through(self, gang: AttemptOrder, figures: Figures | None = None) -> None:
        """From its start to its end and being forgotten."""
        began, cpu = time.monotonic(), time.process_time()
        self.engine.start(gang)
        self.await_all(TaskRunning, [gang])
        wall, to_run = time.monotonic() - began, time.process_time() - cpu
        self.end([gang])
        if figures is not None:
            figures.wall.append(wall)
            figures.cpu_to_run.append(to_run)
            figures.cpu_whole.append(time.process_time() - cpu)

    def end(self, gangs: Sequence[AttemptOrder]) -> None:
        self._nodes.end(*(gang.attempt_id for gang in gangs))
        for ended in self.await_all(TaskEnded, gangs):
            assert isinstance(ended, TaskEnded)
            assert ended.reason is None, ended
        for gang in gangs:
            self.engine.forget(gang.attempt_id)

    def await_all(self, kind: type[TaskEvent], gangs: Sequence[AttemptOrder]) -> list[TaskEvent]:
        """Such an event of every task; an end where none was expected breaks the bench off."""
        wanted = {(gang.attempt_id, task.name) for gang in gangs for task in gang.tasks}
        deadline = time.monotonic() + _LIMIT_S
        while True:
            found = {(event.attempt_id, event.task): event for event in self._seen if isinstance(event, kind)}
            if wanted <= found.keys():
                self._seen = []
                return [found[key] for key in wanted]
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(wanted - found.keys())} tasks had no {kind.__name__}")
            self._woken.wait(1.0)
            self._woken.clear()
            self._seen += self.engine.events()

    def emptied(self) -> None:
        """Until the cluster has nothing of ours any more."""
        _await_no_pods(self._kube)


@contextmanager
def _engine(rule: KubernetesCluster, kube: Kube, nodes: HollowNodes) -> Iterator[Floor]:
    with tempfile.TemporaryDirectory() as folder:
        engine = KubernetesEngine(
            rule,
            ClusterCredentials(kube.kubeconfig.read_text()),
            log_path=lambda key: log_path(Path(folder), key),
            clock=SystemClock(),
            qualified=False,
            kept_ms=_KEPT_MS,
        )
        try:
            eventually(lambda: {node.name for node in engine.inventory() if not node.why} >= {*nodes.names})
            engine.sweep(())  # as a control plane does first of all
            yield Floor(engine, kube, nodes)
        finally:
            engine.close()


def _await_no_pods(kube: Kube) -> None:
    eventually(lambda: not kube.get(kube.path("pods"), limit="1")["items"], 60)


def _asked(cluster: Cluster, nodes: HollowNodes) -> Counter[str]:
    """What was asked so far, once nothing is on its way any more: the API server counts a request after it was
    answered, the kubelets theirs when they send it."""
    counts = _counted(cluster, nodes)
    deadline = time.monotonic() + _LIMIT_S
    while time.monotonic() < deadline:
        time.sleep(_SETTLED_S)
        before, counts = counts, _counted(cluster, nodes)
        if counts == before:
            return counts
    raise TimeoutError("the API server is still asked about pods though there are none")


def _counted(cluster: Cluster, nodes: HollowNodes) -> Counter[str]:
    """What was asked about pods and services so far, as the API server counts it, without the kubelets' share."""
    counts: Counter[str] = Counter()
    for (verb, resource), count in cluster.requests().items():
        if verb in _VERBS and resource in _OF_TASKS:
            counts[f"{_VERBS[verb]} {resource}"] += count
    counts.subtract({what: count for what, count in nodes.requests().items() if what in counts})
    del counts[_THE_CLUSTERS_OWN]
    return counts
