"""Checks a cluster: whether everything that jobs need exists and is allowed, and how to fix what is not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

from danlu.domain.findings import Finding, Level
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.answers import ApiError, ApiUnreachable, Json
from danlu.engines.kubernetes.api.api import ALL_PODS, NODES, STORAGE_CLASSES, Api, claims, namespaces
from danlu.engines.kubernetes.inspect import findings, volumes
from danlu.engines.kubernetes.objects.gpu_models import AMD, NVIDIA, UNKNOWN_MODEL, gpu_resource, gpus_of
from danlu.engines.kubernetes.objects.objects import labels_of, name_of
from danlu.engines.kubernetes.objects.rbac import JOBS, RULES, SIZES, ClusterPermission
from danlu.ports.clusters import ClusterCredentials

_BOUND_S = 20.0
_ANSWER_S = 8.0
_OLDEST = (1, 20)
_REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_ORDER = (Level.MISSING, Level.WARNING, Level.OK)
_MAKERS = {
    NVIDIA: re.compile(
        r"nvidia\.com/gpu\.(present|product|count)|feature\.node\.kubernetes\.io/pci-.*10de.*"
    ),
    AMD: re.compile(r"(beta\.)?amd\.com/gpu\..*|feature\.node\.kubernetes\.io/pci-.*1002.*"),
}
"""Labels by which feature discovery marks a node that has GPUs, whether or not a plugin provides them to pods."""


class KubernetesInspector:
    """Implements ports.clusters.ClusterInspector, within about 20 seconds. Do not call it from an event loop."""

    def inspect(
        self, cluster: KubernetesCluster, access: ClusterCredentials
    ) -> tuple[str, tuple[Finding, ...]]:
        credentials = Credentials.load(access)
        found = asyncio.run(_looked(cluster, credentials, own_account=access.kubeconfig is None))
        return credentials.server, tuple(sorted(found, key=lambda one: _ORDER.index(one.level)))


async def _looked(cluster: KubernetesCluster, credentials: Credentials, own_account: bool) -> list[Finding]:
    found = _settings(cluster)
    api = Api(credentials, timeout_s=_ANSWER_S)
    try:
        async with asyncio.timeout(_BOUND_S):
            reached = await _version(api)
            found += reached
            if all(one.level is not Level.MISSING for one in reached):
                await _look_around(api, cluster, own_account, found)
    except TimeoutError:
        found.append(findings.too_slow(_BOUND_S))
    finally:
        await api.close()
    return found


async def _look_around(api: Api, cluster: KubernetesCluster, own_account: bool, found: list[Finding]) -> None:
    """Everything found before the time is up."""

    async def keep(what: str, look: Callable[[], Awaitable[list[Finding]]]) -> None:
        try:
            found.extend(await look())
        except (ApiError, ApiUnreachable) as error:
            # What Danlu may not read is reported with the permissions.
            if not isinstance(error, ApiError) or error.status != 403:
                found.append(findings.unreadable(what, str(error)))

    looks: dict[str, Callable[[], Awaitable[list[Finding]]]] = {
        "namespaces": lambda: _namespace(api, cluster),
        "permissions": lambda: _permissions(api, cluster, own_account),
        "nodes": lambda: _nodes(api),
        "storageclasses": lambda: _storage(api, cluster),
        "persistentvolumeclaims": lambda: _personal(api, cluster),
        "nodes/proxy": lambda: _sizes(api, cluster),
        "pods": lambda: _names(api, cluster),
    }
    await asyncio.gather(*(keep(what, look) for what, look in looks.items()))


def _settings(cluster: KubernetesCluster) -> list[Finding]:
    found = []
    if not cluster.image:
        found.append(findings.no_image(cluster.name))
    if not cluster.helper:
        found.append(findings.no_helper(cluster.name))
    return found


async def _version(api: Api) -> list[Finding]:
    try:
        answer = await api.get("/version")
    except ApiUnreachable as error:
        return [findings.unreachable(api.server, str(error))]
    except ApiError as error:
        if error.status == 401:
            return [findings.unknown_to(api.server)]
        return [findings.unreachable(api.server, str(error))]
    version = str(answer.get("gitVersion", "?"))
    found = [findings.reachable(api.server, version)]
    numbers = re.match(r"v?(\d+)\.(\d+)", version)
    if numbers is not None and (int(numbers[1]), int(numbers[2])) < _OLDEST:
        found.append(findings.old_version(version))
    return found


async def _namespace(api: Api, cluster: KubernetesCluster) -> list[Finding]:
    try:
        await api.get(namespaces(cluster.namespace))
    except ApiError as error:
        if error.status != 404:
            raise
        return [findings.no_namespace(cluster.namespace)]
    return [findings.namespace(cluster.namespace)]


async def _permissions(api: Api, cluster: KubernetesCluster, own_account: bool) -> list[Finding]:
    asked = [(rule, resource, verb) for rule in RULES for resource in rule.resources for verb in rule.verbs]
    answers = await asyncio.gather(*(_allowed(api, cluster.namespace, *one) for one in asked))
    refused = [one for one, allowed in zip(asked, answers, strict=True) if not allowed]
    if not refused:
        return [findings.permissions()]
    found = []
    for for_volumes in (False, True):
        lacking = [one for one in refused if one[0].for_volumes is for_volumes]
        everywhere = [f"{verb} {resource}" for rule, resource, verb in lacking if rule.everywhere]
        inside = [f"{verb} {resource}" for rule, resource, verb in lacking if not rule.everywhere]
        if lacking:
            told = findings.no_permissions(everywhere, inside, cluster.namespace, own_account, JOBS)
            found.append(volumes.without_them(told) if for_volumes else told)
    return found


async def _allowed(api: Api, namespace: str, rule: ClusterPermission, resource: str, verb: str) -> bool:
    kind, _, part = resource.partition("/")
    wish = {"group": rule.group, "resource": kind, "subresource": part, "verb": verb}
    if not rule.everywhere:
        wish["namespace"] = namespace
    if rule.name:
        wish["name"] = rule.name.format(namespace=namespace)
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": wish},
    }
    answer = await api.create(_REVIEWS, body)
    return bool((answer.get("status") or {}).get("allowed"))


async def _nodes(api: Api) -> list[Finding]:
    nodes, _ = await api.list_(NODES)
    ready = [node for node in nodes if _is_ready(node)]
    gpus = [gpu for node in ready for gpu in gpus_of(node)]
    models = {gpu.model for gpu in gpus}
    shown = {model: sum(gpu.model == model for gpu in gpus) for model in sorted(models)}
    found = [findings.nodes(len(ready), len(nodes), shown) if ready else findings.no_ready_node(len(nodes))]
    for resource, told in _MAKERS.items():
        bare = [
            name_of(node)
            for node in nodes
            if gpu_resource(node) is None and any(map(told.fullmatch, labels_of(node)))
        ]
        if bare:
            found.append(findings.no_device_plugin(resource, bare))
    unnamed = [name_of(node) for node in nodes if any(gpu.model == UNKNOWN_MODEL for gpu in gpus_of(node))]
    if unnamed:
        found.append(findings.no_gpu_model(unnamed))
    return found


def _is_ready(node: Json) -> bool:
    conditions = (node.get("status") or {}).get("conditions") or ()
    return any(one.get("type") == "Ready" and one.get("status") == "True" for one in conditions)


async def _storage(api: Api, cluster: KubernetesCluster) -> list[Finding]:
    classes, _ = await api.list_(STORAGE_CLASSES)
    names = sorted(map(name_of, classes))
    found = [findings.storage(names) if names else findings.no_storage()]
    return [*found, *volumes.classes(cluster, names)]


async def _personal(api: Api, cluster: KubernetesCluster) -> list[Finding]:
    """Whether tasks have the directories of their owner."""
    if not cluster.personal_claim:
        return [] if cluster.filesystem_class else [volumes.no_personal(cluster)]
    try:
        await api.get(claims(cluster.namespace, cluster.personal_claim))
    except ApiError as error:
        if error.status != 404:
            raise
        return [volumes.no_personal_claim(cluster)]
    return [volumes.personal(cluster)]


async def _sizes(api: Api, cluster: KubernetesCluster) -> list[Finding]:
    allowed = await _allowed(api, cluster.namespace, SIZES, SIZES.resources[0], SIZES.verbs[0])
    return [volumes.sizes(allowed)]


async def _names(api: Api, cluster: KubernetesCluster) -> list[Finding]:
    """Whether there is a DNS service, where tasks find each other by name."""
    if not cluster.dns:
        return []
    servers, _ = await api.list_(ALL_PODS, labelSelector="k8s-app=kube-dns")
    if any((pod.get("status") or {}).get("phase") == "Running" for pod in servers):
        return [findings.names()]
    return [findings.no_names(cluster.name)]
