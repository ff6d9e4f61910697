"""The API server as the tests of this tier see it: on their own, without a line of the engine under test."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import yaml
from websockets.sync.client import connect

Json = dict[str, Any]
GONE_WITHIN_S = 150.0
"""An old kubelet that missed the end of a pod's last container collects the rest of it in a round that comes every
minute, lets go of the pod in another that comes every ten seconds, and each may find that it is too early."""


class Kube:
    """One namespace of a cluster, by an administrator's kubeconfig (a token or a client's certificate in it)."""

    def __init__(self, kubeconfig: Path, namespace: str = "default") -> None:
        content = yaml.safe_load(kubeconfig.read_text())
        context = named(content["contexts"], content["current-context"])["context"]
        cluster = named(content["clusters"], context["cluster"])["cluster"]
        user = named(content["users"], context["user"])["user"]
        self.kubeconfig = kubeconfig
        self.namespace = namespace
        self.ssl = tls_of(cluster, user)
        self.headers = {"Authorization": f"Bearer {user['token']}"} if "token" in user else {}
        self.http = httpx.Client(
            base_url=cluster["server"], verify=self.ssl, headers=self.headers, timeout=20, trust_env=False
        )

    def __enter__(self) -> Kube:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def path(self, kind: str, name: str = "", part: str = "") -> str:
        return "/".join(filter(None, (f"/api/v1/namespaces/{self.namespace}", kind, name, part)))

    def get(self, path: str, **params: str) -> Any:
        return self._answer(self.http.get(path, params=params))

    def create(self, kind: str, body: Json) -> Any:
        return self._answer(self.http.post(self.path(kind), json=body))

    def delete(self, kind: str, name: str, grace_s: int = 0) -> None:
        params = {"gracePeriodSeconds": str(grace_s)}
        answer = self.http.delete(self.path(kind, name), params=params)
        if answer.status_code != httpx.codes.NOT_FOUND:
            self._answer(answer)

    def pod(self, name: str) -> Json:
        pod: Json = self.get(self.path("pods", name))
        return pod

    def run(self, name: str, image: str, command: Sequence[str], **container: Any) -> Json:
        """Create a pod with one container; `node` places it, everything else goes into the container."""
        node = container.pop("node", None)
        main = {"name": "main", "image": image, "command": list(command), **container}
        spec = {"restartPolicy": "Never", "terminationGracePeriodSeconds": 1, "containers": [main]}
        if node:
            spec["nodeName"] = node
        body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
        pod: Json = self.create("pods", body)
        return pod

    def wait_pod(self, name: str, *phases: str, seconds: float = 60) -> Json:
        return wait_for(lambda: self.pod(name), lambda pod: pod["status"].get("phase") in phases, seconds)

    def wait_condition(self, name: str, kind: str, seconds: float = 60) -> Json:
        """The pod's condition of this kind, as soon as there is one."""

        def found(pod: Json) -> list[Json]:
            return [one for one in pod["status"].get("conditions", []) if one["type"] == kind]

        return found(wait_for(lambda: self.pod(name), lambda pod: bool(found(pod)), seconds))[0]

    def log(self, name: str) -> str:
        answer = self.http.get(self.path("pods", name, "log"))
        answer.raise_for_status()
        return answer.text

    def nodes(self) -> dict[str, Json]:
        return {node["metadata"]["name"]: node for node in self.get("/api/v1/nodes")["items"]}

    def wait_node(self, name: str, ready: str, seconds: float = 60) -> Json:
        """Wait until the node's Ready condition has this status: True, False or Unknown."""
        return wait_for(lambda: self.nodes()[name], lambda node: ready_status(node) == ready, seconds)

    def exec(self, name: str, command: Sequence[str], stdin: bytes = b"") -> tuple[str, Json]:
        """What the command printed, and the Status object that tells how it ended."""
        params = {"command": list(command), "stdin": "1", "stdout": "1", "stderr": "1"}
        url = self.http.base_url.join(self.path("pods", name, "exec"))
        uri = str(url.copy_with(scheme="wss", params=params))
        protocol: Any = "v4.channel.k8s.io"
        printed, status = b"", b""
        with connect(
            uri, ssl=self.ssl, additional_headers=self.headers, subprotocols=[protocol], proxy=None
        ) as socket:
            if stdin:
                socket.send(b"\x00" + stdin)
            for message in socket:
                assert isinstance(message, bytes)
                channel, content = message[0], message[1:]
                if channel == 3:
                    status += content
                else:
                    printed += content
        return printed.decode(), json.loads(status)

    @staticmethod
    def _answer(answer: httpx.Response) -> Any:
        assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.text}"
        return answer.json()


def named(entries: list[Json], name: str) -> Json:
    return next(entry for entry in entries if entry["name"] == name)


def tls_of(cluster: Json, user: Json) -> ssl.SSLContext:
    authority = cluster.get("certificate-authority-data")
    context = ssl.create_default_context(
        cafile=cluster.get("certificate-authority"),
        cadata=base64.b64decode(authority).decode() if authority else None,
    )
    if "client-certificate-data" in user:
        with tempfile.NamedTemporaryFile() as both:
            for part in ("client-certificate-data", "client-key-data"):
                both.write(base64.b64decode(user[part]))
            both.flush()
            context.load_cert_chain(both.name)
    elif "client-certificate" in user:
        context.load_cert_chain(user["client-certificate"], user["client-key"])
    return context


def ready_status(node: Json) -> str:
    conditions = node["status"].get("conditions", [])
    return next((str(one["status"]) for one in conditions if one["type"] == "Ready"), "Unknown")


def wait_for(read: Callable[[], Json], holds: Callable[[Json], bool], seconds: float) -> Json:
    """Read again and again until it holds; the last thing read is shown when the time is up."""
    deadline = time.monotonic() + seconds
    while True:
        value = read()
        if holds(value):
            return value
        assert time.monotonic() < deadline, f"still not so after {seconds:g} s: {json.dumps(value, indent=1)}"
        time.sleep(0.1)
