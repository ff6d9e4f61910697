"""From submitting a job to its task running on a real node, and the same pod without Danlu."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from danlu.sdk import Client
from danlu.sdk.http.errors import DanluError
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.live import LiveServer, eventually, live_server, training

_COMMAND = "sleep 0.3"
_SMALL = {"cpus": 0.1, "memory": "64MiB"}
_LIMIT_S = 60.0
_WARM_UP = 2
_IDLE_S = 5.0


@dataclass
class Figures:
    """Milliseconds, one entry per job."""

    running: list[float] = field(default_factory=list)
    """Submitted → Danlu says that it runs."""
    before: list[float] = field(default_factory=list)
    """Submitted → its pod is there."""
    cluster: list[float] = field(default_factory=list)
    """Its pod is there → the API server says that it runs."""
    after: list[float] = field(default_factory=list)
    """The API server says that it runs → Danlu does."""
    bare: list[float] = field(default_factory=list)
    """The same pod straight from us: created → the API server says that it runs."""
    cpu_ms: float = 0.0
    """Of the whole Danlu, per job, from submit to its end, above what it takes doing nothing."""
    idle: float = 0.0
    """The share of a core it takes doing nothing."""


def measure(kube: Kube, place: Place, jobs: int) -> Figures:
    """One at a time, ours and the bare pod in turn, so that both meet the same machine."""
    figures = Figures()
    with _danlu(kube, place) as live, live.client() as client, live.client() as listening:
        process, pods, told = psutil.Process(live.pid), _Pods(kube), _Told(listening)
        for number in range(_WARM_UP):
            _run_ours(client, f"warm-{number}", place, pods, told, Figures())
            _run_bare(kube, f"bare-warm-{number}", pods)
        figures.idle = _cpu_per_s(process, _IDLE_S)
        for number in range(jobs):
            cpu, began = _cpu(process), time.monotonic()
            _run_ours(client, f"lat-{number:03d}", place, pods, told, figures)
            spent = _cpu(process) - cpu - figures.idle * (time.monotonic() - began)
            figures.cpu_ms += spent / jobs * 1000
            figures.bare.append(_run_bare(kube, f"bare-{number:03d}", pods))
        pods.close()
    return figures


def _run_ours(client: Client, name: str, place: Place, pods: _Pods, told: _Told, figures: Figures) -> None:
    began = time.monotonic()
    job = client.submit(training(name, _COMMAND, image=place.busybox, resources=_SMALL))
    said = told.running(job.id)
    pod = eventually(lambda: pods.of_job(job.id), _LIMIT_S)
    done = client.wait(job.id, timeout=_LIMIT_S)
    assert done.state == "completed", done
    figures.running.append((said - began) * 1000)
    figures.before.append((pod.there - began) * 1000)
    figures.cluster.append((pod.running - pod.there) * 1000)
    figures.after.append((said - pod.running) * 1000)


def _run_bare(kube: Kube, name: str, pods: _Pods) -> float:
    """The pod that Danlu just made, under another name and without its labels."""
    model = pods.last_of_danlu
    assert model is not None
    kept = ("containers", "volumes", "affinity", "tolerations", "securityContext", "restartPolicy")
    spec = {key: model["spec"][key] for key in kept}
    spec["automountServiceAccountToken"] = False
    hosts = {"annotations": model["metadata"]["annotations"]}
    began = time.monotonic()
    kube.create(
        "pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, **hosts}, "spec": spec}
    )
    pod = eventually(lambda: pods.named(name), _LIMIT_S)
    kube.wait_pod(name, "Succeeded", seconds=_LIMIT_S)
    kube.delete("pods", name)
    return float(pod.running - began) * 1000


def _cpu_per_s(process: psutil.Process, seconds: float) -> float:
    cpu, began = _cpu(process), time.monotonic()
    time.sleep(seconds)
    return (_cpu(process) - cpu) / (time.monotonic() - began)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@dataclass
class _Seen:
    there: float
    running: float = 0.0


class _Pods:
    """When each pod of a namespace came and ran, by a watch of our own."""

    def __init__(self, kube: Kube) -> None:
        self._kube, self._seen = kube, dict[str, _Seen]()
        self._names: dict[str, str] = {}
        self.last_of_danlu: dict[str, Any] | None = None
        self._version = kube.get(kube.path("pods"))["metadata"]["resourceVersion"]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="pods", daemon=True)
        self._thread.start()

    def of_job(self, job: str) -> _Seen | None:
        return self.named(self._names.get(job, ""))

    def named(self, name: str) -> _Seen | None:
        """Once it runs."""
        seen = self._seen.get(name)
        return seen if seen is not None and seen.running else None

    def close(self) -> None:
        self._over.set()
        self._thread.join(10)

    def _watch(self) -> None:
        with Kube(self._kube.kubeconfig, self._kube.namespace) as kube:
            while not self._over.is_set():
                params = {"watch": "1", "resourceVersion": self._version, "timeoutSeconds": "5"}
                with kube.http.stream("GET", kube.path("pods"), params=params) as answer:
                    for line in answer.iter_lines():
                        self._take(json.loads(line)["object"], time.monotonic())

    def _take(self, pod: dict[str, Any], now: float) -> None:
        metadata = pod["metadata"]
        self._version, name = metadata["resourceVersion"], metadata["name"]
        job = metadata.get("labels", {}).get("danlu.io/job")
        if job:
            self._names[job], self.last_of_danlu = name, pod
        seen = self._seen.setdefault(name, _Seen(now))
        if not seen.running and pod["status"]["phase"] in ("Running", "Succeeded"):
            seen.running = now


class _Told:
    """When Danlu told that a job runs, by its own stream of events."""

    def __init__(self, client: Client) -> None:
        self._at: dict[str, float] = {}
        self._client = client
        threading.Thread(target=self._listen, name="told", daemon=True).start()

    def running(self, job: str) -> float:
        return float(eventually(lambda: self._at.get(job), _LIMIT_S))

    def _listen(self) -> None:
        with suppress(DanluError):  # it ends with the server
            for event in self._client.stream_events():
                if event.kind == "task_running":
                    self._at[str(event.job_id)] = time.monotonic()


@contextmanager
def _danlu(kube: Kube, place: Place) -> Iterator[LiveServer]:
    """A fresh `danlu up` that has the cluster and nothing else to run on."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        live_server(Path(folder), "--engine", "none") as live,
    ):
        added = live.cli(
            *(
                "cluster",
                "create",
                "bench",
                "--kubeconfig",
                str(kube.kubeconfig),
                "--namespace",
                kube.namespace,
            ),
            *("--image", place.busybox, "--helper", place.python, "--no-dns"),
        )
        assert added.returncode == 0, added.stdout + added.stderr
        with live.client() as client:
            eventually(lambda: client.machines.nodes.list())
        yield live
