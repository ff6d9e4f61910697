"""A cluster of any size in a process of its own: the API server of the tests, filled with nodes and pods as large as
real ones, which change at the pace they are told to. Pods that are created run at once, and their logs stay open."""

from __future__ import annotations

import asyncio
import json
import queue
import random
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from bench.kube.asking import Servant, say, servant
from bench.kube.things import BORN, JOBS, node, other_pod, status
from tests.fakes.kubernetes import ApiServer

Json = dict[str, Any]
_NODE_BEATS_PER_S = 1 / 300
"""A kubelet whose node is well tells so by its lease; the node itself changes every five minutes."""


class ScriptedCluster:
    """The bench's side of it."""

    def __init__(self, process: Servant) -> None:
        self._process = process
        self.url: str = process.heard()

    def pace(self, pods_per_s: float) -> None:
        """So many of others' pods change each second from now on."""
        self._process.ask("pace", pods_per_s)

    def requests(self) -> int:
        return int(self._process.ask("requests"))


@contextmanager
def scripted_cluster(nodes: int, pods: int) -> Iterator[ScriptedCluster]:
    with servant("bench.kube.scripted", str(nodes), str(pods)) as process:
        yield ScriptedCluster(process)


class Scripted(ApiServer):
    def __init__(self, nodes: int, pods: int) -> None:
        super().__init__()
        self._random = random.Random(1)
        self._nodes = [f"gpu-{number:04d}" for number in range(nodes)]
        self._others: list[str] = []
        self._made = 0
        self._born: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.pace = 0.0
        for name in self._nodes:
            self.cluster.put("nodes", node(name))
        for _ in range(pods):
            self._add()
        self.cluster.on_change(self._told)
        for work in (self._run_pods, self._change):
            threading.Thread(target=work, daemon=True).start()

    # ── pods of ours ─────────────────────────────────────────────────────────────────────────────────

    def _told(self, change: str, kind: str, key: str, one: Json) -> None:
        if change == "ADDED" and kind == "pods" and one["metadata"]["namespace"] == JOBS:
            self._born.put(key)

    def _run_pods(self) -> None:
        while True:
            key = self._born.get()
            pod = self.cluster.get("pods", key)
            if pod is None:
                continue
            terms = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
            place = terms["nodeSelectorTerms"][0]["matchFields"][0]["values"][0]
            self.cluster.change("pods", key, {"spec": {"nodeName": place}, "status": status("task")})

    async def _log(self, request: web.Request, key: str) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await answer.prepare(request)
        await answer.write(f"{BORN[:-1]}.000000001Z {key} runs\n".encode())
        await asyncio.sleep(24 * 3600)
        return answer

    # ── everybody else's ─────────────────────────────────────────────────────────────────────────────

    def _add(self) -> None:
        self._made += 1
        made = other_pod(self._made, self._random.choice(self._nodes))
        self._others.append(f"{made['metadata']['namespace']}/{made['metadata']['name']}")
        self.cluster.put("pods", made)

    def _change(self) -> None:
        """Half of the changes are words on a pod that stays, half are pods that go and others that come."""
        owed = beats = 0.0
        before = time.monotonic()
        while True:
            time.sleep(0.01)
            now = time.monotonic()
            owed, beats = owed + (now - before) * self.pace, beats + (now - before) * self._beats_per_s
            before = now
            while beats >= 1:
                beats -= 1
                heard = {"metadata": {"annotations": {"heard": str(now)}}}
                self.cluster.change("nodes", self._random.choice(self._nodes), heard)
            while owed >= 4:
                owed -= 4
                for _ in range(2):
                    said = {"metadata": {"annotations": {"changed": str(now)}}}
                    self.cluster.change("pods", self._random.choice(self._others), said)
                gone = self._random.randrange(len(self._others))
                self.cluster.remove("pods", self._others.pop(gone))
                self._add()

    @property
    def _beats_per_s(self) -> float:
        return len(self._nodes) * _NODE_BEATS_PER_S


def _serve(nodes: int, pods: int) -> None:
    server = Scripted(nodes, pods)
    say(server.url)
    for line in sys.stdin:
        what, *words = json.loads(line)
        if what == "pace":
            server.pace = float(words[0])
            say(None)
        else:
            say(len(server.requests))
    server.close()


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
