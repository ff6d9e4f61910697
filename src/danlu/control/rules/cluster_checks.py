"""What is wrong with the settings of a cluster, and which jobs are on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from danlu.domain.errors import FieldError
from danlu.domain.job import Job
from danlu.domain.node import Node
from danlu.domain.quantity import show_size, show_time, time_said
from danlu.domain.rules import CLUSTER_LABEL, KubernetesCluster
from danlu.domain.terms import no_such
from danlu.domain.volumes.claims import PERSONAL_CLAIM, VOLUME_CLAIM
from danlu.domain.words import Words, listed, say
from danlu.files.mistakes import did_you_mean

LOCAL = "local"
"""The machine that Danlu itself runs on goes by this name."""
LONGEST_NAME = 40
SHORTEST, LONGEST = 5_000, 24 * 3_600_000
LEAST_PERSONAL, MOST_PERSONAL = 2**20, 2**50
PULL_POLICIES = ("IfNotPresent", "Always", "Never")

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_QUALIFIED = re.compile(
    r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
)
_IMAGE = re.compile(r"[^\s@]+(@sha256:[0-9a-f]{64})?")


def cluster_mistakes(cluster: KubernetesCluster) -> Iterator[FieldError]:
    """All errors in its settings; what its Kubernetes says is found by a check of the cluster."""
    yield from _name(cluster.name)
    yield from _form(
        "namespace",
        cluster.namespace,
        _LABEL,
        Words("a namespace has 1–63 characters: a–z, 0–9 and -", "命名空间由 1–63 个 a–z、0–9 和 - 组成"),
    )
    yield from _form(
        "image",
        cluster.image,
        _IMAGE,
        Words("write an image such as python:3.12-slim", "镜像写作 python:3.12-slim 的形式"),
    )
    if cluster.helper:
        yield from _form(
            "helper",
            cluster.helper,
            _IMAGE,
            Words("write an image such as danlu/danlu:1.0", "镜像写作 danlu/danlu:1.0 的形式"),
        )
    if cluster.pull_policy not in PULL_POLICIES:
        message = say(
            "'{pull_policy}' is not one of {pull_policies}",
            "“{pull_policy}”不在可选范围内：{pull_policies}",
            pull_policy=cluster.pull_policy,
            pull_policies=listed(PULL_POLICIES),
        )
        hint = did_you_mean(cluster.pull_policy, PULL_POLICIES)
        yield FieldError(("pull_policy",), "not_one_of", message, cluster.pull_policy, PULL_POLICIES, hint)
    for place, name in enumerate(cluster.pull_secrets):
        yield from _form(
            "pull_secrets",
            name,
            _SUBDOMAIN,
            Words("a secret name has a–z, 0–9, - and .", "Secret 名称由 a–z、0–9、- 和 . 组成"),
            place,
        )
    for place, key in enumerate(cluster.tolerations):
        yield from _form(
            "tolerations",
            key,
            _QUALIFIED,
            Words("write a taint key such as nvidia.com/gpu", "污点的键写作 nvidia.com/gpu 的形式"),
            place,
        )
    if cluster.rdma_resource:
        words = Words("write a resource name such as rdma/hca", "资源名称写作 rdma/hca 的形式")
        yield from _form("rdma_resource", cluster.rdma_resource, _QUALIFIED, words)
    yield from _storage(cluster)
    for field in ("admission_time", "lost_time"):
        yield from _time(field, getattr(cluster, field))


def _storage(cluster: KubernetesCluster) -> Iterator[FieldError]:
    for field in ("block_class", "filesystem_class"):
        if value := getattr(cluster, field):
            words = Words("a storage class name has a–z, 0–9, - and .", "存储类名称由 a–z、0–9、- 和 . 组成")
            yield from _form(field, value, _SUBDOMAIN, words)
    if cluster.personal_claim:
        words = Words("a claim's name has a–z, 0–9, - and .", "PVC 名称由 a–z、0–9、- 和 . 组成")
        yield from _form("personal_claim", cluster.personal_claim, _SUBDOMAIN, words)
    if cluster.personal_claim.startswith((VOLUME_CLAIM, PERSONAL_CLAIM)):
        text = Words("claims of this name are one person's", "此类名称的 PVC 属于某一个人")
        hint = Words("name a claim that was made for everybody", "请填写为所有人准备的 PVC")
        yield FieldError(("personal_claim",), "reserved", text, cluster.personal_claim, hint=hint)
    if not LEAST_PERSONAL <= cluster.personal_size <= MOST_PERSONAL:
        given, least, most = map(show_size, (max(0, cluster.personal_size), LEAST_PERSONAL, MOST_PERSONAL))
        text = say(
            "{given} is out of range: between {least} and {most}",
            "{given} 超出范围：须在 {least} 与 {most} 之间",
            given=given,
            least=least,
            most=most,
        )
        between = f"between {least} and {most}"
        yield FieldError(("personal_size",), "out_of_range", text, given, between)


def strange_cluster(
    selector: Mapping[str, str], clusters: Iterable[str], nodes: Iterable[Node]
) -> Iterator[FieldError]:
    """An error if labels name a cluster that nobody added and no node says it is in."""
    name = selector.get(CLUSTER_LABEL)
    known = {*clusters, *(node.labels[CLUSTER_LABEL] for node in nodes if CLUSTER_LABEL in node.labels)}
    if name is not None and name not in known:
        hint = did_you_mean(name, sorted(known)) or Words(
            "`danlu cluster ls` lists the clusters; without one, jobs run anywhere",
            "可用 `danlu cluster ls` 查看集群；不填则可在任意集群运行",
        )
        loc = ("node_selector", CLUSTER_LABEL)
        yield FieldError(loc, "no_such_cluster", no_such("cluster", name), name, sorted(known), hint)


def runs_on(job: Job, cluster: str) -> bool:
    """Whether anything of a job is on a cluster's nodes, which are named `<node>.<cluster>`."""
    return any(task.node.endswith(f".{cluster}") for task in job.live_tasks)


