"""A server on a real store and a simulated cluster, for tests of what crosses the network."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI

from danlu.bootstrap.parts import Parts
from danlu.bootstrap.plane import ControlPlane
from danlu.bootstrap.services import build_services
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.stacks import StackInspector
from danlu.control.people.passwords import Passwords
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import Authentication
from danlu.control.people.task_tokens import TaskTokens
from danlu.control.plane.controller import Controller
from danlu.control.rules.registry import Registry
from danlu.domain.people import UserRole
from danlu.domain.permissions import Caller
from danlu.files.settings import Settings
from danlu.ports.engine import Inspectable, Interactive
from danlu.ports.logs import LogKey
from danlu.server.app import Services, create_app
from danlu.server.http.serve import serve
from danlu.store.sql import SqlStore
from danlu.telemetry.logs import FileLogs, log_path
from tests.databases import sqlite_at
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
    people: Authentication
    jobs: Jobs
    controller: Controller
    logs: FileLogs
    registry: Registry
    services: Services
    app: FastAPI
    inspector: ScriptedInspector
    tasks: TaskTokens
    tokens: dict[str, str] = field(default_factory=dict)

    def caller(self, name: str) -> Caller:
        user = self.store.user(name)
        assert user is not None
        rights = Rights(self.store)
        rights.follow(self.registry.groups)
        return rights.caller(user)

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

    def write_result(self, job_id: str, owner: str, attempt: int = 1, task: str = "worker-0") -> Path:
        """A working folder that a task has left, with one file in it."""
        folder = self.root / "results" / job_id / str(attempt) / task
        folder.mkdir(parents=True, exist_ok=True)
        (self.root / "results" / job_id / "owner").write_text(owner)
        (folder / "out.txt").write_text("0123456789")
        return folder


@contextlib.contextmanager
def world(
    root: Path, shells: Interactive | None = None, inspectable: Inspectable | None = None, **settings: Any
) -> Iterator[World]:
    """A world of four people on two nodes of eight cards, put together as `danlu up` does it."""
    chosen = Settings(
        data=root,
        database=sqlite_at(root / "danlu.db"),
        engine="simulated",
        virtual_nodes="2x8xA100",
        code_limit="1MiB",
        **settings,
    )
    inspector = ScriptedInspector()
    parts = Parts(chosen, shared=False, passwords=Passwords(PasswordHasher(1, 8, 1)), inspector=inspector)
    plane = ControlPlane(parts, parts.store, lambda: True)
    stacks = StackInspector(inspectable, parts.stacks, parts.clock)
    services = build_services(parts, plane.foundation, "up", shells, stacks)
    for name, role in _ROLES.items():
        parts.people.make_user(name, role, name.title(), PASSWORD)
    app = create_app(services, console_dir=root / "console")
    try:
        yield World(
            root,
            parts.store,
            parts.people,
            services.jobs.jobs,
            plane.controller,
            parts.logs,
            plane.registry,
            services,
            app,
            inspector,
            parts.tasks,
        )
    finally:
        plane.close()
        parts.close()


@contextlib.contextmanager
def served(app: FastAPI, host: str = "127.0.0.1", proxies: Sequence[str] = ()) -> Iterator[str]:
    """The application on a real port; its address."""
    stop, ready = threading.Event(), threading.Event()
    ports: list[int] = []

    def on_ready(port: int) -> None:
        ports.append(port)
        ready.set()

    more = {"on_ready": on_ready, "stop": stop, "proxies": proxies}
    thread = threading.Thread(target=serve, args=(app, host, 0), kwargs=more, daemon=True)
    thread.start()
    try:
        assert ready.wait(10), "the server did not start"
        yield f"http://{host}:{ports[0]}"
    finally:
        stop.set()
        thread.join(10)
        assert not thread.is_alive(), "the server did not stop"
