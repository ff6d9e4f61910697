"""A server on a real store and a simulated cluster, for tests of what crosses the network."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI

from danlu.control.admission import Admission
from danlu.control.clock import RandomIds, SystemClock
from danlu.control.clusters import Clusters
from danlu.control.controller import Controller
from danlu.control.jobs import Jobs
from danlu.control.ledger import Ledger
from danlu.control.nodes import Nodes
from danlu.control.passwords import Passwords
from danlu.control.people import People
from danlu.control.planner import Planner
from danlu.control.queue import Queue
from danlu.control.registry import Registry
from danlu.control.resources import Panel
from danlu.control.task_tokens import TaskTokens
from danlu.control.view import ActiveView
from danlu.data.code import FileCode
from danlu.data.secrets import FileClusterSecrets
from danlu.domain.people import UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import Policy
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import Interactive
from danlu.ports.logs import LogKey
from danlu.server.app import Services, create_app
from danlu.server.serve import serve
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs, log_path
from danlu.telemetry.usage import FileUsage
from danlu.wire.settings import Settings
from tests.fakes.clusters import ScriptedInspector

PASSWORD = "correct horse"
ADMINISTRATOR, ENGINEER, OTHER, VIEWER = "admin", "eve", "otto", "vera"
_ROLES = {
    ADMINISTRATOR: UserRole.ADMINISTRATOR,
    ENGINEER: UserRole.ENGINEER,
    OTHER: UserRole.ENGINEER,
    VIEWER: UserRole.VIEWER,
}


def job_file(name: str = "first-steps", **more: Any) -> dict[str, Any]:
    return {"kind": "training", "name": name, "command": "true", **more}


@dataclass
class World:
    """Everything behind one application; the control plane steps when told to."""

    root: Path
    store: SqlStore
    people: People
    jobs: Jobs
    controller: Controller
    logs: FileLogs
    registry: Registry
    services: Services
    app: FastAPI
    inspector: ScriptedInspector
    tokens: dict[str, str] = field(default_factory=dict)

    def caller(self, name: str) -> Caller:
        user = self.store.user(name)
        assert user is not None
        return Caller(user)

    def bearer(self, name: str) -> dict[str, str]:
        """Headers that say who asks."""
        if name not in self.tokens:
            self.tokens[name] = self.people.make_token(self.caller(name), "test")[0]
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def write_log(self, job_id: str, text: bytes, attempt: int = 1, task: str = "worker-0") -> None:
        path = log_path(self.root / "logs", LogKey(job_id, attempt, task))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(text)


@contextlib.contextmanager
def world(root: Path, shells: Interactive | None = None, **settings: Any) -> Iterator[World]:
    """A world of four people on two nodes of eight cards."""
    for place in ("code", "logs"):
        (root / place).mkdir(exist_ok=True)
    clock = SystemClock()
    ids = RandomIds(clock)
    store = SqlStore.open(f"sqlite:///{root / 'danlu.db'}")
    engine = SimulatedEngine(SimulatedCluster(virtual_nodes("2x8xA100")), clock)
    view, policy = ActiveView(store, all_serve=True), Policy()
    registry = Registry(store, clock, lambda: (*view.queued(), *view.live()), engine.inventory)
    registry.seed()
    planner = Planner(view, registry, Ledger(store, policy.score_time), engine.inventory, clock, policy)
    tasks = TaskTokens(b"a key of this world", store)
    controller = Controller(store, engine, clock, planner, view, token_of=tasks.token)
    registry.changed(controller.wake)
    code = FileCode(root / "code", 1 << 20)
    admission = Admission(planner.nodes, code, registry, None, policy)
    people = People(store, Passwords(PasswordHasher(1, 8, 1)), clock, ids, tasks=tasks)
    logs = FileLogs(root / "logs")
    jobs = Jobs(store, admission, clock, ids, controller.wake, lambda job: queue.outlook(job), logs.remove)
    queue = Queue(store, view, planner, jobs.get, clock, controller.wake)
    nodes = Nodes(planner.nodes, view, store)
    inspector = ScriptedInspector()
    clusters = Clusters(registry, FileClusterSecrets(root / "secrets"), inspector, nodes.uses, clock)
    chosen = Settings(data=root, code_limit="1MiB", **settings)
    services = Services(
        jobs=jobs,
        people=people,
        nodes=nodes,
        clusters=clusters,
        queue=queue,
        panel=Panel(planner.nodes, view, clock),
        registry=registry,
        store=store,
        logs=logs,
        follower=SharedFollower(logs),
        usage=FileUsage(root / "logs", root / "usage", clock),
        shells=shells,
        code=code,
        settings=chosen,
        version="1.2.3",
    )
    for name, role in _ROLES.items():
        people.make_user(name, role, name.title(), PASSWORD)
    app = create_app(services, console_dir=root / "console")
    try:
        yield World(root, store, people, jobs, controller, logs, registry, services, app, inspector)
    finally:
        store.close()


@contextlib.contextmanager
def served(app: FastAPI, host: str = "127.0.0.1") -> Iterator[str]:
    """The application on a real port; its address."""
    stop, ready = threading.Event(), threading.Event()
    ports: list[int] = []

    def on_ready(port: int) -> None:
        ports.append(port)
        ready.set()

    thread = threading.Thread(
        target=serve, args=(app, host, 0), kwargs={"on_ready": on_ready, "stop": stop}, daemon=True
    )
    thread.start()
    try:
        assert ready.wait(10), "the server did not start"
        yield f"http://{host}:{ports[0]}"
    finally:
        stop.set()
        thread.join(10)
        assert not thread.is_alive(), "the server did not stop"
