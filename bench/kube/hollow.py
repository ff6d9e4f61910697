"""Nodes without machines: objects in a real API server, and one process that plays the kubelets of all of them.

What it does per pod is what a kubelet does: two words on the way to running, one at the end, three events, and the log
when it is asked for. A pod ends when it is told to, or when it is deleted."""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from bench.kube.asking import Servant, say, servant
from danlu.engines.kubernetes.api import api as at
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api, ApiError, ApiUnreachable, Json
from danlu.engines.kubernetes.objects.names import ATTEMPT
from danlu.engines.kubernetes.watch.informer import Informer
from danlu.ports.clusters import ClusterCredentials
from tools.cluster.cluster import Cluster, find_cluster

GPUS = 8
_LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
_PULSE_S = 3.0
_NOT_READY = "node.kubernetes.io/not-ready"


class HollowNodes:
    """The bench's side of it."""

    def __init__(self, process: Servant) -> None:
        self._process = process
        self.pid = process.pid
        self.names: tuple[str, ...] = tuple(process.heard())

    def end(self, *attempts: str) -> None:
        """Every pod of these attempts succeeds."""
        self._process.ask("end", *attempts)

    def requests(self) -> dict[str, int]:
        """What the kubelets themselves have asked of the API server, as `patch pods/status`."""
        found: dict[str, int] = self._process.ask("requests")
        return found


@contextmanager
def hollow_nodes(cluster: Cluster, namespace: str, count: int) -> Iterator[HollowNodes]:
    """So many nodes that are ready and run whatever pods of a namespace are bound to them."""
    with servant("bench.kube.hollow", str(cluster.layout.state), namespace, str(count)) as process:
        yield HollowNodes(process)


