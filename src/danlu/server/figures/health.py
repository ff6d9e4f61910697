"""The health port of a controller: whether it is alive, whether it is the leader, and metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fastapi import FastAPI
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from starlette.responses import Response

from danlu.control.plane.decisions import Decisions
from danlu.ports.clock import Clock
from danlu.ports.store import LeaseStore
from danlu.server.figures.figures import DecisionFigures
from danlu.server.figures.prometheus import PAGE
from danlu.server.http import problems
from danlu.server.http.answering import answer
from danlu.server.http.connections import ConnectionBounds
from danlu.server.http.streams import Streams
from danlu.server.http.threads import Threads


class Candidate(Protocol):
    """Whether a controller is the leader or a standby."""

    @property
    def epoch(self) -> int | None: ...

    def valid(self) -> bool: ...


class LeaseAndDatabase(LeaseStore, Protocol):
    """Who leads, and whether the database answers."""

    def ready(self) -> None: ...


def create_health_app(
    store: LeaseAndDatabase,
    standing: Candidate,
    clock: Clock,
    decisions: Callable[[], Decisions | None] = lambda: None,
) -> FastAPI:
    """The application; nothing it shows needs a permission. `decisions` exists only while this controller leads."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.streams, app.state.bounds = Streams(Threads()), ConnectionBounds()
    problems.install(app)
    figures = _figures(store, standing)
    figures.register(DecisionFigures(decisions, clock))

    @app.get("/healthz")
    async def get_health() -> Response:
        return answer({"status": "alive"})

    @app.get("/readyz")
    def get_readiness() -> Response:
        store.ready()
        return answer({"status": "ready", "half": "controller", "leader": standing.valid()})

    @app.get("/metrics")
    def get_metrics() -> Response:
        return Response(generate_latest(figures), media_type=PAGE)

    return app


def _figures(store: LeaseStore, standing: Candidate) -> CollectorRegistry:
    registry = CollectorRegistry()
    leader = Gauge("danlu_leader", "1 while this controller is the leader, else 0.", registry=registry)
    leader.set_function(lambda: float(standing.valid()))
    epoch = Gauge("danlu_lease_epoch", "How many leaders there have been.", registry=registry)
    epoch.set_function(lambda: float(lease.epoch if (lease := store.lease()) else 0))
    return registry
