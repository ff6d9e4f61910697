"""A cluster as it is, kept up to date by watching it: our pods and their events, the nodes, what others hold."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from danlu.domain.job import Time
from danlu.domain.node import Foreign, Node, NodeState
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.api import api as at
from danlu.engines.kubernetes.api.api import Api
from danlu.engines.kubernetes.objects.gpu_models import NVIDIA, gpu_resource
from danlu.engines.kubernetes.objects.objects import Json, quantity
from danlu.engines.kubernetes.watch.informer import Informer
from danlu.engines.kubernetes.watch.inventory import holds, node_of, requests_of, together
from danlu.ports.clock import Clock

log = logging.getLogger(__name__)

_SILENCE_S = 15.0
_FRESH_S = 8.0
_EVENTS_KEPT = 16
_OF_SPECS = frozenset({"nodeName", "containers", "initContainers", "volumes"})
_OF_CONTAINERS = frozenset({"name", "image"})
_OF_EVENTS = frozenset({"metadata", "involvedObject", "reason", "message", "lastTimestamp", "eventTime"})


class Mirror:
    """Everything happens on the loop that runs it; whoever wants to hear of changes says so with `serve` before."""

    def __init__(
        self, api: Api, cluster: KubernetesCluster, clock: Clock, qualify: Callable[[str], str]
    ) -> None:
        self._cluster, self._clock, self._qualify = cluster, clock, qualify
        self._on_pod: Callable[[str, Json | None], None] = lambda *_: None
        self._on_node: Callable[[str], None] = lambda *_: None
        self._counted: Collection[str] = ()
        self._is_owed: Callable[[Json], bool] = lambda _: False
        others = f"metadata.namespace!={cluster.namespace},status.phase!=Succeeded,status.phase!=Failed"
        about_pods = "involvedObject.kind=Pod"
        self._pods = Informer(api, at.pods(cluster.namespace), _unharmed(self._pod_changed))
        self._others = Informer(api, at.ALL_PODS, _unharmed(self._other_changed), fieldSelector=others)
        self._nodes = Informer(api, at.NODES, _unharmed(self._node_changed))
        self._events = Informer(
            api, at.events(cluster.namespace), _unharmed(self._event_changed), fieldSelector=about_pods
        )
        self._by_uid: defaultdict[str, dict[str, Json]] = defaultdict(dict)
        self._about: dict[str, str] = {}
        self._away: dict[str, Time] = {}
        self._held: defaultdict[str, dict[str, Foreign]] = defaultdict(dict)
        self._holder: dict[str, str] = {}
        self._reckoned: dict[str, Node] = {}
        self._stale: set[str] = set()

    def serve(
        self,
        on_pod: Callable[[str, Json | None], None],
        on_node: Callable[[str], None],
        counted: Collection[str],
    ) -> None:
        """Call `on_pod` with the name of every pod in the cluster's namespace that changed and what it is now, None
        once it is gone, and `on_node` with a node that went away or came back. `counted` are the names of the pods
        that Danlu counts itself: all others are foreign, also ours that are left over."""
        self._on_pod, self._on_node, self._counted = on_pod, on_node, counted

    def expect(self, is_owed: Callable[[Json], bool]) -> None:
        """Pods in the cluster's namespace of which this holds are not foreign either: Danlu counts them, and is about
        to say so. To be called again when the answer has changed for any of them."""
        self._is_owed = is_owed
        self._stale.update(self._held)

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as group:
            for informer in (self._pods, self._nodes, self._others, self._events):
                group.create_task(informer.run())

    # ── what is known ────────────────────────────────────────────────────────────────────────────────

    @property
    def synced(self) -> bool:
        """Whether pods and nodes are known as they are, so that one may act on it. Nobody may while the cluster is
        silent, long before that is called trouble: what has not happened yet may only not have been heard of."""
        heard_at = min(self._pods.heard_at, self._nodes.heard_at)
        return (
            self._pods.synced
            and self._nodes.synced
            and asyncio.get_running_loop().time() - heard_at < _FRESH_S
        )

    @property
    def trouble(self) -> str:
        return "" if self.synced else self._pods.trouble or self._nodes.trouble

    def pods(self) -> dict[str, Json]:
        """By name, all in the cluster's namespace."""
        return {key.partition("/")[2]: pod for key, pod in self._pods.objects.items()}

    def pod(self, name: str) -> Json | None:
        return self._pods.objects.get(f"{self._cluster.namespace}/{name}")

    def events_of(self, uid: str) -> Sequence[Json]:
        return tuple(self._by_uid.get(uid, {}).values())

    def away_since(self, node: str) -> Time | None:
        """Since when we know a node not to be ready."""
        return self._away.get(node)

    def gpu_resource(self, node: str) -> str:
        known = self._nodes.objects.get(node)
        return (gpu_resource(known) if known else None) or NVIDIA

    def disk(self, node: str) -> int | None:
        """What a node has for the folders of pods; None where it does not count that."""
        known = self._nodes.objects.get(node) or {}
        amount = ((known.get("status") or {}).get("allocatable") or {}).get("ephemeral-storage")
        return None if amount is None else int(quantity(amount))

    def recount(self, pod: str) -> None:
        """Whether Danlu counts a pod itself has changed."""
        node = self._holder.get(f"{self._cluster.namespace}/{pod}")
        if node:
            self._stale.add(node)

    def inventory(self) -> tuple[Node, ...]:
        """The nodes by name. While the API server is silent nothing can be started on any of them."""
        for name in self._stale & self._nodes.objects.keys():
            foreign = together(held for key, held in self._held[name].items() if not self._ours(key))
            self._reckoned[name] = node_of(self._cluster, self._nodes.objects[name], foreign, self._qualify)
        self._stale.clear()
        nodes = sorted(self._reckoned.values(), key=lambda node: node.name)
        sources = (self._pods, self._nodes, self._others)
        quiet_s = asyncio.get_running_loop().time() - min(source.heard_at for source in sources)
        if quiet_s < _SILENCE_S or all(source.synced for source in sources):
            return tuple(nodes)
        trouble = next((source.trouble for source in sources if source.trouble), "it has not been read yet")
        why = f"the cluster does not answer: {trouble}"
        return tuple(replace(node, state=NodeState.UNREACHABLE, why=why) for node in nodes)

    # ── what changes ─────────────────────────────────────────────────────────────────────────────────

    def _pod_changed(self, key: str, pod: Json | None) -> None:
        self._reckon(key, pod)
        if pod is not None:
            _slim(pod["spec"], _OF_SPECS)
            for kind in ("containers", "initContainers"):
                for container in pod["spec"].get(kind) or ():
                    _slim(container, _OF_CONTAINERS)
        self._on_pod(key.partition("/")[2], pod)

    def _other_changed(self, key: str, pod: Json | None) -> None:
        self._reckon(key, pod)
        if pod is not None:
            # Other people's pods are many, and nothing more is asked of them.
            pod["spec"], pod["status"] = {}, {}

    def _reckon(self, key: str, pod: Json | None) -> None:
        node = holds(pod) if pod is not None else None
        before = self._holder.pop(key, None)
        if before is not None:
            self._stale.add(before)
            held = self._held[before].pop(key)
            if pod is not None and node == before:
                self._held[node][key], self._holder[key] = held, node
                return
        if pod is not None and node is not None:
            self._held[node][key], self._holder[key] = requests_of(pod), node
            self._stale.add(node)

    def _ours(self, key: str) -> bool:
        namespace, _, name = key.partition("/")
        if namespace != self._cluster.namespace:
            return False
        return name in self._counted or self._is_owed(self._pods.objects[key])

    def _node_changed(self, name: str, node: Json | None) -> None:
        if node is None:
            self._reckoned.pop(name, None)
        else:
            node["status"].pop("images", None)
            self._stale.add(name)
        if node is not None and _is_ready(node):
            if self._away.pop(name, None) is not None:
                self._on_node(name)
        elif name not in self._away:
            self._away[name] = self._clock.now()
            self._on_node(name)

    def _event_changed(self, key: str, event: Json | None) -> None:
        if event is None:
            uid = self._about.pop(key, "")
            self._by_uid.get(uid, {}).pop(key, None)
            if not self._by_uid.get(uid):
                self._by_uid.pop(uid, None)
            return
        _slim(event, _OF_EVENTS)
        about = event.get("involvedObject") or {}
        self._about[key] = uid = about.get("uid", "")
        known = self._by_uid[uid]
        known[key] = event
        while len(known) > _EVENTS_KEPT:
            del known[next(iter(known))]
        pod = self.pod(about.get("name", ""))
        if pod is not None and pod["metadata"].get("uid") == uid:
            self._on_pod(about["name"], pod)


def _slim(thing: Json, kept: Collection[str]) -> None:
    """There are thousands of them, and most of their fields are not needed."""
    for name in thing.keys() - kept:
        del thing[name]


def _unharmed(changed: Callable[[str, Json | None], None]) -> Callable[[str, Json | None], None]:
    """An object that cannot be read does not prevent reading the others."""

    def told(key: str, one: Json | None) -> None:
        try:
            changed(key, one)
        except Exception:
            log.exception("%s in the cluster has an unexpected form and is ignored", key)

    return told


def _is_ready(node: Json) -> bool:
    conditions = (node.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