class Kubelets:
    """All of them in one process."""

    def __init__(self, cluster: Cluster, namespace: str, count: int) -> None:
        self._cluster, self._namespace = cluster, namespace
        access = ClusterCredentials(cluster.kubeconfig.read_text())
        self._api = Api(Credentials.load(access))
        self._pulse = Api(Credentials.load(access))  # a heartbeat waits for nothing else
        self._pods = Informer(self._api, at.pods(namespace), self._changed)
        self._names = tuple(f"hollow-{number:04d}" for number in range(count))
        self._begun: dict[str, asyncio.Event] = {}
        self._leaving: set[str] = set()
        self._works: set[asyncio.Task[None]] = set()
        self._addresses = 0

    async def run(self, lines: asyncio.StreamReader) -> None:
        site = await self._serve_logs()
        await self._all(self._register)
        beating = [asyncio.create_task(work()) for work in (self._pods.run, self._beat)]
        try:
            await self._until_ready()
            say(self._names)
            while line := await lines.readline():
                say(await self._obey(*json.loads(line)))
        finally:
            for work in (*beating, *self._works):
                work.cancel()
            await asyncio.gather(*beating, *self._works, return_exceptions=True)
            await self._leave()
            await site.cleanup()
            await self._api.close()
            await self._pulse.close()

    async def _obey(self, what: str, *words: str) -> Any:
        if what == "requests":
            return dict(self._api.requests)
        ending = [
            pod
            for pod in self._pods.objects.values()
            if pod["metadata"].get("labels", {}).get(ATTEMPT) in words
        ]
        await asyncio.gather(*(self._end(pod) for pod in ending))
        return len(ending)

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────────

    async def _register(self, name: str) -> None:
        await self._api.create(at.NODES, node(name, self._cluster.address, self._port))
        body = {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {"name": name},
            "spec": {"holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": _precisely()},
        }
        await self._api.create(_LEASES, body)

    async def _beat(self) -> None:
        while True:
            await self._all(self._renew)
            await asyncio.sleep(_PULSE_S)

    async def _renew(self, name: str) -> None:
        with suppress(ApiUnreachable, ApiError):
            await self._pulse.patch(f"{_LEASES}/{name}", {"spec": {"renewTime": _precisely()}})

    async def _until_ready(self) -> None:
        """Until the cluster's own controllers have seen them: each is born with a taint."""
        while True:
            nodes, _ = await self._api.list_(at.NODES)
            free = {
                one["metadata"]["name"]
                for one in nodes
                if all(taint["key"] != _NOT_READY for taint in one["spec"].get("taints", ()))
            }
            if free.issuperset(self._names) and self._pods.synced:
                return
            await asyncio.sleep(0.2)

    async def _leave(self) -> None:
        """Nothing stays: no pod that nobody would end, no node that nobody would miss."""
        pods, _ = await self._api.list_(at.pods(self._namespace))
        ours = [pod for pod in pods if pod["spec"].get("nodeName") in self._names]
        paths = [at.pods(self._namespace, pod["metadata"]["name"]) for pod in ours]
        paths += [f"{place}/{name}" for place in (at.NODES, _LEASES) for name in self._names]
        await asyncio.gather(*(self._api.delete(path, grace_s=0) for path in paths))

    async def _all(self, work: Callable[[str], Any]) -> None:
        await asyncio.gather(*(work(name) for name in self._names))

    # ── pods ─────────────────────────────────────────────────────────────────────────────────────────

    def _changed(self, key: str, pod: Json | None) -> None:
        if pod is None:
            self._begun.pop(key, asyncio.Event()).set()
            self._leaving.discard(key)
        elif pod["spec"].get("nodeName") in self._names:
            if "deletionTimestamp" in pod["metadata"]:
                if key not in self._leaving:  # told again with every change of its status
                    self._leaving.add(key)
                    self._spawn(self._remove(pod))
            elif key not in self._begun and pod["status"]["phase"] == "Pending":
                self._begun[key] = asyncio.Event()
                self._spawn(self._begin(pod))

    async def _begin(self, pod: Json) -> None:
        await self._tell(pod, "Pending", {"waiting": {"reason": "ContainerCreating"}})
        self._addresses += 1
        address = f"10.99.{self._addresses // 250 % 250}.{self._addresses % 250 + 1}"
        await self._tell(pod, "Running", {"running": {"startedAt": _now()}}, podIP=address)
        for reason in ("Pulled", "Created", "Started"):
            await self._note(pod, reason)

    async def _end(self, pod: Json) -> None:
        times = {"startedAt": pod["metadata"]["creationTimestamp"], "finishedAt": _now()}
        state = {"exitCode": 0, "reason": "Completed", **times}
        await self._tell(pod, "Succeeded", {"terminated": state})
        self._begun[f"{self._namespace}/{pod['metadata']['name']}"].set()

    async def _remove(self, pod: Json) -> None:
        metadata = pod["metadata"]
        path = at.pods(self._namespace, metadata["name"])
        await self._insist(lambda: self._api.delete(path, grace_s=0, uid=metadata["uid"]))

    async def _tell(self, pod: Json, phase: str, state: Json, **more: str) -> None:
        status: Json = {"phase": phase, "hostIP": self._cluster.address, "startTime": _now(), **more}
        ready = "True" if phase == "Running" else "False"
        conditions = {"Initialized": "True", "Ready": ready, "ContainersReady": ready, "PodScheduled": "True"}
        status["conditions"] = [
            {"type": name, "status": value, "lastTransitionTime": _now()}
            for name, value in conditions.items()
        ]
        container = {"name": "task", "state": state, "image": "hollow", "imageID": "", "restartCount": 0}
        status["containerStatuses"] = [{**container, "ready": phase == "Running", "lastState": {}}]
        path = at.pods(self._namespace, pod["metadata"]["name"], "status")
        await self._insist(lambda: self._api.patch(path, {"status": status}))

    async def _note(self, pod: Json, reason: str) -> None:
        about = {"kind": "Pod", "apiVersion": "v1", "namespace": self._namespace}
        about |= {name: pod["metadata"][name] for name in ("name", "uid")}
        event = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": f"{pod['metadata']['name']}.{reason.lower()}"},
            "involvedObject": about,
            "reason": reason,
            "message": f"{reason} what the task needs",
            "type": "Normal",
            "source": {"component": "kubelet", "host": pod["spec"]["nodeName"]},
            "firstTimestamp": _now(),
            "lastTimestamp": _now(),
            "count": 1,
        }
        await self._insist(lambda: self._api.create(at.events(self._namespace), event))

    async def _insist(self, request: Callable[[], Awaitable[object]]) -> None:
        """Until the API server has answered, even if it is only that the pod is gone."""
        while True:
            try:
                await request()
                return
            except ApiError as error:
                if error.status < 500:
                    return
            except ApiUnreachable:
                pass
            await asyncio.sleep(0.2)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._works.add(task)
        task.add_done_callback(self._works.discard)

    # ── logs ─────────────────────────────────────────────────────────────────────────────────────────

    async def _serve_logs(self) -> web.AppRunner:
        """Where the API server looks for a kubelet: it asks for no certificate in particular."""
        app = web.Application()
        app.router.add_get("/containerLogs/{namespace}/{pod}/{container}", self._log)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(
            self._cluster.layout.pki / "apiserver.crt", self._cluster.layout.pki / "apiserver.key"
        )
        listening = self._cluster.listen()
        self._port = listening.getsockname()[1]
        await web.SockSite(runner, listening, ssl_context=tls).start()
        return runner

    async def _log(self, request: web.Request) -> web.StreamResponse:
        key = f"{request.match_info['namespace']}/{request.match_info['pod']}"
        answer = web.StreamResponse(headers={"Content-Type": "text/plain"})
        with suppress(ConnectionError):  # whoever follows may have heard elsewhere that it is over
            await answer.prepare(request)
            await answer.write(b"2026-01-01T00:00:00.000000001Z hello from nowhere\n")
            if request.query.get("follow") == "true" and key in self._begun:
                await self._begun[key].wait()
            await answer.write_eof()
        return answer


def node(name: str, address: str, port: int) -> Json:
    """Eight cards, and a taint that keeps away whoever does not ask for cards."""
    room = {"cpu": "64", "memory": "512Gi", "pods": "110", "ephemeral-storage": "1Ti"}
    room["nvidia.com/gpu"] = str(GPUS)
    product = {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory": "81920"}
    conditions = {"Ready": "True", "MemoryPressure": "False", "DiskPressure": "False", "PIDPressure": "False"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **product}},
        "spec": {"taints": [{"key": "nvidia.com/gpu", "value": "hollow", "effect": "NoSchedule"}]},
        "status": {
            "capacity": room,
            "allocatable": room,
            "addresses": [{"type": "InternalIP", "address": address}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
            "conditions": [
                {"type": kind, "status": status, "lastHeartbeatTime": _now(), "lastTransitionTime": _now()}
                for kind, status in conditions.items()
            ],
        },
    }


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _precisely() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


async def _play(state: str, namespace: str, count: str) -> None:
    cluster = find_cluster(Path(state))
    assert cluster is not None, f"there is no cluster in {state}"
    loop, lines = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    await Kubelets(cluster, namespace, int(count)).run(lines)


if __name__ == "__main__":
    asyncio.run(_play(*sys.argv[1:]))
