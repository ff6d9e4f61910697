"""What is wrong with the settings of a cluster, and which jobs are on it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from danlu.domain.errors import FieldError
from danlu.domain.job import Job
from danlu.domain.quantity import show_time
from danlu.domain.rules import KubernetesCluster
from danlu.files.mistakes import did_you_mean

LOCAL = "local"
"""The machine that Danlu itself runs on goes by this name."""
LONGEST_NAME = 40
SHORTEST, LONGEST = 5_000, 24 * 3_600_000
PULL_POLICIES = ("IfNotPresent", "Always", "Never")

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_QUALIFIED = re.compile(
    r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
)
_IMAGE = re.compile(r"[^\s@]+(@sha256:[0-9a-f]{64})?")


def cluster_mistakes(cluster: KubernetesCluster) -> Iterator[FieldError]:
    """All that is wrong with it in itself; what its Kubernetes thinks of it is found by looking there."""
    yield from _name(cluster.name)
    yield from _form("namespace", cluster.namespace, _LABEL, "a namespace is 1–63 of a–z, 0–9 and -")
    yield from _form("image", cluster.image, _IMAGE, "an image is written such as python:3.12-slim")
    if cluster.helper:
        yield from _form("helper", cluster.helper, _IMAGE, "an image is written such as danlu/danlu:1.0")
    if cluster.pull_policy not in PULL_POLICIES:
        message = f"'{cluster.pull_policy}' is not one of {', '.join(PULL_POLICIES)}"
        hint = did_you_mean(cluster.pull_policy, PULL_POLICIES)
        yield FieldError(("pull_policy",), "not_one_of", message, cluster.pull_policy, PULL_POLICIES, hint)
    for place, name in enumerate(cluster.pull_secrets):
        yield from _form("pull_secrets", name, _SUBDOMAIN, "a secret's name has a–z, 0–9, - and .", place)
    for place, key in enumerate(cluster.tolerations):
        yield from _form("tolerations", key, _QUALIFIED, "a taint's key is such as nvidia.com/gpu", place)
    if cluster.rdma_resource:
        words = "a resource is named such as rdma/hca"
        yield from _form("rdma_resource", cluster.rdma_resource, _QUALIFIED, words)
    for field in ("admission_time", "lost_time"):
        yield from _time(field, getattr(cluster, field))


def runs_on(job: Job, cluster: str) -> bool:
    """Whether anything of a job is on a cluster's nodes, which are named `<node>.<cluster>`."""
    return any(task.node.endswith(f".{cluster}") for task in job.live_tasks)


def _name(name: str) -> Iterator[FieldError]:
    words = f"a cluster's name is 1–{LONGEST_NAME} of a–z, 0–9 and -, with no - at either end"
    if len(name) > LONGEST_NAME:
        yield FieldError(("name",), "bad_form", f"'{name}': {words}", name)
    else:
        yield from _form("name", name, _LABEL, words)
    if name == LOCAL:
        message = f"'{LOCAL}' is the machine that Danlu itself runs on"
        yield FieldError(("name",), "reserved", message, name, hint="choose another name")


def _form(field: str, value: str, form: re.Pattern[str], words: str, *place: int) -> Iterator[FieldError]:
    if not form.fullmatch(value):
        yield FieldError((field, *place), "bad_form", f"'{value}': {words}", value, form.pattern)


def _time(field: str, value: int) -> Iterator[FieldError]:
    if not SHORTEST <= value <= LONGEST:
        bounds = f"between {show_time(SHORTEST)} and {show_time(LONGEST)}"
        message = f"{show_time(max(0, value))} is out of range: {bounds}"
        yield FieldError((field,), "out_of_range", message, show_time(max(0, value)), bounds)
