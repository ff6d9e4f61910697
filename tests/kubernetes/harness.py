"""Engines over a real cluster, and what the API server itself saw of their doings."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from danlu.bootstrap.clock import SystemClock
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes import KubernetesEngine
from danlu.ports.logs import LogKey
from danlu.ports.supervision import split_record
from danlu.telemetry.logs import log_path
from tests.kubernetes.account import account_of
from tests.kubernetes.kube import GONE_WITHIN_S, Kube
from tests.kubernetes.places import Place

Json = dict[str, Any]
OURS = {"labelSelector": "app.kubernetes.io/managed-by=danlu"}
_READY_S = 30.0


class Spectator:
    """Watches a namespace with a client of its own: which pods ever came to a node, by their unique ids."""

    def __init__(self, kube: Kube) -> None:
        self._kube = kube
        self._reached: dict[str, str] = {}
        self._over = threading.Event()
        self._version = ""
        self._list()
        self._thread = threading.Thread(target=self._watch, name="spectator", daemon=True)
        self._thread.start()

    def launches(self, attempt: str) -> int:
        return sum(owner == attempt for owner in list(self._reached.values()))

    def close(self) -> None:
        self._over.set()
        self._thread.join(10)

    def _watch(self) -> None:
        while not self._over.is_set():
            params = {"watch": "1", "resourceVersion": self._version, "timeoutSeconds": "1"}
            try:
                with self._kube.http.stream("GET", self._kube.path("pods"), params=params) as answer:
                    for line in answer.iter_lines():
                        self._take(json.loads(line))
                if not self._version:
                    self._list()
            except httpx.HTTPError:
                # The API server may be restarting; what it saw meanwhile it tells afterwards.
                self._over.wait(0.2)

    def _list(self) -> None:
        listed = self._kube.get(self._kube.path("pods"))
        self._version = listed["metadata"]["resourceVersion"]
        for pod in listed["items"]:
            self._note(pod)

    def _take(self, event: Json) -> None:
        if event["type"] == "ERROR":
            # After a restart it may have forgotten what we saw last; what has come to a node since is still there.
            assert event["object"]["code"] == httpx.codes.GONE, event
            self._version = ""
            return
        self._version = event["object"]["metadata"]["resourceVersion"]
        self._note(event["object"])

    def _note(self, pod: Json) -> None:
        if pod["spec"].get("nodeName"):
            labels = pod["metadata"].get("labels", {})
            self._reached[pod["metadata"]["uid"]] = labels.get("danlu.io/attempt", "")


class KubernetesHarness:
    """A namespace of a cluster as the machine room of the engine contract. One engine at a time."""

    patience_s = GONE_WITHIN_S

    def __init__(self, kube: Kube, place: Place, root: Path, **rule: Any) -> None:
        self._kube, self._root = kube, root
        self.rule = replace(
            KubernetesCluster(
                "test", namespace=kube.namespace, image=place.busybox, helper=place.python, dns=False
            ),
            **rule,
        )
        self.nodes = {name: _gpus(node) for name, node in kube.nodes().items()}
        self.spectator = Spectator(kube)
        self.engines: list[KubernetesEngine] = []
        self.kept_ms = 120_000

    def engine(self) -> KubernetesEngine:
        """A fresh engine takes the place of the one before, as after a restart of the server."""
        self.close_engines()
        made = KubernetesEngine(
            self.rule,
            account_of(self._kube),
            log_path=lambda key: log_path(self._root, key),
            clock=SystemClock(),
            qualified=False,
            kept_ms=self.kept_ms,
        )
        self.engines.append(made)
        deadline = time.monotonic() + _READY_S
        while not made.inventory() or any(node.why for node in made.inventory()):
            assert time.monotonic() < deadline, made.inventory()
            time.sleep(0.02)
        return made

    def launches(self, attempt: str) -> int:
        return self.spectator.launches(attempt)

    def pause(self) -> None:
        time.sleep(0.02)

    def log(self, job: str, task: str = "worker-0", attempt: int = 1) -> list[str]:
        """The lines that a task printed, as Danlu keeps them."""
        path = log_path(self._root, LogKey(job, attempt, task))
        records = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return [
            record.text.decode().rstrip("\n")
            for line in records
            if (record := split_record(line)) is not None
        ]

    def printed(self, job: str) -> str:
        return "\n".join(self.log(job))

    def pods(self) -> list[str]:
        """Danlu's pods in the namespace, by name."""
        found = self._kube.get(self._kube.path("pods"), **OURS)["items"]
        return sorted(pod["metadata"]["name"] for pod in found)

    def services(self) -> list[str]:
        found = self._kube.get(self._kube.path("services"), **OURS)["items"]
        return sorted(service["metadata"]["name"] for service in found)

    def close_engines(self) -> None:
        while self.engines:
            self.engines.pop().close()

    def close(self) -> None:
        self.close_engines()
        self.spectator.close()


@contextmanager
def harness_on(kube: Kube, place: Place, root: Path, **rule: Any) -> Iterator[KubernetesHarness]:
    harness = KubernetesHarness(kube, place, root, **rule)
    try:
        yield harness
    finally:
        harness.close()


def _gpus(node: Json) -> int:
    return int(node["status"]["allocatable"].get("nvidia.com/gpu", 0))
