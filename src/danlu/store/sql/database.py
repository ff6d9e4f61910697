"""Connections and transactions: many readers, one writer at a time, order of events = order of commits."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    NullPool,
    QueuePool,
    bindparam,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from danlu.domain.errors import StoreBusy, Unavailable
from danlu.domain.words import Words, say
from danlu.store.sql.faults import translate

# Any number works, as long as every Danlu uses the same.
_APPEND_LOCK = 0x64616E6C75
_STANDSTILL_S = 3
"""How long a writer may be idle: a paused process must not block all others. Others wait longer than this."""
_READING_S = 60
"""How long a reader may be: it blocks nobody, and a process on a busy machine may stand still for seconds."""
_SHORT = func.set_config("idle_in_transaction_session_timeout", f"{_STANDSTILL_S}s", True)
_BOUND = select(_SHORT)
_LOCK = func.pg_advisory_xact_lock(_APPEND_LOCK)
CHANNEL = "danlu_events"
# All in one statement, to save round trips; delivered if and when the transaction commits.
_BOUND_AND_LOCK = select(_SHORT, _LOCK)
_BOUND_LOCK_AND_TELL = select(_SHORT, _LOCK, func.pg_notify(CHANNEL, bindparam("by")))

_WRITER_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    # Fewer, larger checkpoints: pages that are written repeatedly are copied only once.
    "PRAGMA wal_autocheckpoint=4000",
)


class Database:
    """A database of either kind. Readers see one consistent moment and are never blocked by writers."""

    def __init__(self, url: str, busy_timeout: float, now: Callable[[], int] | None = None) -> None:
        self.url = _parse(url)
        self.now = now or _machine_time
        self.mark = secrets.token_hex(8)  # by which this process knows its own notices
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._timeout = busy_timeout
        self._write_lock = Lock()
        self._writing: Connection | None = None
        if self.sqlite:
            _create_private(self.url)
            self._reader = _sqlite_engine(self.url, busy_timeout, readers=True)
            self._writer = _sqlite_engine(self.url, busy_timeout, readers=False)
        else:
            self._writer = _postgresql_engine(self.url, busy_timeout)
            self._reader = self._writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    def configure(self, **options: Any) -> None:
        """Set what writers find in the execution options of their connection."""
        self._writer.update_execution_options(**options)
        if self._writing is not None:
            self._writing.close()
            self._writing = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with _our_errors(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, *, orderly: bool = False, telling: bool = True) -> Iterator[Connection]:
        """One transaction, committed at the end of the block. `orderly` ones, which touch jobs or events, commit one
        after the other across all processes: a reader of event n has seen all earlier ones. Listeners are notified,
        unless nothing was recorded."""
        if not self.sqlite:
            with _our_errors(), self._writer.begin() as connection:
                if orderly and telling:
                    connection.execute(_BOUND_LOCK_AND_TELL, {"by": self.mark})
                else:
                    connection.execute(_BOUND_AND_LOCK if orderly else _BOUND)
                yield connection
            return
        if not self._write_lock.acquire(timeout=self._timeout):
            raise StoreBusy(
                Words(
                    "Other processes are writing to the database; try again shortly",
                    "数据库正被他人写入，请稍后重试",
                )
            )
        try:
            with _our_errors(), self._only_writer().begin():
                yield self._only_writer()
        finally:
            self._write_lock.release()

    def _only_writer(self) -> Connection:
        """SQLite's writer keeps its connection: fetching one from the pool costs as much as a statement."""
        if self._writing is None or self._writing.invalidated:
            self._writing = self._writer.connect()
        return self._writing

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """One transaction for changes of the schema, with nobody else writing."""
        if self.sqlite:
            engine = _sqlite_engine(self.url, self._timeout, readers=False, foreign_keys=False)
        else:
            engine = create_engine(self.url, poolclass=NullPool, hide_parameters=True)
        try:
            with _our_errors(), engine.begin() as connection:
                if not self.sqlite:
                    connection.execute(select(_LOCK))
                yield connection
        finally:
            engine.dispose()

    def apart(self) -> Connection:
        """A dedicated session on PostgreSQL, outside the pool and without a transaction; the caller closes it."""
        engine = create_engine(
            self.url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args=_connecting(self._timeout),
        )
        return engine.connect()

    def close(self) -> None:
        if self._writing is not None:
            self._writing.close()
        self._reader.dispose()
        self._writer.dispose()


@contextmanager
def _our_errors() -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        ours = translate(error)
        if ours is None:
            raise
        raise ours from error


def _parse(url: str) -> URL:
    expected = Words(
        "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME",
        "应为 sqlite:///FILE 或 postgresql://USER:PASSWORD@HOST/NAME",
    )
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise Unavailable(
            say(
                "The database URL is not valid; {expected}",
                "无法识别数据库地址；{expected}",
                expected=expected,
            )
        ) from None
    backend = parsed.get_backend_name()
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if backend == "sqlite" and parsed.database and parsed.database != ":memory:":
        return parsed
    raise Unavailable(
        say(
            "{address} is not a database that Danlu can use; {expected}",
            "丹炉无法使用数据库 {address}；{expected}",
            address=parsed.render_as_string(hide_password=True),
            expected=expected,
        )
    )


def _create_private(url: URL) -> None:
    """SQLite gives its other files the mode of the first, so that only the owner can read password hashes."""
    path = str(url.database)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(
            say(
                "The database {path} cannot be opened: {strerror}",
                "无法打开数据库 {path}：{strerror}",
                path=path,
                strerror=error.strerror,
            )
        ) from error


def _sqlite_engine(url: URL, timeout: float, *, readers: bool, foreign_keys: bool = True) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=4 if readers else 1,
        max_overflow=4 if readers else 0,
        pool_timeout=timeout,
        # Without an isolation level the driver leaves transactions to the statements below.
        connect_args={"timeout": timeout, "isolation_level": None, "check_same_thread": False},
    )
    begin = "BEGIN" if readers else "BEGIN IMMEDIATE"
    pragmas = (
        f"PRAGMA cache_size={-4_000 if readers else -8_000}",
        f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}",
        *(["PRAGMA query_only=ON"] if readers else [*_WRITER_PRAGMAS]),
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # Through the driver alone: this runs in every transaction.
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute(begin)

    return engine


def _postgresql_engine(url: URL, timeout: float) -> Engine:
    from danlu.store.sql.one_by_one import OneByOne  # loads the driver, which SQLite does without

    waits = {"lock_timeout": timeout, "idle_in_transaction_session_timeout": _READING_S}
    options = " ".join(f"-c {name}={round(seconds * 1000)}" for name, seconds in waits.items())
    return create_engine(
        url,
        hide_parameters=True,
        pool_size=4,
        max_overflow=4,
        pool_timeout=timeout,
        pool_pre_ping=True,
        connect_args={**_connecting(timeout), "options": options, "cursor_factory": OneByOne},
    )


def _connecting(timeout: float) -> dict[str, Any]:
    """How to connect, and to notice within seconds that the other side is gone."""
    return {
        "connect_timeout": max(2, round(timeout)),
        "application_name": "danlu",
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }


def _machine_time() -> int:
    return time.time_ns() // 1_000_000
