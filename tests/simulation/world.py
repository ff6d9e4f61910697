"""A small world: a store, simulated machines and a control plane that can crash at any call it makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from danlu.control.jobs.admission import Admission
from danlu.control.jobs.jobs import Jobs
from danlu.control.jobs.mounting import Mounting
from danlu.control.jobs.starts import Starts
from danlu.control.jobs.volume_use import TakenVolumes
from danlu.control.outputs.resolving import OutputTargets
from danlu.control.plane.controller import Controller
from danlu.control.plane.full_volumes import FullVolumes
from danlu.control.plane.inputs import InputProgress
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.mounts import MountAccess
from danlu.control.plane.planner import Planner
from danlu.control.plane.ties import VolumeTies
from danlu.control.plane.view import ActiveView
from danlu.control.queue.queue import Queue
from danlu.control.quotas.budgets import Budgets
from danlu.control.quotas.quotas import Quotas
from danlu.control.rules.registry import Registry
from danlu.control.transfers.inputs import InputFetcher
from danlu.domain.job import HOST_IMAGE, Job, JobState
from danlu.domain.node import Node
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.rules import Policy
from danlu.engines.simulated import Behaviour, SimulatedCluster, SimulatedEngine
from danlu.engines.simulated.cluster import from_environment
from danlu.engines.virtual import virtual_nodes
from danlu.ports.engine import TaskOrder
from danlu.ports.storage import DiskFigure
from danlu.store.sql import SqlStore
from tests.databases import sqlite_at
from tests.fakes.clock import CountingIds, FakeClock

LIN = Caller(User("lin", UserRole.ENGINEER, 0))


class Crashed(BaseException):
    """The process died here. Nothing of ours may catch it."""


class Crashing:
    """Any port, with a crash or a failure before or after one chosen call."""

    def __init__(
        self, port: Any, moment: Callable[[str], bool], error: type[BaseException] = Crashed
    ) -> None:
        self._port, self._moment, self._error = port, moment, error

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._port, name)
        if not callable(inner):
            return inner

        def call(*args: Any, **kwargs: Any) -> Any:
            if self._moment(f"before {name}"):
                raise self._error(f"before {name}")
            result = inner(*args, **kwargs)
            if self._moment(f"after {name}"):
                raise self._error(f"after {name}")
            return result

        return call


class NoCode:
    def holds(self, digest: str, path: str) -> bool | None:
        return None

    def has(self, digest: str) -> bool:
        return False

    def path(self, digest: str) -> None:
        return None

    async def put(self, digest: str, chunks: Any) -> int:
        raise AssertionError("nothing is uploaded in a simulation")


class World:
    """What survives a crash: the database and the machines. What does not: the control plane."""

    def __init__(
        self,
        folder: Path,
        nodes: str | tuple[Node, ...] = "2x8xA100",
        behave: Callable[[TaskOrder], Behaviour] = from_environment,
        policy: Policy = Policy(),  # noqa: B008 (frozen)
        *,
        all_serve: bool = True,
    ) -> None:
        self.clock = FakeClock()
        self.figures: dict[str, DiskFigure] = {}
        """What volumes took when they were last counted."""
        self.store = SqlStore.open(sqlite_at(folder / "danlu.db"))
        self.cluster = SimulatedCluster(virtual_nodes(nodes) if isinstance(nodes, str) else nodes, behave)
        self.policy, self.all_serve = policy, all_serve
        self.registry = Registry(self.store, self.clock, inventory=self.cluster.nodes)
        self.registry.seed()
        images = None if all_serve else {HOST_IMAGE}
        admission = Admission(
            self.cluster.nodes,
            NoCode(),
            self.registry,
            images,
            policy,
            Mounting(self.store, self.figures.get),
            outputs=OutputTargets(self.store, all_serve=all_serve),
        )
        self.quotas = Quotas(self.registry, self.store, self.clock)
        self.budgets = Budgets(self.registry, self.store, lambda owner: self.view.live_of(owner), self.clock)
        taken = TakenVolumes(self.store, self.clock)
        starts = Starts(self.registry, self.quotas, self.budgets, taken=taken)
        self.jobs = Jobs(self.store, admission, self.clock, CountingIds(), lambda: None, starts=starts)
        self.crashes = 0
        self.ids = CountingIds()
        self.boot()

    def boot(
        self, moment: Callable[[str], bool] = lambda _: False, error: type[BaseException] = Crashed
    ) -> None:
        """A fresh control plane on what is there."""
        engine = Crashing(SimulatedEngine(self.cluster, self.clock), moment, error)
        store: Any = Crashing(self.store, moment, error)
        full = FullVolumes(self.store, self.figures.get, self.clock)
        view = ActiveView(
            store,
            all_serve=self.all_serve,
            ties=VolumeTies(self.store, self.clock),
            inputs=InputProgress(self.store, self.clock),
            full=full,
        )
        ledger = Ledger(store, self.policy.score_time)
        self.view = view
        planner = Planner(view, self.registry, ledger, engine.inventory, self.clock, self.policy)
        mounts = MountAccess(self.store, lambda name: Caller(User(name, UserRole.ENGINEER, 0)))
        self.controller = Controller(store, engine, self.clock, planner, view, mounts=mounts)
        self.fetcher = InputFetcher(store, view, self.controller.found, 100, self.clock, self.ids)
        self.queue = Queue(self.store, view, planner, self.jobs.get, self.clock, lambda: None)

    def submit(self, name: str, **keys: Any) -> Job:
        file = {"kind": "training", "name": name, "command": "true", **keys}
        return self.jobs.create(LIN, file, start=True)

    def state(self, name: str) -> JobState:
        return self.jobs.get(LIN, name).state

    def step(self, millis: int = 0) -> None:
        """Let time pass, then one step; a crash is followed by a fresh start, a failure by the next step."""
        self.clock.advance(millis)
        try:
            self.controller.step()
        except Crashed:
            self.crashes += 1
            self.boot()
        except OSError:
            self.crashes += 1

    def steps(self, count: int, millis: int = 1_000) -> None:
        for _ in range(count):
            self.step(millis)

    def settle(self, limit: int = 200) -> None:
        """Step until nobody is active any more."""
        for _ in range(limit):
            self.step(1_000)
            view = self.controller.view
            if view.started and not view.live() and not view.queued():
                return
        raise AssertionError(f"still active: {[job.spec.name for job in self.controller.view.live()]}")
