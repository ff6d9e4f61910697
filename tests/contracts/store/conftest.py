"""One suite for every store: each test runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from danlu.store.sql import SqlStore
from danlu.store.sql.schema import metadata
from tests.databases import sqlite_at
from tests.postgres import PostgresServer, postgres

__all__ = ["postgres"]

OpenStore = Callable[..., SqlStore]


@pytest.fixture(scope="session")
def prepared(postgres: PostgresServer) -> str:
    """A database with the tables in it, emptied for every test: much faster than one for each."""
    url = postgres.url(postgres.create())
    SqlStore.open(url).close()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_at(tmp_path / "danlu.db")
    prepared: str = request.getfixturevalue("prepared")
    engine = create_engine(prepared)
    tables = ", ".join(metadata.tables)
    with engine.begin() as connection:
        # The audit log does not let itself be emptied; only whoever rules the database may say otherwise.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))
    engine.dispose()
    return prepared


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where there is nothing yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'danlu.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create()
    yield server.url(name)
    server.drop(name)


@pytest.fixture
def open_store(url: str) -> Iterator[OpenStore]:
    """Opens the test's database once more, as another process would."""
    with ExitStack() as stack:

        def open_(busy_timeout: float = 5.0) -> SqlStore:
            store = SqlStore.open(url, busy_timeout=busy_timeout)
            stack.callback(store.close)
            return store

        yield open_


@pytest.fixture
def store(open_store: OpenStore) -> SqlStore:
    return open_store()