def _name(name: str) -> Iterator[FieldError]:
    words = say(
        "a cluster name has 1–{longest} characters: a–z, 0–9 and -, with no - at either end",
        "集群名称由 1–{longest} 个 a–z、0–9 和 - 组成，首尾不能是 -",
        longest=LONGEST_NAME,
    )
    if len(name) > LONGEST_NAME:
        yield FieldError(
            ("name",), "bad_form", say("'{name}': {words}", "“{name}”：{words}", name=name, words=words), name
        )
    else:
        yield from _form("name", name, _LABEL, words)
    if name == LOCAL:
        message = say(
            "'{local}' is the machine that Danlu itself runs on",
            "“{local}”是丹炉自身所在的机器",
            local=LOCAL,
        )
        yield FieldError(
            ("name",), "reserved", message, name, hint=Words("choose another name", "请换一个名称")
        )


def _form(field: str, value: str, form: re.Pattern[str], words: Words, *place: int) -> Iterator[FieldError]:
    if not form.fullmatch(value):
        yield FieldError(
            (field, *place),
            "bad_form",
            say("'{value}': {words}", "“{value}”：{words}", value=value, words=words),
            value,
            form.pattern,
        )


def _time(field: str, value: int) -> Iterator[FieldError]:
    if not SHORTEST <= value <= LONGEST:
        shown, least, most = show_time(max(0, value)), show_time(SHORTEST), show_time(LONGEST)
        text = say(
            "{value} is out of range: between {least} and {most}",
            "{value} 超出范围：须在 {least} 与 {most} 之间",
            value=time_said(max(0, value)),
            least=time_said(SHORTEST),
            most=time_said(LONGEST),
        )
        yield FieldError((field,), "out_of_range", text, shown, f"between {least} and {most}")
