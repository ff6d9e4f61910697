"""The clusters that jobs may run on: checked and added, changed, checked again, and removed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from danlu.control.machines.kubeconfig import file_mistakes, program_findings, program_mistakes
from danlu.control.machines.nodes import NodeUse
from danlu.control.rules.cluster_checks import cluster_mistakes
from danlu.control.rules.registry import Registry
from danlu.domain.errors import ClusterNotReady, Conflict, FieldError, Invalid, NameTaken
from danlu.domain.findings import Finding, Level
from danlu.domain.node import NodeState
from danlu.domain.permissions import Caller, Permission
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import Words, joined, listed, say
from danlu.ports.clock import Clock
from danlu.ports.clusters import ClusterCredentials, ClusterInspector, ClusterSecrets

_NAMED = 5


class ClusterState(StrEnum):
    """Whether jobs can run there: some node answers; none does; no node is known; Danlu cannot sign in."""

    READY = "ready"
    UNREACHABLE = "unreachable"
    EMPTY = "empty"
    NO_CREDENTIALS = "no_credentials"


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The GPUs of one model: all, used by Danlu's tasks (in thousandths), and used by workloads outside Danlu."""

    model: str
    total: int
    used_milli: int
    others: int


@dataclass(frozen=True, slots=True)
class ClusterUse:
    """A cluster with the resources and use of its nodes. `why` is its own message if it does not work; `findings` is
    set if it was just checked."""

    cluster: KubernetesCluster
    state: ClusterState
    why: str
    in_cluster: bool
    ready: int
    nodes: int
    tasks: int
    gpus: tuple[ModelUse, ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterReport:
    """The findings of a check of a cluster, worst first, and its address."""

    server: str
    findings: tuple[Finding, ...]

    @property
    def ready(self) -> bool:
        return not any(finding.level is Level.MISSING for finding in self.findings)


class Clusters:
    """Any thread. A check takes as long as the cluster needs to answer.

    Credentials are stored with the secrets and shown to nobody; a cluster is added only if nothing is missing, or with
    force. `programs` says whether a kubeconfig may name a program to sign in with, which then runs as Danlu; `url` is
    where tasks reach Danlu; `volumes` are the titles of those in a cluster."""

    def __init__(
        self,
        registry: Registry,
        secrets: ClusterSecrets,
        inspector: ClusterInspector,
        nodes: Callable[[], Iterable[NodeUse]],
        clock: Clock,
        *,
        programs: bool = False,
        url: str = "",
        volumes: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        self._registry, self._secrets, self._inspector = registry, secrets, inspector
        self._nodes, self._clock, self._programs, self._url = nodes, clock, programs, url
        self._volumes = volumes
        self._writing = threading.Lock()

    def all(self, caller: Caller) -> tuple[ClusterUse, ...]:
        clusters = self._registry.all(caller, KubernetesCluster)
        return tuple(self._used(clusters)) if clusters else ()

    def one(self, caller: Caller, name: str) -> ClusterUse:
        return next(self._used([self._registry.one(caller, KubernetesCluster, name)]))

    def check(self, caller: Caller, cluster: KubernetesCluster, access: ClusterCredentials) -> ClusterReport:
        """Check a cluster that is not added yet; nothing is stored."""
        caller.require(Permission.CLUSTER_WRITE)
        return self._look(cluster, access)

    def check_known(self, caller: Caller, name: str) -> ClusterReport:
        """Check a cluster that was added."""
        caller.require(Permission.CLUSTER_WRITE)
        return self._look(self._registry.one(caller, KubernetesCluster, name), self._secrets.access(name))

    def add(
        self, caller: Caller, cluster: KubernetesCluster, access: ClusterCredentials, *, force: bool = False
    ) -> ClusterUse:
        """Add a cluster; ClusterNotReady says what it lacks, unless forced."""
        caller.require(Permission.CLUSTER_WRITE)
        if cluster.name in self._registry.clusters():
            raise NameTaken(
                say(
                    "there is already a cluster '{name}'; choose another name",
                    "已有名为“{name}”的集群，请换一个名称",
                    name=cluster.name,
                )
            )
        self._refuse_ambiguous(cluster.name)
        report = self._look(cluster, access)
        _refuse_unready(cluster, report, force)
        if not force:
            self._refuse_twice(cluster, report.server)
        whole = replace(cluster, server=report.server, credentials_at=self._clock.now())
        self._keep(cluster.name, access, lambda: self._registry.add(caller, whole))
        return replace(self.one(caller, cluster.name), findings=report.findings)

    def edit(
        self,
        caller: Caller,
        name: str,
        changes: Mapping[str, Any],
        access: ClusterCredentials | None = None,
        *,
        force: bool = False,
    ) -> ClusterUse:
        """Change settings or credentials; what is left out stays. If the change decides whether anything can run
        there, the cluster is checked as before adding it. Conflict if tasks run there that Danlu would not find at the
        new address or namespace, unless forced: then they are lost, and keep running without Danlu."""
        caller.require(Permission.CLUSTER_WRITE)
        known = self._registry.one(caller, KubernetesCluster, name)
        newer, said, report = replace(known, **changes), dict(changes), ClusterReport(known.server, ())
        if access is not None or newer.namespace != known.namespace:
            report = self._look(newer, access or self._secrets.access(name))
            _refuse_unready(newer, report, force)
            said["server"] = report.server or known.server
            newer = replace(newer, server=said["server"])
            if not force:
                self._refuse_to_lose(known, newer)
        if access is None:
            self._registry.edit(caller, KubernetesCluster, name, said)
        else:
            said["credentials_at"] = self._clock.now()
            self._keep(name, access, lambda: self._registry.edit(caller, KubernetesCluster, name, said))
        return replace(self.one(caller, name), findings=report.findings)

    def remove(self, caller: Caller, name: str, *, force: bool = False) -> None:
        """Remove it; Conflict names what uses it, unless forced: then the jobs that ran there are lost, and its volumes
        out of reach."""
        if not force and (kept := self._volumes(name)):
            raise Conflict(_HAS_VOLUMES.fill(name=name, volumes=_some(kept)))
        self._registry.remove(caller, KubernetesCluster, name, force=force)
        self._secrets.remove(name)

    # ── the small print ──────────────────────────────────────────────────────────────────────────────

    def _refuse_twice(self, cluster: KubernetesCluster, server: str) -> None:
        """One cluster under two names would count every GPU twice."""
        for known in self._registry.clusters().values():
            if server and (known.server, known.namespace) == (server, cluster.namespace):
                raise Conflict(
                    say(
                        "cluster {name} already uses {server} with namespace {namespace}, so its nodes would be "
                        "counted twice; change that cluster (danlu cluster edit {name} …), or force adding this one",
                        "集群 {name} 已使用 {server} 的命名空间 {namespace}，其节点会被重复计算；"
                        "请修改那个集群（danlu cluster edit {name} …），或强制添加",
                        name=known.name,
                        server=server,
                        namespace=cluster.namespace,
                    )
                )

    def _look(self, cluster: KubernetesCluster, access: ClusterCredentials | None) -> ClusterReport:
        if wrong := tuple(cluster_mistakes(cluster)):
            raise Invalid(wrong)
        if access is None:
            return ClusterReport("", (_NO_CREDENTIALS,))
        programs = () if self._programs else program_mistakes(access)
        if wrong := (*file_mistakes(access), *programs):
            raise Invalid(wrong)
        server, findings = self._inspector.inspect(cluster, access)
        found = (*findings, *program_findings(access), *_address_findings(self._url))
        told = sorted(found, key=lambda one: _ORDER[one.level])
        return ClusterReport(server, tuple(told))

    def _refuse_ambiguous(self, name: str) -> None:
        """A node's name ends with its cluster's name, so no node of another cluster may end with this name."""
        for node in (use.node for use in self._nodes()):
            if node.cluster != name and node.name.endswith(f".{name}"):
                message = say(
                    "with the name '{cluster}', nodes of this cluster could not be told apart from others, such as "
                    "{node}",
                    "名为“{cluster}”的集群的节点会与其他节点混淆，例如 {node}",
                    cluster=name,
                    node=node.name,
                )
                hint = Words("choose another name", "请换一个名称")
                raise Invalid((FieldError(("name",), "ambiguous", message, name, hint=hint),))

    def _refuse_to_lose(self, known: KubernetesCluster, newer: KubernetesCluster) -> None:
        moved = [
            word for word in ("server", "namespace") if getattr(known, word) not in ("", getattr(newer, word))
        ]
        if moved and (kept := self._volumes(known.name)):
            raise Conflict(_HAS_VOLUMES.fill(name=known.name, volumes=_some(kept)))
        tasks = next(self._used([known])).tasks if moved else 0
        if tasks:
            there = Words(
                " and ".join(f"{word} {getattr(known, word)}" for word in moved),
                "、".join(f"{word} {getattr(known, word)}" for word in moved),
            )
            raise Conflict(
                say(
                    "{tasks} task(s) are running on cluster {name} with {there}; Danlu would lose track of them "
                    "after this change: end them first",
                    "集群 {name} 上有 {tasks} 个子任务在 {there} 中运行，更改后丹炉将找不到它们，请先结束它们",
                    tasks=tasks,
                    name=known.name,
                    there=there,
                )
            )

    def _keep(self, name: str, access: ClusterCredentials, write: Callable[[], object]) -> None:
        """The secret is written first, so that it exists when others see the rule. If the rule is refused, nothing
        changes."""
        with self._writing:
            before = self._secrets.access(name)
            self._secrets.keep(name, access)
            try:
                write()
            except BaseException:
                if before is None:
                    self._secrets.remove(name)
                else:
                    self._secrets.keep(name, before)
                raise

    def _used(self, clusters: Iterable[KubernetesCluster]) -> Iterator[ClusterUse]:
        on: dict[str, list[NodeUse]] = {}
        for use in self._nodes():
            on.setdefault(use.node.cluster, []).append(use)
        return (_summed(one, on.get(one.name, []), self._secrets.access(one.name)) for one in clusters)


def _address_findings(url: str) -> Iterator[Finding]:
    """Tasks fetch their code from Danlu, so a loopback address of this machine does not work for them."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.startswith("127.") or host == "::1":
        yield Finding(
            "loopback_url",
            Level.WARNING,
            Words(
                "Tasks cannot reach Danlu at {url}: jobs with uploaded code will fail",
                "子任务得到的丹炉地址是 {url}，但无法从集群中访问：带上传代码的任务会失败",
            ).fill(url=url),
            Words(
                "Start Danlu with --host and a --public-url that the cluster's pods can reach",
                "请用 --host 和 --public-url 启动丹炉，并填写集群中的 Pod 能够访问的地址",
            ),
        )


def _some(titles: Sequence[str]) -> Words:
    shown = listed(titles[:_NAMED])
    more = len(titles) - _NAMED
    return say("{shown} … (+{more})", "{shown} …… (+{more})", shown=shown, more=more) if more > 0 else shown


_HAS_VOLUMES = Words(
    "cluster {name} has volumes, which would be out of reach: {volumes}; delete them for good first, or force it",
    "集群 {name} 中有存储卷，更改后将无法访问：{volumes}；请先彻底删除，或强制执行",
)
_ORDER = {Level.MISSING: 0, Level.WARNING: 1, Level.OK: 2}
_NO_CREDENTIALS = Finding(
    "no_credentials",
    Level.MISSING,
    Words("The data directory has no credentials for this cluster", "数据目录中没有登录该集群的凭据"),
    Words(
        "Provide a kubeconfig again: danlu cluster edit NAME --kubeconfig FILE",
        "请重新提供 kubeconfig：danlu cluster edit NAME --kubeconfig FILE",
    ),
)


def _refuse_unready(cluster: KubernetesCluster, report: ClusterReport, force: bool) -> None:
    missing = [finding for finding in report.findings if finding.level is Level.MISSING]
    if missing and not force:
        words = joined(finding.text for finding in missing)
        raise ClusterNotReady(
            say(
                "cluster {name} is not ready: {words}",
                "集群 {name} 未就绪：{words}",
                name=cluster.name,
                words=words,
            ),
            report.findings,
        )


def _summed(cluster: KubernetesCluster, uses: list[NodeUse], access: ClusterCredentials | None) -> ClusterUse:
    total, used, others = Counter[str](), Counter[str](), Counter[str]()
    for use in uses:
        model = use.node.gpu_model
        if model is not None and use.node.state is not NodeState.OFF:
            total[model] += len(use.node.gpus)
            used[model] += use.gpu_milli
            others[model] += use.node.foreign.gpus
    state, why = _state(uses, access)
    return ClusterUse(
        cluster=cluster,
        state=state,
        why=why,
        in_cluster=access is not None and access.kubeconfig is None,
        ready=sum(use.node.state is NodeState.READY for use in uses),
        nodes=len(uses),
        tasks=sum(len(use.tasks) for use in uses),
        gpus=tuple(ModelUse(model, total[model], used[model], others[model]) for model in sorted(total)),
    )


def _state(uses: list[NodeUse], access: ClusterCredentials | None) -> tuple[ClusterState, str]:
    if access is None:
        return ClusterState.NO_CREDENTIALS, ""
    if not uses:
        return ClusterState.EMPTY, ""
    if all(use.node.state is NodeState.UNREACHABLE for use in uses):
        return ClusterState.UNREACHABLE, next((use.node.why for use in uses if use.node.why), "")
    return ClusterState.READY, ""
