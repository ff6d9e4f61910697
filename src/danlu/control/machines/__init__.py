"""Nodes and clusters: moves, maintenance, adding and removing."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.machines.clusters import Clusters
from danlu.control.machines.node_moves import NodeMoves
from danlu.control.machines.nodes import Nodes
from danlu.control.machines.upkeep import Upkeep
from danlu.ports.clusters import ClusterInspector, ClusterSecrets
from danlu.ports.usage import NetworkReader


@dataclass(frozen=True, slots=True)
class MachinesRoom:
    nodes: Nodes
    moves: NodeMoves
    upkeep: Upkeep
    clusters: Clusters


def build(
    on: Foundation,
    secrets: ClusterSecrets,
    inspector: ClusterInspector,
    usage: NetworkReader,
    *,
    programs: bool,
    url: str,
) -> MachinesRoom:
    """`programs`: whether kubeconfigs may run programs to sign in; `url` is how tasks reach this server."""
    nodes = Nodes(on.planner.nodes, on.view, on.store, on.registry.node_rules, usage.traffic)
    return MachinesRoom(
        nodes=nodes,
        moves=NodeMoves(on.planner, on.view, on.registry),
        upkeep=Upkeep(on.planner.nodes, on.view, on.registry, on.clock),
        clusters=Clusters(
            on.registry,
            secrets,
            inspector,
            nodes.uses,
            on.clock,
            programs=programs,
            url=url,
            volumes=lambda cluster: [one.title for one in on.store.volumes(None) if one.cluster == cluster],
        ),
    )
