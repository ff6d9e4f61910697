"""The few calls to the API server that starting a cluster needs."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from typing import Any

from tools.cluster.credentials import ADMIN, certificate, token_of
from tools.cluster.layout import Layout


class Api:
    """The API server as its administrator sees it; every failure is an OSError."""

    def __init__(self, layout: Layout) -> None:
        self.url = layout.server_url
        self.token = token_of(layout, ADMIN)
        self.context = ssl.create_default_context(cafile=str(certificate(layout)))
        # Never through a proxy: the address exists on this computer only.
        handlers = (urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self.context))
        self.opener = urllib.request.build_opener(*handlers)

    def text(self, path: str, timeout: float = 5) -> str:
        return self._call("GET", path, None, "", timeout)

    def get(self, path: str) -> Any:
        return json.loads(self.text(path))

    def patch(self, path: str, operations: list[dict[str, Any]]) -> None:
        self._call("PATCH", path, json.dumps(operations).encode(), "application/json-patch+json", 10)

    def _call(self, method: str, path: str, body: bytes | None, kind: str, timeout: float) -> str:
        headers = {"Authorization": f"Bearer {self.token}", **({"Content-Type": kind} if kind else {})}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        with self.opener.open(request, timeout=timeout) as answer:
            return str(answer.read().decode())


def is_ready(api: Api) -> bool:
    try:
        return api.text("/readyz", 2) == "ok"
    except OSError:
        return False


def ready_nodes(api: Api) -> set[str]:
    return {node["metadata"]["name"] for node in api.get("/api/v1/nodes")["items"] if is_node_ready(node)}


def is_node_ready(node: dict[str, Any]) -> bool:
    conditions = node["status"].get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def has_default_account(api: Api) -> bool:
    """Pods are refused until their namespace has its service account and that has its token."""
    try:
        return bool(api.get("/api/v1/namespaces/default/serviceaccounts/default").get("secrets"))
    except urllib.error.HTTPError:
        return False


def pretend_gpus(api: Api, node: str, resource: str, count: int) -> None:
    path = resource.replace("/", "~1")
    value = str(count)
    changes = [
        {"op": "add", "path": f"/status/{part}/{path}", "value": value}
        for part in ("capacity", "allocatable")
    ]
    api.patch(f"/api/v1/nodes/{node}/status", changes)
