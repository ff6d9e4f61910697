"""Servers and controllers as real processes on one PostgreSQL and one data directory.

Every process signs in to the database under a name of its own, and triggers write down who wrote what in which epoch:
the database is the judge, not our own records."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from danlu.bootstrap.clock import RandomIds, SystemClock
from danlu.control.people.passwords import Passwords
from danlu.control.people.sign_in import Authentication
from danlu.domain.permissions import Caller
from danlu.ports import supervision
from danlu.sdk import Client
from danlu.store.sql import SqlStore
from tests.live import PATIENCE, eventually

COMMAND = (sys.executable, "-m", "danlu.cli.main")
_WITNESS = """
CREATE TABLE witness (number bigserial, who text, what text, epoch bigint);
CREATE FUNCTION witness_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO witness (who, what, epoch)
    VALUES (session_user, TG_TABLE_NAME, (SELECT epoch FROM leases WHERE name = 'control'));
  RETURN NULL;
END $$;
CREATE TRIGGER witness_jobs AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION witness_write();
CREATE TRIGGER witness_events AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION witness_write();
CREATE TRIGGER witness_ledger AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION witness_write();
CREATE TRIGGER witness_nodes AFTER INSERT OR UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION witness_write();
CREATE TRIGGER witness_leases AFTER INSERT OR UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION witness_write();
"""


@dataclass
class Half:
    """One process; `who` is its name in the database."""

    who: str
    process: subprocess.Popen[bytes]
    log: Path
    url: str = ""

    def said(self) -> str:
        return self.log.read_text()

    def readiness(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/readyz", timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def leads(self) -> bool:
        return bool(self.readiness()["leader"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=PATIENCE)


@dataclass
class Halves:
    """The data directory, the database, and whoever runs on them."""

    root: Path
    database: str
    running: list[Half] = field(default_factory=list)
    _clients: list[Client] = field(default_factory=list)

    def prepare(self) -> None:
        SqlStore.open(self.database).close()
        with self._connected() as connection:
            connection.execute(_WITNESS.encode())

    def server(self, who: str, *options: str) -> Half:
        half = self._start(who, ("server", "--port", "0", *options))
        half.url = self._await(half, r"server is ready at (\S+)")
        return half

    def controller(self, who: str, *options: str) -> Half:
        options = options or ("--virtual-nodes", "2x8xA100")
        half = self._start(who, ("controller", "--controller-port", "0", *options))
        half.url = self._await(half, r"health\s+(\S+)/readyz")
        return half

    def client(self, server: Half) -> Client:
        client = Client(url=server.url, token=self.token())
        self._clients.append(client)
        return client

    def cli(self, server: Half, *args: str) -> subprocess.CompletedProcess[str]:
        """A command of the administrator's at this server."""
        env = {**self._env(), "DANLU_URL": server.url, "DANLU_TOKEN": self.token()}
        return subprocess.run(
            [*COMMAND, *args],
            env=env,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def leader(self) -> Half:
        """The one that says it leads, once it does."""
        return eventually(lambda: next((half for half in self.controllers() if half.leads()), None))  # type: ignore[no-any-return]

    def controllers(self) -> list[Half]:
        return [half for half in self.running if half.process.poll() is None and "controller" in half.who]

    def starts(self, name: str) -> int:
        """How often a job that leaves a mark was really started."""
        return len((self.root / "data" / "volumes" / "admin" / name).read_text().splitlines())

    def epoch(self) -> int:
        with self._connected() as connection:
            return int(connection.execute("SELECT epoch FROM leases").fetchone()[0])  # type: ignore[index]

    def latest_event(self) -> int:
        with self._connected() as connection:
            return int(connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])  # type: ignore[index]

    def assert_only_leaders_wrote(self) -> None:
        """Whatever a controller wrote it wrote in an epoch of its own, by the word of the database."""
        with self._connected() as connection:
            rows = connection.execute("SELECT who, what, epoch FROM witness ORDER BY number").fetchall()
        led: dict[int, str] = {}
        for who, what, epoch in rows:
            if what == "leases":
                assert led.setdefault(epoch, who) == who, f"{who} touched the lease of {led[epoch]}"
            elif "controller" in who:
                assert led[epoch] == who, f"{who} wrote {what} while {led[epoch]} led epoch {epoch}"
        wrote = {who for who, what, _ in rows if what == "jobs"}
        assert wrote & set(led.values()), "nobody wrote anything; there was nothing to judge"

    def clean_up(self) -> None:
        for client in self._clients:
            client.close()
        for half in self.running:
            if half.process.poll() is None:
                half.go_on()
                half.process.terminate()
        for half in self.running:
            try:
                half.process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                half.kill()
        runs = self.root / "data" / "runs"
        for task in runs.glob("*/*/"):
            supervision.request_stop(str(task), 0, "test over")
        with contextlib.suppress(OSError):
            supervision.ask_launcher(str(runs), {"quit": True})

    def _start(
        self,
        who: str,
        command: Sequence[str],
        *,
        inside: Callable[[Sequence[str]], Sequence[str]] = list,
        database: str | None = None,
    ) -> Half:
        """Run a half; `inside` tells how to run a command elsewhere, `database` another way to the database."""
        with self._connected() as connection:
            connection.execute(f"DROP ROLE IF EXISTS {who}".encode())
            connection.execute(f"CREATE ROLE {who} SUPERUSER LOGIN".encode())
        address = (database or self.database).replace("danlu@", f"{who}@")
        env = {**self._env(), "DANLU_DATABASE": address, "DANLU_DATA": str(self.root / "data")}
        log = self.root / f"{who}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                inside([*COMMAND, *command]), env=env, stdout=output, stderr=subprocess.STDOUT
            )
        half = Half(who, process, log)
        self.running.append(half)
        return half

    def _env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DANLU_")}
        return {**kept, "DANLU_CONFIG_DIR": str(self.root / "config"), "NO_COLOR": "1"}

    def _await(self, half: Half, pattern: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while True:
            said = half.said()
            if "Ctrl-C stops" in said:
                return re.search(pattern, said)[1]  # type: ignore[index]
            assert half.process.poll() is None, f"{half.who} ended:\n{said}"
            assert time.monotonic() < deadline, f"{half.who} did not get ready:\n{said}"
            time.sleep(0.05)

    def token(self) -> str:
        """A new one of the first administrator's."""
        store, clock = SqlStore.open(self.database), SystemClock()
        try:
            admin = store.user("admin")
            assert admin is not None
            return Authentication(store, Passwords(), clock, RandomIds(clock)).make_token(
                Caller(admin), f"test {secrets.token_hex(4)}"
            )[0]
        finally:
            store.close()

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.database.replace("postgresql+psycopg", "postgresql"), autocommit=True)


@contextlib.contextmanager
def halves(root: Path, database: str) -> Iterator[Halves]:
    them = Halves(root, database)
    try:
        them.prepare()
        yield them
    finally:
        them.clean_up()
