"""Every node as metrics: what it has, what jobs hold of it, and what its network carries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from danlu.control.machines.nodes import Nodes, NodeUse, has_network
from danlu.domain.node import NodeState
from danlu.ports.usage import NetworkReader, Traffic

LOCAL = "local"
"""The machine of virtual nodes: its network is counted once, not for each of them."""


class NodeFigures(Collector):
    """As the list of nodes shows them; a node that is off has nothing."""

    def __init__(self, nodes: Nodes, usage: NetworkReader) -> None:
        self._nodes, self._usage = nodes, usage

    def describe(self) -> Iterable[Metric]:
        return []  # registering must not ask for nodes yet

    def collect(self) -> Iterator[Metric]:
        uses = [use for use in self._nodes.uses() if use.node.state is not NodeState.OFF]
        yield from _held(uses)
        traffic = self._usage.traffic()
        if traffic is not None:
            yield from _network(uses, traffic)


def _held(uses: Sequence[NodeUse]) -> Iterator[Metric]:
    labels = ["node", "pool"]
    gpus = GaugeMetricFamily("danlu_node_gpus", "GPUs of a node.", labels=[*labels, "model"])
    gpus_used = GaugeMetricFamily(
        "danlu_node_gpus_used", "GPUs of a node that jobs use.", labels=[*labels, "model"]
    )
    cpus = GaugeMetricFamily("danlu_node_cpus", "CPUs of a node.", labels=labels)
    cpus_used = GaugeMetricFamily("danlu_node_cpus_used", "CPUs of a node that jobs hold.", labels=labels)
    memory = GaugeMetricFamily("danlu_node_memory_bytes", "Memory of a node.", labels=labels)
    memory_used = GaugeMetricFamily(
        "danlu_node_memory_used_bytes", "Memory of a node that jobs hold.", labels=labels
    )
    for use in uses:
        node = use.node
        named = [node.name, node.pool]
        if node.gpu_model is not None:
            gpus.add_metric([*named, node.gpu_model], len(node.gpus))
            gpus_used.add_metric([*named, node.gpu_model], use.gpu_milli / 1000)
        cpus.add_metric(named, node.cpu_milli / 1000)
        cpus_used.add_metric(named, use.cpu_milli / 1000)
        memory.add_metric(named, node.memory)
        memory_used.add_metric(named, use.memory)
    yield from (gpus, gpus_used, cpus, cpus_used, memory, memory_used)


def _network(uses: Sequence[NodeUse], traffic: Traffic) -> Iterator[Metric]:
    names = {LOCAL if use.node.virtual else use.node.name for use in uses if has_network(use.node)}
    for name, help_, value in (
        ("receive", "Bytes that a node's network received.", traffic.all_received),
        ("transmit", "Bytes that a node's network sent.", traffic.all_sent),
    ):
        family = CounterMetricFamily(f"danlu_node_network_{name}_bytes", help_, labels=["node"])
        for node in sorted(names):
            family.add_metric([node], value)
        yield family
