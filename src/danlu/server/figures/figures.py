"""The cluster and its decisions as metrics. Labels are few and bounded: states, classes, GPU models, pools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from danlu.control.plane.decisions import Decisions, Spread
from danlu.control.usage.panel import Panel, amount_of
from danlu.control.usage.sums import CPU, MEMORY, PanelSums
from danlu.domain.job import ACTIVE, JobClass, JobState
from danlu.domain.requests import RequestKind, RequestState
from danlu.ports.clock import Clock
from danlu.ports.governance import RequestQuery, RequestStore
from danlu.ports.store import JobQuery, JobStore


class JobsAndRequests(JobStore, RequestStore, Protocol):
    """What the store can count: jobs and requests."""


class ClusterFigures(Collector):
    """Jobs, nodes and their resources, counted as for the resource panel; cached for a moment."""

    def __init__(self, store: JobsAndRequests, panel: Panel) -> None:
        self._store, self._panel = store, panel

    def describe(self) -> Iterable[Metric]:
        return []  # registering must not query the store yet

    def collect(self) -> Iterator[Metric]:
        yield self._jobs()
        yield self._requests()
        count = self._panel.count()
        yield _active(count)
        yield _nodes(count)
        yield from _gpus(count)
        for key, name, scale in ((CPU, "danlu_cpus", 1000), (MEMORY, "danlu_memory", 1)):
            yield from _plain(count, key, name, scale)

    def _jobs(self) -> Metric:
        family = GaugeMetricFamily("danlu_jobs", "Jobs by state.", labels=["state"])
        for state in JobState:
            total = self._store.page(JobQuery(states=(state,), limit=1)).total
            family.add_metric([state.value], total)
        return family

    def _requests(self) -> Metric:
        family = GaugeMetricFamily(
            "danlu_requests_open", "Requests that wait for a decision.", labels=["kind"]
        )
        for kind in RequestKind:
            query = RequestQuery(kinds=(kind,), states=(RequestState.OPEN,), limit=1)
            family.add_metric([kind.value], self._store.requests(query).total)
        return family


class DecisionFigures(Collector):
    """How long decisions take and jobs wait; empty while this process does not schedule."""

    def __init__(self, decisions: Callable[[], Decisions | None], clock: Clock) -> None:
        self._decisions, self._clock = decisions, clock

    def describe(self) -> Iterable[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        decisions = self._decisions()
        if decisions is None:
            return
        if decisions.last_at is not None:
            age = max(0, self._clock.now() - decisions.last_at) / 1000
            yield _one("danlu_decision_age_seconds", "Time since the scheduler's last decision.", age)
            took = decisions.last_seconds
            yield _one("danlu_decision_last_seconds", "How long the last decision took.", took)
        family = HistogramMetricFamily("danlu_decision_seconds", "How long decisions took.")
        _add(family, [], decisions.took)
        yield family
        family = HistogramMetricFamily(
            "danlu_job_wait_seconds", "How long started jobs had waited in the queue.", labels=["class"]
        )
        for job_class, spread in sorted(decisions.waits().items()):
            _add(family, [job_class], spread)
        yield family


def _active(count: PanelSums) -> Metric:
    family = GaugeMetricFamily(
        "danlu_active_jobs", "Active jobs by state and class.", labels=["state", "class"]
    )
    for state in sorted(ACTIVE):
        for job_class in JobClass:
            family.add_metric([state.value, job_class.value], count.states[state, job_class])
    return family


def _nodes(count: PanelSums) -> Metric:
    family = GaugeMetricFamily("danlu_nodes", "Nodes by state and pool.", labels=["state", "pool"])
    for (state, pool), number in sorted(count.pools.items()):
        family.add_metric([state.value, pool], number)
    return family


def _gpus(count: PanelSums) -> Iterator[Metric]:
    total = GaugeMetricFamily("danlu_gpus", "GPUs of all nodes that are not off, by model.", labels=["model"])
    free = GaugeMetricFamily(
        "danlu_gpus_free", "GPUs that are free for jobs now, by model.", labels=["model"]
    )
    closed = GaugeMetricFamily(
        "danlu_gpus_closed",
        "Idle GPUs of nodes that accept no jobs: cordoned, drained or unreachable.",
        labels=["model"],
    )
    others = GaugeMetricFamily(
        "danlu_gpus_others", "GPUs that workloads outside Danlu use.", labels=["model"]
    )
    used = GaugeMetricFamily("danlu_gpus_used", "GPUs that jobs use.", labels=["model", "class"])
    queued = GaugeMetricFamily(
        "danlu_gpus_queued", "GPUs that queued jobs request.", labels=["model", "class"]
    )
    for model in count.models():
        amount = amount_of(count, model)
        total.add_metric([model], amount.total / 1000)
        free.add_metric([model], amount.free / 1000)
        closed.add_metric([model], amount.closed / 1000)
        others.add_metric([model], amount.others / 1000)
        for job_class in JobClass:
            labels = [model, job_class.value]
            used.add_metric(labels, count.used.by_class[job_class, model] / 1000)
            queued.add_metric(labels, count.queued.by_class[job_class, model] / 1000)
    yield from (total, free, closed, others, used, queued)


def _plain(count: PanelSums, key: str, name: str, scale: int) -> Iterator[Metric]:
    """CPUs, or memory in bytes."""
    amount, unit = amount_of(count, key), "_bytes" if key == MEMORY else ""
    what = "Memory" if key == MEMORY else "CPUs"
    yield _one(f"{name}{unit}", f"{what} of all nodes that are not off.", amount.total / scale)
    yield _one(f"{name}_free{unit}", f"{what} free for jobs now.", amount.free / scale)
    yield _one(f"{name}_closed{unit}", f"Idle {what} of nodes that accept no jobs.", amount.closed / scale)
    yield _one(f"{name}_others{unit}", f"{what} that workloads outside Danlu use.", amount.others / scale)
    yield _one(f"{name}_used{unit}", f"{what} that jobs use.", amount.used / scale)
    yield _one(f"{name}_queued{unit}", f"{what} that queued jobs request.", amount.queued / scale)


def _one(name: str, help_: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_, value=value)


def _add(family: HistogramMetricFamily, labels: list[str], spread: Spread) -> None:
    """Buckets are cumulative, as Prometheus expects."""
    buckets, so_far = [], 0
    for bound, number in zip((*spread.bounds, None), spread.counts, strict=True):
        so_far += number
        buckets.append(("+Inf" if bound is None else str(bound), so_far))
    family.add_metric(labels, buckets, sum_value=spread.total)
