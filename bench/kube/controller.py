"""A whole control plane in a process of its own, with one large cluster, that tells what it costs."""

from __future__ import annotations

import gc
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.kube.asking import Servant, say, servant
from bench.kube.things import JOBS, POD_CPU_MILLI
from danlu.bootstrap.first import newcomer
from danlu.bootstrap.parts import Parts
from danlu.bootstrap.plane import ControlPlane
from danlu.bootstrap.services import build_services
from danlu.control.plane.leadership import Leadership
from danlu.domain.job import TaskState
from danlu.domain.permissions import Caller
from danlu.domain.rules import KubernetesCluster
from danlu.files.settings import Settings
from danlu.ports.clusters import ClusterCredentials
from tests.live import eventually, training

Figures = dict[str, float]
_LIMIT_S = 300.0


class ControllerUnderTest:
    """The bench's side of it. CPU in seconds, memory in MiB."""

    def __init__(self, process: Servant) -> None:
        self._process = process
        process.heard()

    def sync(self, nodes: int, foreign_pods: int) -> Figures:
        """Add the cluster; until every node and every foreign pod is known."""
        return self._figures("sync", nodes, foreign_pods)

    def fill(self, gangs: int, tasks: int) -> Figures:
        """So many gangs are submitted; until all of their tasks run."""
        return self._figures("fill", gangs, tasks)

    def usage(self, seconds: float) -> Figures:
        """CPU per second over that time, and memory at its end."""
        return self._figures("usage", seconds)

    def step(self, times: int) -> Figures:
        """CPU of a step of the control plane on which nothing changed, and of asking the engine for its nodes."""
        return self._figures("step", times)

    def _figures(self, *words: Any) -> Figures:
        found: Figures = self._process.ask(*words)
        return found


@contextmanager
def controller_of(url: str, data: Path) -> Iterator[ControllerUnderTest]:
    with servant("bench.kube.controller", url, str(data)) as process:
        yield ControllerUnderTest(process)


class Measured:
    """As `danlu up` puts it together, without its HTTP."""

    def __init__(self, url: str, data: Path) -> None:
        self._url = url
        self._parts = parts = Parts(Settings(data=data, engine="none"), shared=False)
        parts.store.claim()
        fenced = parts.store.fenced(Leadership(parts.store, "up").insist())
        self._plane = ControlPlane(parts, fenced, lambda: True)
        plane = self._plane
        services = build_services(parts, plane.foundation, "up", None, plane.stacks)
        self._jobs = services.jobs.jobs
        admin = newcomer(parts)
        assert admin is not None
        self._caller = Caller(admin)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=plane.run, args=(self._stop,), daemon=True)

    def sync(self, nodes: int, foreign_pods: int) -> Figures:
        self._thread.start()
        time.sleep(1)
        before = _memory()
        user = {"name": "bench", "user": {}}
        context = {"name": "bench", "context": {"cluster": "bench", "user": "bench"}}
        place = {"name": "bench", "cluster": {"server": self._url}}
        config = {"current-context": "bench", "contexts": [context], "clusters": [place], "users": [user]}
        self._parts.secrets.keep("big", ClusterCredentials(json.dumps(config)))
        cpu, began = time.process_time(), time.monotonic()
        self._plane.registry.add(
            self._caller, KubernetesCluster("big", namespace=JOBS, image="busybox:1", dns=False)
        )
        inventory = self._plane.engines.inventory
        _until(lambda: len(inventory()) == nodes and _foreign(inventory()) >= foreign_pods)
        spent, wall = time.process_time() - cpu, time.monotonic() - began
        gc.collect()
        return {"cpu": spent, "wall": wall, "memory_before": before, "memory": _memory()}

    def fill(self, gangs: int, tasks: int) -> Figures:
        cpu, began = time.process_time(), time.monotonic()
        for number in range(gangs):
            wish = training(
                f"gang-{number:04d}",
                "python train.py",
                image="busybox:1",
                resources={"cpus": 1, "memory": "1GiB", "gpus": 1},
                nodes=tasks,
            )
            self._jobs.create(self._caller, wish, start=True)
        _until(lambda: self._running() == gangs * tasks)
        return {"cpu": time.process_time() - cpu, "wall": time.monotonic() - began, "memory": _memory()}

    def usage(self, seconds: float) -> Figures:
        cpu, began = time.process_time(), time.monotonic()
        time.sleep(seconds)
        spent = (time.process_time() - cpu) / (time.monotonic() - began)
        return {"cpu_per_s": spent, "memory": _memory()}

    def step(self, times: int) -> Figures:
        self._stop.set()
        self._plane.wake()
        self._thread.join()
        self._plane.controller.step()
        return {
            "step": _thread_cost(self._plane.controller.step, times),
            "inventory": _thread_cost(self._plane.engines.inventory, times),
        }

    def close(self) -> None:
        self._stop.set()
        self._plane.wake()
        if self._thread.ident is not None:
            self._thread.join(10)
        self._plane.close()
        self._parts.close()

    def _running(self) -> int:
        return sum(
            task.state is TaskState.RUNNING for job in self._plane.view.live() for task in job.live_tasks
        )


def _foreign(nodes: Any) -> int:
    """How many pods of others the nodes are known to hold."""
    return int(sum(node.foreign.cpu_milli for node in nodes) // POD_CPU_MILLI)


def _thread_cost(work: Callable[[], object], times: int) -> float:
    """CPU seconds of this thread for each time; those of the engine's own thread are not in it."""
    began = time.thread_time()
    for _ in range(times):
        work()
    return (time.thread_time() - began) / times


def _memory() -> float:
    return float(psutil.Process().memory_info().rss / 2**20)


def _until(holds: Callable[[], bool]) -> None:
    eventually(holds, _LIMIT_S)


def _serve(url: str, data: str) -> None:
    measured = Measured(url, Path(data))
    say("ready")
    for line in sys.stdin:
        what, *words = json.loads(line)
        say(getattr(measured, what)(*words))
    measured.close()


if __name__ == "__main__":
    _serve(*sys.argv[1:])
