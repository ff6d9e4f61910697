"""The engines of a leader: this machine or a simulation of some, and one for every cluster."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from danlu.bootstrap.limits import allow_many_files
from danlu.bootstrap.parts import Parts
from danlu.data.buckets.copies import NodeCopies
from danlu.data.code import archive_path
from danlu.domain.errors import DanluError, FieldError, Invalid, Unavailable
from danlu.domain.isolation import SIMULATED
from danlu.domain.node import Node
from danlu.domain.rules import KubernetesCluster
from danlu.domain.words import BadValue, say
from danlu.engines.local import LocalEngine
from danlu.engines.local.bounds import DiskBounds, part_of_disk
from danlu.engines.several import Engines
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.unopened import UnopenedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import Engine
from danlu.ports.objects import ObjectStore
from danlu.ports.volumes.copies import CopyFailed
from danlu.telemetry.logs import log_path

log = logging.getLogger(__name__)

_AGAIN_S = 15.0
"""How often opening a cluster is retried."""


@dataclass(frozen=True, slots=True)
class Base:
    """What runs tasks without a cluster."""

    engine: Engine | None

    @property
    def local(self) -> LocalEngine | None:
        return self.engine if isinstance(self.engine, LocalEngine) else None


def base_engine(parts: Parts) -> Base:
    """As the setting `engine` says."""
    settings = parts.settings
    if settings.engine == "none":
        return Base(None)
    declared = _declared(settings.virtual_nodes) if settings.virtual_nodes else None
    if settings.engine == "simulated":
        nodes = declared or virtual_nodes("1x8xA100")
        told = tuple(replace(node, isolation=SIMULATED) for node in nodes)
        return Base(SimulatedEngine(SimulatedCluster(told), parts.clock))
    local = LocalEngine(
        runs=parts.directory.runs,
        volumes=parts.directory.volumes,
        archives=parts.directory.archives,
        volume_data=parts.directory.volume_data,
        log_path=functools.partial(log_path, parts.directory.logs),
        archive_path=functools.partial(archive_path, parts.directory.code),
        hidden=(parts.directory.root,),
        nodes=declared,
        isolation=settings.isolation,
        uid_of=parts.store.uid,
        share_user=settings.share_user,
        python=settings.python,
        clock=parts.clock,
        bounds=DiskBounds(
            log=settings.log_limit,
            scratch=part_of_disk(parts.directory.runs, settings.scratch_limit),
            unpack=settings.unpack_limit,
            unpack_entries=settings.unpack_entries,
            reserve=settings.disk_reserve,
        ),
        network=settings.network,
        registries=settings.registries,
        put_away=parts.shelf.put_away,
        copies=_copies(parts),
        trees=parts.trees,
    )
    return Base(local)


def _copies(parts: Parts) -> NodeCopies:
    def open_bucket(volume_id: str) -> ObjectStore:
        one = parts.store.volume(volume_id)
        if one is None:
            raise CopyFailed("gone")
        return parts.attached.open(one)

    return NodeCopies(
        parts.directory.bucket_cache, open_bucket, parts.settings.bucket_cache, parts.settings.disk_reserve
    )


class ClusterEngines:
    """Opens, reopens and closes the engines of clusters as the rules say.

    One that cannot be opened is tried again; meanwhile nothing is placed there and what runs is left alone. Until a
    cluster has been read its nodes are those `remembered` from before, so that no job is refused for want of them."""

    def __init__(
        self,
        engines: Engines,
        rules: Callable[[], Mapping[str, KubernetesCluster]],
        open_cluster: Callable[[KubernetesCluster, Sequence[Node]], Engine],
        remembered: Callable[[], Sequence[Node]],
    ) -> None:
        self._engines, self._rules = engines, rules
        self._open_cluster, self._remembered = open_cluster, remembered
        self._opened: dict[str, KubernetesCluster] = {}
        self._woken = threading.Event()
        self._lock = threading.Lock()

    def follow(self) -> None:
        """Bring the engines in line with the rules."""
        with self._lock:
            rules = self._rules()
            for name in [name for name in self._engines.names() if name not in rules]:
                self._opened.pop(name, None)
                self._engines.drop(name)
            for name, cluster in rules.items():
                if self._opened.get(name) != cluster:
                    self._reopen(cluster)
            self._engines.hold(())

    def wake(self) -> None:
        """Rules may have changed: follow soon, and until then start nothing by the old ones. Cheap, from any thread."""
        rules = self._rules()
        known = dict(self._opened)
        self._engines.hold([name for name, cluster in known.items() if rules.get(name, cluster) != cluster])
        self._woken.set()

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            self._woken.wait(_AGAIN_S)
            self._woken.clear()
            if stop.is_set():
                return
            try:
                self.follow()
            except Exception:
                log.exception("the clusters' engines could not be updated; retrying")

    def _reopen(self, cluster: KubernetesCluster) -> None:
        self._opened.pop(cluster.name, None)
        nodes = [node for node in self._remembered() if node.cluster == cluster.name]
        try:
            engine = self._open_cluster(cluster, nodes)
        except Exception as error:
            known = isinstance(error, DanluError)
            why = error.detail if isinstance(error, DanluError) else str(error)
            log.warning("cluster %s cannot be opened: %s", cluster.name, why, exc_info=not known)
            engine = UnopenedEngine(cluster.name, why, nodes)
        else:
            self._opened[cluster.name] = cluster
        self._engines.set(cluster.name, engine)


def open_cluster(
    parts: Parts, may_act: Callable[[], bool], cluster: KubernetesCluster, remembered: Sequence[Node]
) -> Engine:
    """The engine of a cluster; it finds by itself whether anybody answers there."""
    # Loaded only here: most of what it needs nobody needs who has no cluster.
    from danlu.engines.kubernetes.engine import KubernetesEngine

    access = parts.secrets.access(cluster.name)
    if access is None:
        raise Unavailable(
            say(
                "Danlu has no credentials for this cluster: danlu cluster edit {name} --kubeconfig FILE",
                "丹炉没有该集群的凭据：danlu cluster edit {name} --kubeconfig FILE",
                name=cluster.name,
            )
        )
    allow_many_files()
    return KubernetesEngine(
        cluster,
        access,
        log_path=functools.partial(log_path, parts.directory.logs),
        clock=parts.clock,
        guard=may_act,
        remembered=remembered,
        installation=parts.directory.id,
        log_limit=parts.settings.log_limit,
    )


def _declared(text: str) -> tuple[Node, ...]:
    try:
        return virtual_nodes(text)
    except BadValue as error:
        raise Invalid((FieldError(("virtual_nodes",), "bad_form", error.text, text),)) from error
