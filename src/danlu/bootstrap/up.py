"""`danlu up`: both halves in one process."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from danlu.bootstrap.first import FIRST_ADMINISTRATOR, newcomer, sign_in_link
from danlu.bootstrap.limits import give_back
from danlu.bootstrap.parts import Parts
from danlu.bootstrap.plane import ControlPlane
from danlu.bootstrap.services import build_services
from danlu.bootstrap.ways import ways_into_tasks
from danlu.control.demo import DEMO_NODES, DEMO_PROJECTS, seed_data, seed_demo, seed_history, seed_volumes
from danlu.control.plane.leadership import Leadership
from danlu.data.volumes.samples import write_samples
from danlu.domain.errors import Conflict
from danlu.domain.isolation import PODS, TaskIsolation
from danlu.domain.people import LOCAL_TOKEN, UserRole
from danlu.domain.permissions import Caller
from danlu.files.settings import Settings
from danlu.ports.store import TAKEN
from danlu.sdk.http import config
from danlu.sdk.http.errors import DanluError as ClientError
from danlu.server.app import create_app
from danlu.server.http.serve import serve
from danlu.telemetry.past import FilePastLogs

LOCAL_CONTEXT = "local"


@dataclass(frozen=True, slots=True)
class Ready:
    """What a person who just started Danlu wants to know."""

    url: str
    sign_in_link: str | None
    token: str
    data: Path
    nodes: tuple[str, ...]
    isolation: TaskIsolation
    demo: bool


class Danlu:
    """A whole Danlu in one process: API, control plane and engines on one data directory."""

    def __init__(self, settings: Settings) -> None:
        self._parts = parts = Parts(_with_demo(settings), shared=False)
        parts.store.claim()
        # A file is claimed by one process alone; a database on the network is led by whoever holds the lease.
        networked = parts.store.shared
        self._leadership = Leadership(parts.store, f"up:{parts.directory.id}" if networked else "up")
        epoch = self._leadership.insist()
        may_act = functools.partial(self._leadership.valid, epoch) if networked else lambda: True
        self._plane = ControlPlane(parts, parts.store.fenced(epoch), may_act)
        self._services = build_services(
            parts,
            self._plane.foundation,
            "up",
            ways_into_tasks(parts, self._plane.registry.clusters),
            self._plane.stacks,
        )

    def run(self, on_ready: Callable[[Ready], None]) -> None:
        """Serve until SIGINT or SIGTERM; jobs go on without us. Conflict when another Danlu has taken over."""
        app = create_app(self._services)
        self._plane.controller.tell(app.state.hub.wake)
        stop, lost = threading.Event(), threading.Event()
        leader = threading.Thread(target=self._lead, args=(stop, lost), name="leadership", daemon=True)
        try:
            link = self._first_start()
            leader.start()
            self._parts.store.listen(app.state.hub.wake)
            self._parts.store.listen(self._plane.controller.wake)
            settings = self._parts.settings
            serve(
                app,
                settings.host,
                settings.port,
                on_ready=lambda port: on_ready(self._ready(port, link)),
                stop=lost,
                proxies=settings.trusted_proxies,
                keeper=self._plane.base.local.listeners if self._plane.base.local else None,
            )
        finally:
            stop.set()
            self._plane.wake()
            if leader.ident is None:
                self._plane.close()
            else:
                leader.join(timeout=10)
            self._parts.close()
        if lost.is_set():
            raise Conflict(TAKEN)

    def _lead(self, stop: threading.Event, lost: threading.Event) -> None:
        try:
            self._leadership.lead(lambda _: self._plane, stop)
        finally:
            if not stop.is_set():
                lost.set()

    # ── the first moments ────────────────────────────────────────────────────────────────────────────

    def _first_start(self) -> str | None:
        """Make the first administrator, and a link as long as they have no password; seed a demonstration."""
        admin = newcomer(self._parts)
        if self._parts.settings.demo:
            self._seed_demo()
        return None if admin is None else self._parts.people.make_link(admin.name)

    def _seed_demo(self) -> None:
        parts, now = self._parts, self._parts.clock.now()
        nodes, logs = self._plane.engines.inventory(), FilePastLogs(parts.directory.logs)
        seed_history(parts.store, logs, nodes, now, FIRST_ADMINISTRATOR, parts.policy.score_time)
        seed_demo(parts.people, self._services.jobs.jobs, parts.store, now)
        seed_volumes(
            self._services.volumes,
            parts.store,
            lambda one, files: write_samples(parts.volumes.place(one.id), files),
        )
        seed_data(self._services.datasets, self._services.transfers, parts.store)

    def _ready(self, port: int, link: str | None) -> Ready:
        give_back()
        url = self._parts.url_at(port)
        self._plane.controller.url = url  # the port may have been chosen only now
        self._parts.directory.announce(url)
        nodes = self._plane.engines.inventory()
        return Ready(
            url=url,
            sign_in_link=sign_in_link(url, link),
            token=self._local_token(),
            data=self._parts.directory.root,
            nodes=tuple(node.name for node in nodes),
            isolation=next((node.isolation for node in nodes if node.isolation and not node.cluster), PODS),
            demo=self._parts.settings.demo,
        )

    def _local_token(self) -> str:
        """A token for the person who started Danlu: whoever can start it can read its data anyway. The one
        they have is kept, so that what follows a job with it goes on after a restart."""
        store, people = self._parts.store, self._parts.people
        admin = next(
            user for user in store.users() if user.role is UserRole.ADMINISTRATOR and not user.disabled
        )
        known = _remembered_token()
        ours = [token for token in store.tokens(admin.name) if token.name == LOCAL_TOKEN]
        if known and any(people.is_secret_of(known, token) for token in ours):
            return known
        for token in ours:
            store.remove_token(admin.name, token.id, alone=True)
        return people.make_token(Caller(admin), LOCAL_TOKEN)[0]


def _remembered_token() -> str | None:
    try:
        context = config.load().contexts.get(LOCAL_CONTEXT)
    except ClientError:
        return None
    return context.token if context else None


def _with_demo(settings: Settings) -> Settings:
    if not settings.demo:
        return settings
    projects = tuple(dict.fromkeys((*settings.projects, *DEMO_PROJECTS)))
    return settings.model_copy(
        update={"projects": projects, "virtual_nodes": settings.virtual_nodes or DEMO_NODES}
    )
