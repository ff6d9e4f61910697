"""`danlu server`: the half that people talk to, as often as wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from danlu.bootstrap.first import newcomer, sign_in_link
from danlu.bootstrap.limits import give_back
from danlu.bootstrap.parts import Parts
from danlu.bootstrap.services import build_services
from danlu.bootstrap.ways import ways_into_tasks
from danlu.control.jobs.stacks import StackInspector
from danlu.control.plane.full_volumes import FullVolumes
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.onlooker import Onlooker, OnlookersPlanner
from danlu.control.rules.registry import Registry
from danlu.engines.local.listeners import LauncherListeners
from danlu.files.settings import Settings
from danlu.server.app import create_app
from danlu.server.http.serve import serve


@dataclass(frozen=True, slots=True)
class Serving:
    """What a person who just started a server wants to know."""

    url: str
    sign_in_link: str | None
    data: Path


class ApiServer:
    """The API without engines: it sees nodes and plans by what the leading controller has written."""

    def __init__(self, settings: Settings) -> None:
        self._parts = parts = Parts(settings, shared=True)
        self._registry = Registry(
            parts.store,
            parts.clock,
            lambda: self._onlooker.view.active(),
            lambda: self._onlooker.nodes(),
        )
        self._onlooker = Onlooker(
            parts.store,
            parts.clock,
            self._registry.reread,
            all_serve=parts.all_serve,
            full=FullVolumes(parts.store, parts.volumes.figure, parts.clock),
        )
        self._registry.seed(settings.projects)
        planner = OnlookersPlanner(
            self._onlooker.view,
            self._registry,
            Ledger(parts.store, parts.policy.score_time),
            self._onlooker.nodes,
            parts.clock,
            parts.policy,
        )
        self._onlooker.look()
        ways = ways_into_tasks(parts, self._registry.clusters)
        services = build_services(
            parts,
            parts.foundation(self._registry, self._onlooker.view, planner, self._wake),
            "server",
            ways,
            StackInspector(ways, parts.stacks, parts.clock),
        )
        self._app = create_app(services)

    def run(self, on_ready: Callable[[Serving], None]) -> None:
        """Serve until SIGINT or SIGTERM."""
        parts, stop = self._parts, threading.Event()
        keeper = LauncherListeners(parts.directory.runs)
        looking = threading.Thread(target=self._onlooker.run, args=(stop,), name="onlooker", daemon=True)
        try:
            admin = newcomer(parts)
            link = None if admin is None else parts.people.make_only_link(admin.name)
            looking.start()
            parts.store.listen(self._wake)
            serve(
                self._app,
                parts.settings.host,
                parts.settings.port,
                on_ready=lambda port: on_ready(self._serving(port, link)),
                proxies=parts.settings.trusted_proxies,
                keeper=keeper if parts.settings.engine == "local" else None,
            )
        finally:
            keeper.close()
            stop.set()
            self._onlooker.wake()
            if looking.ident is not None:
                looking.join(timeout=5)
            parts.close()

    def _wake(self) -> None:
        self._onlooker.wake()
        self._app.state.hub.wake()

    def _serving(self, port: int, link: str | None) -> Serving:
        give_back()
        url = self._parts.url_at(port)
        return Serving(url, sign_in_link(url, link), self._parts.directory.root)
