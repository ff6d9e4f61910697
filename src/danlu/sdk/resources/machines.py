"""The machines: nodes, the clusters they are in, and when they take no jobs."""

from __future__ import annotations

from typing import Iterator, Sequence

from danlu.sdk.http.paths import segment
from danlu.sdk.models.events import Event
from danlu.sdk.models.machines import (
    Cluster,
    ClusterReport,
    Maintenance,
    Node,
    NodeMoved,
    NodeOutcome,
    NodesDrained,
)
from danlu.sdk.models.reading import read
from danlu.sdk.resources.base import Items, Named, Resource


class Machines(Resource):
    """What jobs run on."""

    @property
    def nodes(self) -> Nodes:
        return Nodes(self.http)

    @property
    def clusters(self) -> Clusters:
        return Clusters(self.http)

    @property
    def maintenance(self) -> Maintenances:
        return Maintenances(self.http)


class Nodes(Resource):
    """The machines themselves; only administrators can change them."""

    def list(self) -> Items[Node]:
        return [read(Node, one) for one in self.http.json("GET", "nodes")["items"]]

    def get(self, name: str) -> Node:
        return read(Node, self.http.json("GET", _node(name)))

    def edit(self, name: str, **changes: object) -> Node:
        """`pool`, `cordoned`, `labels` (None removes a label)."""
        return read(Node, self.http.json("PATCH", _node(name), body=changes))

    def events(self, name: str, limit: int | None = None) -> Iterator[Event]:
        """Events of a node, latest first; of jobs, only those you may read."""
        return (read(Event, one) for one in self.http.pages(_node(name, "events"), limit))

    def move(self, nodes: Sequence[str], pool: str, preview: bool = False) -> NodeMoved:
        """Move nodes to a pool, all or none; a preview only reports what would happen."""
        return self._post(NodeMoved, "nodes/move", {"nodes": [*nodes], "pool": pool, "preview": preview})

    def cordon(
        self, nodes: Sequence[str], cordoned: bool = True, note: str | None = None
    ) -> Items[NodeOutcome]:
        """Start no more jobs on nodes, or uncordon them, which also ends a drain."""
        body: dict[str, object] = {"nodes": [*nodes], "cordoned": cordoned}
        if note is not None:
            body["note"] = note
        found = self.http.json("POST", "nodes/cordon", body=body)
        return [read(NodeOutcome, one) for one in found["items"]]

    def drain(
        self, nodes: Sequence[str], deadline: str, note: str = "", preview: bool = False
    ) -> NodesDrained:
        """Cordon nodes; jobs that still run there after a time such as `30m` are evicted and queued again."""
        body = {"nodes": [*nodes], "deadline": deadline, "note": note, "preview": preview}
        return self._post(NodesDrained, "nodes/drain", body)


class Clusters(Named[Cluster]):
    """A kubeconfig is text with all certificates and tokens in it (`kubectl config view --raw --flatten --minify`); the
    server keeps it as a secret and never shows it. Keywords are the keys of the API."""

    path, kind = "clusters", Cluster

    def check(self, name: str | None = None, **keys: object) -> ClusterReport:
        """What a cluster has and what is missing: of an existing one by its name, of another by `kubeconfig` (or
        `in_cluster`), `context` and settings; nothing is stored."""
        path = "clusters/check" if name is None else self._at(name, "check")
        found = self.http.json("POST", path, body=keys if name is None else None, harmless=True)
        return read(ClusterReport, found)

    def create(
        self, name: str, kubeconfig: str | None = None, force: bool = False, **keys: object
    ) -> Cluster:
        """Add a cluster; ClusterNotReady says what it lacks, unless `force`. Also `context`, `in_cluster`,
        `namespace`, `image`, `helper`, `dns`, `pull_policy`, `pull_secrets`, `tolerations`, `rdma_resource`,
        `admission_time`, `lost_time`, `block_class`, `filesystem_class`, `personal_claim`, `personal_size` and
        `description`."""
        body = {"force": force, **keys}
        if kubeconfig is not None:
            body["kubeconfig"] = kubeconfig
        return self._created(name, body)

    def delete(self, name: str, force: bool = False) -> None:
        """Remove it from Danlu; with `force` even if jobs run there, which are then lost."""
        self.http.json("DELETE", self._at(name), {"force": "true"} if force else None)


class Maintenances(Named[Maintenance]):
    """Times during which nodes take no jobs; times are RFC 3339 or milliseconds since 1970."""

    path, kind = "maintenance", Maintenance

    def create(self, name: str, start: str | int, end: str | int, **keys: object) -> Maintenance:
        """`nodes`, `pool` or both say where; `description`."""
        return self._created(name, {"start": start, "end": end, **keys})

    def preview(self, start: str | int, end: str | int, **keys: object) -> NodesDrained:
        """Which nodes it would close, and the jobs that run there now; `nodes`, `pool`."""
        body = {"start": start, "end": end, **keys}
        return read(NodesDrained, self.http.json("POST", "maintenance/preview", body=body, harmless=True))


def _node(name: str, *rest: str) -> str:
    return "/".join(["nodes", segment(name), *rest])
