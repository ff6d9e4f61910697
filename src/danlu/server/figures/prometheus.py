"""Metrics for Prometheus: the requests this process serves, and the cluster as it sees it."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from danlu.server.figures.figures import ClusterFigures, DecisionFigures
from danlu.server.figures.nodes import NodeFigures
from danlu.server.services import Services

PAGE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class PrometheusPage:
    """A registry of its own, without the metrics of libraries in this process."""

    def __init__(self, services: Services, listeners: Callable[[], int], streams: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "danlu_http_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "danlu_http_request_seconds",
            "Time until the answer was complete, without streams.",
            ("method", "route"),
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self._open = Gauge(
            "danlu_http_requests_open",
            "Requests in progress, including streams.",
            registry=self.registry,
        )
        gauge = Gauge("danlu_event_listeners", "Open event streams.", registry=self.registry)
        gauge.set_function(lambda: float(listeners()))
        gauge = Gauge("danlu_open_streams", "Open streaming responses.", registry=self.registry)
        gauge.set_function(lambda: float(streams()))
        self.registry.register(ClusterFigures(services.ports.store, services.usage.panel))
        self.registry.register(NodeFigures(services.machines.nodes, services.ports.usage))
        if services.process.decisions is not None:
            self.registry.register(DecisionFigures(lambda: services.process.decisions, services.ports.clock))

    def arrived(self) -> None:
        """A request arrived; `answered` follows in any case."""
        self._open.inc()

    def answered(self, method: str, route: str, status: int, seconds: float, stream: bool) -> None:
        self._open.dec()
        self._requests.labels(method, route, str(status)).inc()
        if not stream:
            self._seconds.labels(method, route).observe(seconds)

    def page(self) -> bytes:
        """The metrics page; it queries the store, so call it in a thread."""
        return generate_latest(self.registry)
