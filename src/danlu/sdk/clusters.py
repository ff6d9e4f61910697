"""The clusters that jobs run on, as methods of the client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from danlu.sdk import models
from danlu.sdk.errors import Finding
from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class Cluster:
    """A Kubernetes that jobs may run on: `gpus` has `model`, `total`, `used` (by jobs) and `others` of each model,
    `nodes` has `ready` and `total`; `server` is told to administrators. `findings` is there when it was looked at."""

    name: str
    state: str = ""
    why: str = ""
    server: str | None = None
    namespace: str = ""
    image: str = ""
    helper: str = ""
    dns: bool = True
    pull_policy: str = ""
    pull_secrets: tuple[str, ...] = ()
    tolerations: tuple[str, ...] = ()
    rdma_resource: str = ""
    admission_time: str = ""
    lost_time: str = ""
    description: str = ""
    in_cluster: bool = False
    credentials_at: str | None = None
    nodes: Mapping[str, int] = field(default_factory=dict)
    gpus: tuple[Mapping[str, Any], ...] = ()
    tasks: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ClusterReport:
    """What was found at a cluster, the worst first; `ready` when nothing is missing."""

    ready: bool
    server: str = ""
    findings: tuple[Finding, ...] = ()


class Clusters:
    """A kubeconfig is text with all certificates and tokens in it (`kubectl config view --raw --flatten --minify`); the
    server keeps it as a secret and never shows it. Keywords are the keys of the API."""

    http: Http

    def clusters(self) -> list[Cluster]:
        return [models.read(Cluster, one) for one in self.pages("clusters", None, {})]

    def cluster(self, name: str) -> Cluster:
        return models.read(Cluster, self.http.json("GET", f"clusters/{segment(name)}"))

    def check_cluster(self, name: str | None = None, **keys: Any) -> ClusterReport:
        """What is there and what is missing: of a known cluster by its name, of another by `kubeconfig` (or
        `in_cluster`), `context` and settings; nothing is stored."""
        path = "clusters/check" if name is None else f"clusters/{segment(name)}/check"
        found = self.http.json("POST", path, body=keys if name is None else None, harmless=True)
        return models.read(ClusterReport, found)

    def create_cluster(
        self, name: str, kubeconfig: str | None = None, force: bool = False, **keys: Any
    ) -> Cluster:
        """Use a cluster; ClusterNotReady tells what it lacks unless by force. Also `context`, `in_cluster`,
        `namespace`, `image`, `helper`, `dns`, `pull_policy`, `pull_secrets`, `tolerations`, `rdma_resource`,
        `admission_time`, `lost_time` and `description`."""
        body = {"name": name, "force": force, **keys}
        if kubeconfig is not None:
            body["kubeconfig"] = kubeconfig
        return models.read(Cluster, self.http.json("POST", "clusters", body=body))

    def edit_cluster(self, name: str, **changes: Any) -> Cluster:
        """Change what `create_cluster` takes; what is left out stays."""
        return models.read(Cluster, self.http.json("PATCH", f"clusters/{segment(name)}", body=changes))

    def delete_cluster(self, name: str, force: bool = False) -> None:
        """Use it no more; by force even if jobs run there, which are lost then."""
        self.http.json("DELETE", f"clusters/{segment(name)}", {"force": "true"} if force else None)

    # ── below the verbs ──────────────────────────────────────────────────────────────────────────────

    def pages(self, path: str, limit: int | None, filters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        raise NotImplementedError
