"""Every complaint of a database that is not a mistake of ours has a word of ours."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from danlu.domain.errors import DiskFull, StoreBusy, Unavailable
from danlu.store.sql.faults import translate


class PostgresError(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("state", "ours"),
    [
        ("53100", DiskFull),
        ("40P01", StoreBusy),
        ("40001", StoreBusy),
        ("55P03", StoreBusy),
        ("25P03", StoreBusy),
        ("53300", StoreBusy),
        ("53200", Unavailable),
        ("57P01", Unavailable),
        ("08006", Unavailable),
        (None, Unavailable),
    ],
)
def test_postgresql_errors_are_translated(state, ours):
    assert type(translate(OperationalError("", {}, PostgresError(state)))) is ours


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy),
        (sqlite3.SQLITE_LOCKED, StoreBusy),
        (sqlite3.SQLITE_FULL, DiskFull),
        (sqlite3.SQLITE_IOERR_WRITE, Unavailable),
        (sqlite3.SQLITE_CANTOPEN, Unavailable),
        (sqlite3.SQLITE_CORRUPT, Unavailable),
        (sqlite3.SQLITE_READONLY, Unavailable),
    ],
)
def test_sqlite_errors_are_translated_wrapped_or_not(code, ours):
    assert type(translate(sqlite_error(code))) is ours
    assert type(translate(OperationalError("", {}, sqlite_error(code)))) is ours


def test_waiting_too_long_for_a_connection_is_busy():
    assert isinstance(translate(PoolTimeout()), StoreBusy)


def test_a_mistake_of_ours_is_not_dressed_up():
    assert translate(sqlite_error(sqlite3.SQLITE_ERROR)) is None
    assert translate(DBAPIError("", {}, PostgresError("42601"))) is None
