"""The application: every route over one set of services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from danlu.files.oidc import OidcProvider
from danlu.server.desk import Desk
from danlu.server.door import Door
from danlu.server.figures.prometheus import PrometheusPage
from danlu.server.http import problems
from danlu.server.http.connections import ConnectionBounds
from danlu.server.http.console import Console, find_console
from danlu.server.http.cookies import Devices
from danlu.server.http.identity import Identity
from danlu.server.http.password_line import PasswordLine
from danlu.server.http.sign_in_limits import SignInAttempts
from danlu.server.http.streams import Streams
from danlu.server.http.threads import Threads, set_request_threads
from danlu.server.http.turns import Turns
from danlu.server.live.follow import Followed
from danlu.server.live.hub import EventHub
from danlu.server.live.terminals import Terminals
from danlu.server.openapi import bare_app, document
from danlu.server.services import Services

if TYPE_CHECKING:
    from danlu.server.http.provider import Provider

__all__ = ["Services", "create_app"]


def create_app(services: Services, *, console_dir: Path | None = None) -> FastAPI:
    """The application for these services; call `app.state.hub.wake` (from any thread) when there are new events."""
    desk = _make_desk(services)
    app = bare_app(documented=False)
    app.router.lifespan_context = _lifespan(desk)
    app.state.desk, app.state.hub, app.state.streams = desk, desk.hub, desk.streams
    app.state.threads = desk.threads
    app.state.bounds = ConnectionBounds.of(services.process.settings)
    problems.install(app)
    console = console_dir or find_console()
    app.router.default = Console(console, services.process.settings.public_url, desk.threads)
    app.add_middleware(Door, desk=desk)
    _keep_document(app)
    return app


def _make_desk(services: Services) -> Desk:
    threads, settings = Threads(), services.process.settings
    hub, streams = EventHub(services.ports.store), Streams(threads)
    identity = Identity(services.people.sign_in, settings.public_url)
    identity.changed(hub.stir)
    return Desk(
        services=services,
        identity=identity,
        threads=threads,
        turns=Turns(settings.requests_per_person, settings.streams_per_person),
        hub=hub,
        streams=streams,
        attempts=SignInAttempts(services.process.settings.sign_in_attempts),
        followed=Followed(services.ports.store, services.ports.logs, services.ports.follower, hub),
        terminals=Terminals(),
        metrics=PrometheusPage(services, lambda: hub.listeners, lambda: streams.open),
        passwords=PasswordLine(),
        devices=Devices(services.process.journey_key),
        providers=_providers(services.process.settings.oidc),
    )


def _providers(known: Iterable[OidcProvider]) -> dict[str, Provider]:
    if not known:
        return {}
    from danlu.server.http.provider import Provider

    return {one.name: Provider(one) for one in known}


def _lifespan(desk: Desk) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        set_request_threads()
        listening = asyncio.create_task(desk.hub.run())
        try:
            yield
        finally:
            desk.streams.close()
            await desk.terminals.close()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    return lifespan


def _keep_document(app: FastAPI) -> None:
    kept: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not kept:
            kept.update(document(bare_app()))
        return kept

    app.openapi = openapi  # type: ignore[method-assign]
