"""A data directory with the whole organisation in it, and the real server on it."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.govern.history import fill_audit, fill_hours
from bench.govern.jobs import fill_jobs
from bench.govern.people import fill_people, fill_requests
from bench.govern.size import Size, user
from danlu.bootstrap.first import newcomer
from danlu.bootstrap.parts import Parts
from danlu.control.rules.registry import Registry
from danlu.domain.permissions import Caller
from danlu.files.settings import Settings
from danlu.store.sql import SqlStore
from tests.live import LiveServer, eventually
from tests.postgres import start_server

ENGINEER = user(1)
_TOKENS = "tokens.json"
_PATIENCE_S = 300.0


@dataclass(frozen=True)
class Ground:
    """Where everything is; `database` None is the file in the data directory. A token for each of the two who ask."""

    root: Path
    size: Size
    database: str | None

    def fill(self) -> None:
        """Once: what is there already is used as it is."""
        if (self.root / _TOKENS).exists():
            return
        self.root.mkdir(parents=True, exist_ok=True)
        settings = Settings(data=self.root / "data", database=self.database, engine="none")
        parts = Parts(settings, shared=False)
        store, now = parts.store, time.time_ns() // 1_000_000
        Registry(store, parts.clock, tuple, tuple).seed(("public",))
        admin = newcomer(parts)
        assert admin is not None
        for fill in (fill_people, fill_requests, fill_hours, fill_audit, fill_jobs):
            began = time.monotonic()
            fill(store, self.size, now)
            print(f"  {fill.__name__}: {time.monotonic() - began:.0f} s", flush=True)
        engineer = store.user(ENGINEER)
        assert engineer is not None
        tokens = {one.name: parts.people.make_token(Caller(one), "bench")[0] for one in (admin, engineer)}
        parts.close()
        (self.root / _TOKENS).write_text(json.dumps(tokens))

    def token(self, name: str) -> str:
        return str(json.loads((self.root / _TOKENS).read_text())[name])

    @contextmanager
    def server(self) -> Iterator[LiveServer]:
        """`danlu up` with simulated nodes, once everything that was placed runs. What runs is not made to give way."""
        options = ["--engine", "simulated", "--virtual-nodes", self.size.virtual_nodes]
        options += ["--database", self.database] if self.database else []
        live = LiveServer(self.root, *options, DANLU_MINIMUM_RUN_TIME="365d")
        live.start()
        try:
            with live.client() as client:
                eventually(
                    lambda: (
                        client.http.json("GET", "/api/v1/resources")["jobs"]["running"] >= self.size.nodes
                    ),
                    _PATIENCE_S,
                )
                eventually(lambda: _all_run(client.http.json), _PATIENCE_S)
            yield live
        finally:
            live.interrupt()

    @contextmanager
    def store(self) -> Iterator[SqlStore]:
        opened = SqlStore.open(self.database or f"sqlite:///{self.root / 'data' / 'danlu.db'}")
        try:
            yield opened
        finally:
            opened.close()


def _all_run(ask: Callable[..., dict[str, int]]) -> bool:
    return ask("GET", "/api/v1/jobs", {"state": "starting", "limit": 1})["total"] == 0


@contextmanager
def ground(size: Size, database: str, kept: Path | None) -> Iterator[Ground]:
    """A filled one. In `kept` it stays for the next time, untouched: a copy is used, since simulated nodes forget what
    runs there with their server (SQLite only; a PostgreSQL server ends with the bench)."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "ground"
        if database == "sqlite":
            if kept is not None:
                Ground(kept, size, None).fill()
                shutil.copytree(kept, root)
            yield from _filled(Ground(root, size, None))
            return
        postgres = start_server()
        try:
            yield from _filled(Ground(root, size, postgres.url(postgres.create())))
        finally:
            postgres.stop()
            shutil.rmtree(postgres.place, ignore_errors=True)


def _filled(made: Ground) -> Iterator[Ground]:
    made.fill()
    yield made
