"""PostgreSQL ends the transaction of a process that stands still, also in the middle of many rows."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text

from danlu.store.sql.database import Database
from danlu.store.sql.one_by_one import OneByOne
from tests.live import eventually

OPTIONS = "-c idle_in_transaction_session_timeout=200"


def test_a_writer_that_stands_still_between_two_rows_is_ended(postgres_url: str) -> None:
    url = postgres_url.replace("postgresql+psycopg", "postgresql")
    with (
        psycopg.connect(url, autocommit=True) as witness,
        psycopg.connect(url, cursor_factory=OneByOne, options=OPTIONS) as connection,
    ):
        witness.execute("CREATE TABLE rows (number int)")
        there = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"

        def rows() -> Iterator[tuple[int]]:
            yield (1,)
            eventually(lambda: witness.execute(there, [connection.info.backend_pid]).fetchone() == (0,))
            yield (2,)

        with pytest.raises(psycopg.Error, match="idle-in-transaction"):
            connection.cursor().executemany("INSERT INTO rows VALUES (%s)", rows())
        assert witness.execute("SELECT count(*) FROM rows").fetchone() == (0,)


def test_many_rows_are_counted_together(postgres_url: str) -> None:
    url = postgres_url.replace("postgresql+psycopg", "postgresql")
    with psycopg.connect(url, cursor_factory=OneByOne) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE rows (number int)")
        cursor.executemany("INSERT INTO rows VALUES (%s)", [(1,), (2,), (2,)])
        assert cursor.rowcount == 3
        cursor.executemany("DELETE FROM rows WHERE number = %s", [(2,), (3,)])
        assert cursor.rowcount == 2
        assert cursor.execute("SELECT * FROM rows").rowcount == 1


def test_a_reader_may_stand_still_much_longer_than_a_writer(postgres_url: str) -> None:
    asked = text(
        "SELECT extract(epoch FROM current_setting('idle_in_transaction_session_timeout')::interval)"
    )
    database = Database(postgres_url, 10)
    try:
        for orderly in (True, False):
            with database.writing(orderly=orderly) as connection:
                assert connection.execute(asked).scalar() == 3
        with database.reading() as connection:
            assert connection.execute(asked).scalar() == 60
    finally:
        database.close()
