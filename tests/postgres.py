"""A PostgreSQL server of our own, from Debian's programs: on a socket in a temporary directory, and nowhere else.

A pytest plugin: `postgres` is the server, one per test run; `postgres_url` a fresh, empty database.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest

_INSTALL = "PostgreSQL's programs are missing: apt-get install -y postgresql"
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "60",
}


@dataclass
class PostgresServer:
    """A running server; databases are cheap copies of a template."""

    place: Path
    process: subprocess.Popen[bytes]
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://danlu@/{database}?host={self.place}"

    def create(self, template: str = "template1") -> str:
        """A fresh database; returns its name."""
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _run(self, statement: str) -> None:
        with psycopg.connect(
            host=str(self.place), user="danlu", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement.encode())


def start_server() -> PostgresServer:
    """Make and start a server in a new temporary directory; the caller stops it and removes the directory."""
    programs = _programs()
    place = Path(tempfile.mkdtemp(prefix="danlu-pg-"))
    account = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    if account:
        os.chown(place, pwd.getpwnam(account).pw_uid, -1)
    data = place / "data"
    # fmt: off
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "danlu", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8"],
        check=True, capture_output=True, user=account, cwd=place,
    )
    # fmt: on
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", place, *settings],
            stdout=log,
            stderr=log,
            user=account,
            cwd=place,
        )
    server = PostgresServer(place, process)
    try:
        _wait_until_it_answers(server)
    except BaseException:
        server.stop()
        raise
    return server


def _programs() -> Path:
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(path.parts[-3].partition(".")[0]),
    )
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        pytest.fail(_INSTALL)
    return found[-1].parent if found else Path(str(on_path)).parent


def _wait_until_it_answers(server: PostgresServer) -> None:
    deadline = time.monotonic() + 100
    while True:
        try:
            server._run("SELECT 1")
            return
        except psycopg.OperationalError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.process.wait(0.02)
            if server.process.returncode is not None or time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start:\n{(server.place / 'log').read_text()}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = start_server()
    yield server
    server.stop()
    shutil.rmtree(server.place, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)
