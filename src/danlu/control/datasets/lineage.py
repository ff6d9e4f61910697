"""Where versions come from and who reads them, as a small graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from danlu.control.datasets.datasets import Datasets
from danlu.domain.datasets.access import sees
from danlu.domain.datasets.dataset import Dataset, Version
from danlu.domain.file_names import escaped_path
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.transfers.ends import read_end
from danlu.domain.volumes.volume import RESERVED_NAMES
from danlu.ports.datasets.records import DatasetStore
from danlu.ports.outputs import OutputStore

_MOST_VERSIONS, _MOST_READS = 100, 200


class NodeKind(StrEnum):
    VERSION = "version"
    JOB = "job"
    PLACE = "place"


class EdgeKind(StrEnum):
    MADE = "made"
    """From a place or a job to the version that was made; from a job to the place that it wrote an output to."""
    READ = "read"
    """From a version to a job that mounts it."""


@dataclass(frozen=True, slots=True)
class LineageNode:
    """`ref` leads to it, None where there is nothing (any more) that the caller may see."""

    id: str
    kind: NodeKind
    name: str
    owner: str
    ref: str | None
    at: Time | None = None


@dataclass(frozen=True, slots=True)
class LineageEdge:
    source: str
    target: str
    kind: EdgeKind


@dataclass(slots=True)
class Lineage:
    nodes: dict[str, LineageNode] = field(default_factory=dict)
    edges: dict[LineageEdge, None] = field(default_factory=dict)

    def link(self, source: LineageNode, target: LineageNode, kind: EdgeKind) -> None:
        self.nodes.setdefault(source.id, source)
        self.nodes.setdefault(target.id, target)
        self.edges[LineageEdge(source.id, target.id, kind)] = None


class DatasetsAndOutputs(DatasetStore, OutputStore, Protocol):
    """What is read of datasets, and what jobs left in volumes."""


class Lineages:
    """Any thread. Others' jobs are told by owner alone where the caller may not read them."""

    def __init__(self, store: DatasetsAndOutputs, datasets: Datasets) -> None:
        self._store, self._datasets = store, datasets

    def of(self, caller: Caller, ref: str, number: int | None = None) -> Lineage:
        """Of all versions of a dataset, or of one: its source, the job that made it and the versions that this one
        read, and the jobs that read it."""
        one = self._datasets.get(caller, ref)
        graph = Lineage()
        versions = [
            version
            for version in self._store.versions(one.id, None, _MOST_VERSIONS)
            if number in (None, version.number)
        ]
        wanted = {version.id: _node(one, version) for version in versions}
        for version in versions:
            graph.nodes[version.id] = wanted[version.id]
            self._origin(caller, graph, version, wanted[version.id])
        for read in self._store.version_reads(one.id)[:_MOST_READS]:
            if read.version in wanted:
                job = self._job(caller, read.job_id, read.owner, read.job, read.at)
                graph.link(wanted[read.version], job, EdgeKind.READ)
        return graph

    def _origin(self, caller: Caller, graph: Lineage, version: Version, node: LineageNode) -> None:
        if not version.job_id:
            place = version.source.place
            if place:
                there = LineageNode(f"place:{place}", NodeKind.PLACE, place, "", None)
                graph.link(there, node, EdgeKind.MADE)
                self._makers(caller, graph, version, there)
            return
        job = self._job(caller, version.job_id, version.made_by, version.job, version.created_at)
        graph.link(job, node, EdgeKind.MADE)
        for read in self._store.reads_of_job(version.job_id):
            source = self._store.version_by_id(read.version)
            dataset = self._store.dataset(source.dataset) if source else None
            if source is not None and dataset is not None and sees(caller, dataset):
                graph.link(_node(dataset, source), job, EdgeKind.READ)

    def _makers(self, caller: Caller, graph: Lineage, version: Version, place: LineageNode) -> None:
        """The jobs whose outputs went to the folder that a version was made of, before it was."""
        folder = version.source.path
        for one in self._store.outputs_into(version.source.volume):
            end = read_end(one.wish.to)
            own = end.address not in RESERVED_NAMES or one.owner == version.made_by
            ended_at = one.ended_at or 0
            if own and ended_at <= version.created_at and _one_in_other(escaped_path(end.path), folder):
                job = self._job(caller, one.job_id, one.owner, one.job, ended_at)
                graph.link(job, place, EdgeKind.MADE)

    def _job(self, caller: Caller, job_id: str, owner: str, name: str, at: Time) -> LineageNode:
        readable = caller.may(Permission.JOB_READ, owner) and caller.reaches(job_id)
        shown = name if readable else ""
        return LineageNode(f"job:{job_id}", NodeKind.JOB, shown, owner, job_id if readable else None, at)


def _one_in_other(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/" if other else "") or f"{other}/".startswith(
        f"{one}/" if one else ""
    )


def _node(one: Dataset, version: Version) -> LineageNode:
    ref = f"{one.title}@{version.name}"
    return LineageNode(version.id, NodeKind.VERSION, ref, one.owner, ref, version.created_at)
