"""Figures for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from danlu.domain.job import JobState
from danlu.ports.store import JobQuery, JobStore

_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """A registry of our own: what else runs in the process stays out of it."""

    def __init__(self, store: JobStore, listeners: Callable[[], int], streams: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "danlu_http_requests", "Answered requests.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "danlu_http_request_seconds",
            "Time to the end of the answer; streams are left out.",
            ("method", "route"),
            registry=self.registry,
            buckets=_BUCKETS,
        )
        gauge = Gauge("danlu_event_listeners", "Streams that wait for events.", registry=self.registry)
        gauge.set_function(lambda: float(listeners()))
        gauge = Gauge("danlu_open_streams", "Open answers without end.", registry=self.registry)
        gauge.set_function(lambda: float(streams()))
        self.registry.register(_JobsByState(store))

    def answered(self, method: str, route: str, status: int, seconds: float, stream: bool) -> None:
        self._requests.labels(method, route, str(status)).inc()
        if not stream:
            self._seconds.labels(method, route).observe(seconds)

    def page(self) -> bytes:
        """Asks the store: call it in a thread."""
        return generate_latest(self.registry)


class _JobsByState(Collector):
    def __init__(self, store: JobStore) -> None:
        self._store = store

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return [GaugeMetricFamily("danlu_jobs", "Jobs by state.", labels=["state"])]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        family = GaugeMetricFamily("danlu_jobs", "Jobs by state.", labels=["state"])
        for state in JobState:
            total = self._store.page(JobQuery(states=(state,), limit=1)).total
            family.add_metric([state.value], total)
        yield family
