"""One API server, one engine over it, and orders: what the tests of the engine share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from danlu.domain.events import TaskEnded, TaskEvent, TaskRunning
from danlu.domain.quantity import MIB
from danlu.domain.reasons import (
    Reason,
)
from danlu.domain.resources import Resources
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes import KubernetesEngine
from danlu.ports.clusters import ClusterCredentials
from danlu.ports.engine import AttemptOrder, TaskOrder
from danlu.telemetry.logs import log_path
from tests.fakes.kubernetes import ApiServer, Json, parsed
from tests.fakes.loop_time import LoopTime

SPACE = "jobs"
RULE = KubernetesCluster("east", namespace=SPACE, image="busybox", dns=False)
NODE: Json = {
    "metadata": {"name": "n1"},
    "spec": {},
    "status": {
        "allocatable": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"},
        "conditions": [{"type": "Ready", "status": "True"}],
        "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
    },
}


class Server(ApiServer):
    """Does what is asked and loses the answer, as often as `lost` says; and plays a kubelet when told to."""

    def __init__(self, time: LoopTime) -> None:
        self.lost: Counter[str] = Counter()
        super().__init__(time=time)
        self.cluster.put("nodes", json.loads(json.dumps(NODE)))

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        answer = await super()._serve(request)
        what = f"{request.method} {parsed(request.path)[0]}"
        if self.lost[what] > 0:
            self.lost[what] -= 1
            assert request.transport is not None
            request.transport.abort()
        return answer

    def pods(self) -> dict[str, Json]:
        return {one["metadata"]["name"]: one for one in self.cluster.all("pods", SPACE)}

    def set(self, pod: str, *, node: str = "n1", **status: Any) -> None:
        self.cluster.change("pods", f"{SPACE}/{pod}", {"spec": {"nodeName": node}, "status": status})

    def run(self, pod: str, ip: str = "10.1.0.1") -> None:
        state = {"running": {"startedAt": "2026-03-01T00:00:00Z"}}
        self.set(pod, phase="Running", podIP=ip, containerStatuses=[{"name": "task", "state": state}])

    def end(self, pod: str, code: int = 0) -> None:
        times = {"startedAt": "2026-03-01T00:00:00Z", "finishedAt": "2026-03-01T00:00:05Z"}
        state = {"terminated": {"exitCode": code, **times}}
        phase = "Failed" if code else "Succeeded"
        self.set(pod, phase=phase, containerStatuses=[{"name": "task", "state": state}])

    def obey(self) -> None:
        """From now on pods that are to go end by SIGTERM, as a kubelet sees to it."""

        def told(change: str, kind: str, key: str, one: Json) -> None:
            if kind == "pods" and change == "MODIFIED" and "deletionTimestamp" in one["metadata"]:
                self._loop.call_soon_threadsafe(self._bury, key)

        self.cluster.on_change(told)

    def _bury(self, key: str) -> None:
        if self.cluster.get("pods", key) is not None:
            self.end(key.partition("/")[2], 143)
            self.cluster.remove("pods", key)


class Engine(KubernetesEngine):
    """Time goes by while it closes."""

    def __init__(self, time: LoopTime, *args: Any, **more: Any) -> None:
        self._time = time
        super().__init__(*args, **more)

    def close(self) -> None:
        self._die()
        self._time.until(lambda: not self._thread.is_alive())
        super().close()


@dataclass
class Room:
    """One API server and one engine over it."""

    time: LoopTime
    server: Server
    root: Path
    leads: bool = True
    seen: list[TaskEvent] = field(default_factory=list)
    engine: KubernetesEngine = field(init=False)

    def open(self, rule: KubernetesCluster = RULE, **more: Any) -> KubernetesEngine:
        config = {
            "current-context": "c",
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": self.server.url}}],
            "users": [{"name": "u", "user": {}}],
        }
        self.engine = Engine(
            self.time,
            rule,
            ClusterCredentials(json.dumps(config)),
            log_path=lambda key: log_path(self.root, key),
            clock=self.time,
            **more,
        )
        return self.engine

    def until(self, holds: Callable[[], object], seconds: float = 20) -> None:
        def seen() -> object:
            self.seen += self.engine.events()
            return holds()

        assert self.time.until(seen, seconds), f"still not so; seen: {self.seen}"
        self.seen += self.engine.events()

    def ends(self) -> dict[str, Reason | None]:
        return {event.task: event.reason for event in self.seen if isinstance(event, TaskEnded)}

    def until_ended(self, count: int = 1) -> dict[str, Reason | None]:
        self.until(lambda: len(self.ends()) >= count)
        return self.ends()

    def until_running(self, count: int = 1) -> None:
        self.until(lambda: len({one.task for one in self.seen if isinstance(one, TaskRunning)}) >= count)

    def asked(self, what: str) -> int:
        return len(self.server.asked(what))


def order(tasks: int = 1, *, seen: bool = False, attempt: str = "job-1") -> AttemptOrder:
    parts = tuple(
        TaskOrder(f"w-{rank}", "w", "n1.east", "", (), Resources(100, 64 * MIB), "true", {}, seen)
        for rank in range(tasks)
    )
    return AttemptOrder(attempt, "job", 1, "lin", "host", None, parts)
