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

from danlu.bootstrap.clock import RandomIds, SystemClock
from danlu.control.audit import Audit
from danlu.control.flavors.flavors import Flavors
from danlu.control.flavors.measured import Measurements
from danlu.control.flavors.offers import Offers
from danlu.control.jobs.admission import Admission
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.metrics import TrainingMetrics
from danlu.control.jobs.proposals import Proposals
from danlu.control.jobs.reports import Reports
from danlu.control.jobs.stacks import TaskStacks
from danlu.control.jobs.starts import Starts
from danlu.control.jobs.visits import Visits
from danlu.control.machines.clusters import Clusters
from danlu.control.machines.node_moves import NodeMoves
from danlu.control.machines.nodes import Nodes
from danlu.control.machines.upkeep import Upkeep
from danlu.control.people.accounts import Accounts
from danlu.control.people.bulk_accounts import BulkAccounts
from danlu.control.people.groups import Groups
from danlu.control.people.leaving import Leaving
from danlu.control.people.passwords import Passwords
from danlu.control.people.provider_sign_in import ProviderSignIn
from danlu.control.people.rights import Rights
from danlu.control.people.sign_in import People
from danlu.control.people.ssh_keys import Keys
from danlu.control.people.task_tokens import TaskTokens
from danlu.control.plane.controller import Controller
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.control.projects.members import Members
from danlu.control.projects.requests import Requests
from danlu.control.queue.queue import Queue
from danlu.control.queue.standing import Standings
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.rules.registry import Registry
from danlu.control.usage.panel import Panel
from danlu.control.usage.trends import Trends
from danlu.data.code import FileCode
from danlu.data.examples import FolderExamples, find_examples
from danlu.data.secrets import FileClusterSecrets
from danlu.domain.people import UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import Policy
from danlu.engines.simulated import SimulatedCluster, SimulatedEngine
from danlu.engines.virtual import virtual_nodes
from danlu.files.settings import Settings
from danlu.ports.engine import Inspectable, Interactive
from danlu.ports.logs import LogKey
from danlu.server.app import Services, create_app
from danlu.server.http.serve import serve
from danlu.store.sql import SqlStore
from danlu.telemetry.follow import SharedFollower
from danlu.telemetry.logs import FileLogs, log_path
from danlu.telemetry.reports import FileReports
from danlu.telemetry.series import FileMetrics
from danlu.telemetry.stacks import FileStacks
from danlu.telemetry.usage import FileUsage
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


@contextlib.contextmanager
def world(
    root: Path, shells: Interactive | None = None, inspectable: Inspectable | None = None, **settings: Any
) -> Iterator[World]:
    """A world of four people on two nodes of eight cards."""
    for place in ("code", "logs"):
        (root / place).mkdir(exist_ok=True)
    clock = SystemClock()
    ids = RandomIds(clock)
    store = SqlStore.open(sqlite_at(root / "danlu.db"))
    engine = SimulatedEngine(SimulatedCluster(virtual_nodes("2x8xA100")), clock)
    view, policy = ActiveView(store, all_serve=True), Policy()
    registry = Registry(store, clock, lambda: (*view.queued(), *view.live()), engine.inventory)
    registry.seed()
    planner = Planner(view, registry, Ledger(store, policy.score_time), engine.inventory, clock, policy)
    view.notice(planner.decisions.noticed)
    tasks = TaskTokens(b"a key of this world", store)
    controller = Controller(store, engine, clock, planner, view, token_of=tasks.token)
    registry.changed(controller.wake)
    quotas = Quotas(registry, store, clock)
    budgets = Budgets(registry, store, view.live_of, clock)
    code = FileCode(root / "code", 1 << 20)
    admission = Admission(planner.nodes, code, registry, None, policy)
    rights = Rights(store)
    rights.follow(registry.groups)
    passwords = Passwords(PasswordHasher(1, 8, 1))
    people = People(store, passwords, clock, ids, tasks=tasks, rights=rights)
    logs = FileLogs(root / "logs")
    usage = FileUsage(root / "logs", root / "usage", clock)
    starts = Starts(registry, quotas, budgets)
    jobs = Jobs(
        store, admission, clock, ids, controller.wake, lambda job: queue.outlook(job), logs.remove, starts
    )
    queue = Queue(store, view, planner, jobs.get, clock, controller.wake)
    nodes = Nodes(planner.nodes, view, store, registry.node_rules)
    inspector = ScriptedInspector()
    clusters = Clusters(registry, FileClusterSecrets(root / "secrets"), inspector, nodes.uses, clock)
    chosen = Settings(data=root, code_limit="1MiB", **settings)
    leaving = Leaving(store, lambda caller, job: jobs.act(caller, job, "stop"))
    accounts = Accounts(store, people, passwords, clock, leaving, registry.groups, chosen.link_life)
    services = Services(
        audit=Audit(store, clock),
        visits=Visits(store, clock),
        clock=clock,
        jobs=jobs,
        people=people,
        accounts=accounts,
        bulk_accounts=BulkAccounts(store, accounts, leaving, clock),
        groups=Groups(registry, store, clock),
        keys=Keys(store, clock, ids),
        provider_sign_in=ProviderSignIn(store, people, clock),
        journey_key=b"a key of this world",
        nodes=nodes,
        moves=NodeMoves(planner, view, registry),
        upkeep=Upkeep(planner.nodes, view, registry, clock),
        clusters=clusters,
        queue=queue,
        panel=Panel(planner.nodes, view, clock),
        trends=Trends(store, clock),
        decisions=planner.decisions,
        registry=registry,
        flavors=Flavors(
            registry,
            Offers(registry, planner, admission.idle),
            Measurements(store, usage),
            planner.nodes,
            lambda: (*view.queued(), *view.live()),
            jobs.get,
        ),
        proposals=Proposals(registry, planner, admission.idle),
        members=Members(store, registry, clock),
        requests=Requests(store, registry, quotas.raise_for, clock, ids),
        standings=Standings(planner, registry, store),
        quotas=quotas,
        budgets=budgets,
        store=store,
        logs=logs,
        follower=SharedFollower(logs),
        usage=usage,
        metrics=TrainingMetrics(FileMetrics(root / "logs"), usage, clock),
        reports=Reports(store, FileReports(root / "logs"), clock, controller.wake),
        shells=shells,
        stacks=TaskStacks(inspectable, FileStacks(root / "logs"), clock),
        code=code,
        examples=FolderExamples(find_examples(), code),
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
