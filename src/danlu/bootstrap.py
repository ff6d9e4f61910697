"""Where the parts are put together: the only file that names concrete adapters."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from danlu import __version__
from danlu.control.admission import Admission
from danlu.control.clock import RandomIds, SystemClock
from danlu.control.controller import Controller
from danlu.control.demo import DEMO_NODES, DEMO_PROJECTS, seed_demo
from danlu.control.jobs import Jobs
from danlu.control.ledger import Ledger
from danlu.control.nodes import Nodes
from danlu.control.passwords import Passwords
from danlu.control.people import People
from danlu.control.planner import Planner
from danlu.control.queue import Queue
from danlu.control.registry import Registry
from danlu.control.resources import Panel
from danlu.control.view import ActiveView
from danlu.data.code import FileCode, archive_path
from danlu.data.directory import DataDirectory
from danlu.data.settings import load_settings
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import Job
from danlu.domain.node import Node
from danlu.domain.people import UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import Policy
from danlu.engines.local import LocalEngine
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import Engine, Interactive
from danlu.sdk import config
from danlu.sdk.errors import DanluError as ClientError
from danlu.server.app import Services, create_app
from danlu.server.serve import serve
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs, log_path
from danlu.telemetry.meter import NodeMeter
from danlu.telemetry.usage import FileUsage
from danlu.wire.settings import Settings

__all__ = ["Danlu", "Ready", "load_settings"]

FIRST_ADMINISTRATOR = "admin"
LOCAL_TOKEN = "danlu up"
LOCAL_CONTEXT = "local"


@dataclass(frozen=True, slots=True)
class Ready:
    """What a person who just started Danlu wants to know."""

    url: str
    sign_in_link: str | None
    token: str
    data: Path
    nodes: tuple[str, ...]
    isolation: str
    demo: bool


class Danlu:
    """A whole Danlu in one process: API, control plane and engine on one data directory."""

    def __init__(self, settings: Settings) -> None:
        self._settings = _with_demo(settings)
        self._directory = DataDirectory(self._settings.data)
        self._clock = SystemClock()
        self._ids = RandomIds(self._clock)
        url = self._settings.database or f"sqlite:///{self._directory.database}"
        self._store = SqlStore.open(url)
        self._store.claim()
        self._engine, self._shells, self._isolation = self._make_engine()
        self._registry = Registry(self._store, self._clock, self._active_jobs, self._engine.inventory)
        self._registry.seed(self._settings.projects)
        policy = self._settings.policy()
        self._view = ActiveView(self._store, self._engine.inventory)
        ledger = Ledger(self._store, policy.score_time)
        self._planner = Planner(
            self._view, self._registry, ledger, self._engine.inventory, self._clock, policy
        )
        self._controller = Controller(
            self._store, self._engine, self._clock, self._planner, self._view, self._guessed_url()
        )
        self._registry.changed(self._controller.wake)
        self._logs = FileLogs(self._directory.logs)
        nodes = self._directory.usage / "nodes"
        self._usage = FileUsage(self._directory.logs, nodes, self._clock)
        self._meter = NodeMeter(
            self._usage.present, nodes, self._view.live, self._engine.inventory, self._clock
        )
        self._code = FileCode(self._directory.code, self._settings.code_limit)
        self._people = People(self._store, Passwords(), self._clock, self._ids, self._settings.session_life)
        self._jobs = Jobs(
            self._store,
            self._make_admission(policy),
            self._clock,
            self._ids,
            self._controller.wake,
            lambda job: self._queue.outlook(job),
            self._logs.remove,
        )
        self._queue = Queue(
            self._store, self._view, self._planner, self._jobs.get, self._clock, self._controller.wake
        )

    def run(self, on_ready: Callable[[Ready], None]) -> None:
        """Serve until SIGINT or SIGTERM; jobs go on without us."""
        app = create_app(
            Services(
                jobs=self._jobs,
                people=self._people,
                nodes=Nodes(self._planner.nodes, self._view, self._store),
                queue=self._queue,
                panel=Panel(self._planner.nodes, self._view, self._clock),
                registry=self._registry,
                store=self._store,
                logs=self._logs,
                follower=SharedFollower(self._logs),
                usage=self._usage,
                shells=self._shells,
                code=self._code,
                settings=self._settings,
                version=__version__,
            )
        )
        self._controller.tell(app.state.hub.wake)
        stop = threading.Event()
        loop = threading.Thread(target=self._controller.run, args=(stop,), name="controller", daemon=True)
        meter = threading.Thread(target=self._meter.run, args=(stop,), name="meter", daemon=True)
        try:
            first_link = self._first_start()
            loop.start()
            if self._settings.engine != "simulated":  # whose tasks use nothing that could be measured
                meter.start()
            serve(
                app,
                self._settings.host,
                self._settings.port,
                on_ready=lambda port: on_ready(self._ready(port, first_link)),
            )
        finally:
            stop.set()
            self._controller.wake()
            for thread in (loop, meter):
                if thread.is_alive():
                    thread.join(timeout=5)
            self._engine.close()
            self._store.close()
            self._directory.release()

    # ── parts ────────────────────────────────────────────────────────────────────────────────────────

    def _make_engine(self) -> tuple[Engine, Interactive | None, str]:
        settings = self._settings
        declared = _declared(settings.virtual_nodes) if settings.virtual_nodes else None
        if settings.engine == "simulated":
            nodes = declared or virtual_nodes("1x8xA100")
            return SimulatedEngine(SimulatedCluster(nodes), self._clock), None, "simulated"
        local = LocalEngine(
            runs=self._directory.runs,
            volumes=self._directory.volumes,
            log_path=functools.partial(log_path, self._directory.logs),
            archive_path=functools.partial(archive_path, self._directory.code),
            hidden=(self._directory.root,),
            nodes=declared,
            isolation=settings.isolation,
            python=settings.python,
            clock=self._clock,
        )
        return local, local, local.isolation

    def _make_admission(self, policy: Policy) -> Admission:
        images = None if self._settings.engine == "simulated" else {"host"}
        return Admission(self._planner.nodes, self._code, self._registry, images, policy)

    def _active_jobs(self) -> tuple[Job, ...]:
        return (*self._view.queued(), *self._view.live())

    def _guessed_url(self) -> str:
        settings = self._settings
        return settings.public_url or f"http://{_reachable(settings.host)}:{settings.port}"

    # ── the first moments ────────────────────────────────────────────────────────────────────────────

    def _first_start(self) -> str | None:
        """Make the first administrator, and a link as long as they have no password; seed a demonstration."""
        admin = self._store.user(FIRST_ADMINISTRATOR)
        if admin is None and not self._store.users():
            admin = self._people.make_user(FIRST_ADMINISTRATOR, UserRole.ADMINISTRATOR, "Administrator")
        if self._settings.demo:
            seed_demo(self._people, self._jobs, self._store)
        if admin is None or admin.password_hash is not None or admin.disabled:
            return None
        return self._people.make_link(admin.name)

    def _ready(self, port: int, link: str | None) -> Ready:
        url = self._settings.public_url or f"http://{_reachable(self._settings.host)}:{port}"
        self._controller.url = url  # the port may have been chosen only now
        self._directory.announce(url)
        return Ready(
            url=url,
            sign_in_link=f"{url}/sign-in?code={link}" if link else None,
            token=self._local_token(),
            data=self._directory.root,
            nodes=tuple(node.name for node in self._engine.inventory()),
            isolation=self._isolation,
            demo=self._settings.demo,
        )

    def _local_token(self) -> str:
        """A token for the person who started Danlu: whoever can start it can read its data anyway. The one
        they have is kept, so that what follows a job with it goes on after a restart."""
        admin = next(
            user for user in self._store.users() if user.role is UserRole.ADMINISTRATOR and not user.disabled
        )
        known = _remembered_token()
        ours = [token for token in self._store.tokens(admin.name) if token.name == LOCAL_TOKEN]
        if known and any(self._people.is_secret_of(known, token) for token in ours):
            return known
        for token in ours:
            self._store.remove_token(admin.name, token.id)
        return self._people.make_token(Caller(admin), LOCAL_TOKEN)[0]


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


def _declared(text: str) -> tuple[Node, ...]:
    try:
        return virtual_nodes(text)
    except ValueError as error:
        raise Invalid((FieldError(("virtual_nodes",), "bad_form", str(error), text),)) from error


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
