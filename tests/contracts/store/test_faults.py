"""When the database cannot: said in Danlu's words, and nothing is half written."""

from __future__ import annotations

import pytest

from danlu.domain.errors import StoreBusy
from danlu.domain.people import Session
from danlu.ports.store import JobQuery
from tests.contracts.store.building import NOW, added


def test_a_database_that_stays_locked_is_busy_and_readable(store, open_store):
    """The lock is another connection's, as another process would hold it."""
    job = added(store)
    impatient = open_store(busy_timeout=0.2)
    with store._database.writing(orderly=True):
        with pytest.raises(StoreBusy, match="locked"):
            added(impatient)
        assert impatient.get(job.id) == job

    added(impatient)
    assert store.page(JobQuery()).total == 2


def test_an_error_never_shows_what_was_written(store):
    session = Session("secret-hash", "lin", "forgery-word", NOW, NOW + 1, "s1", NOW)
    store.add_session(session)

    with pytest.raises(Exception, match=r"secret_hash|sessions_pkey") as refusal:
        store.add_session(session)

    assert "forgery-word" not in str(refusal.value)


def test_an_interrupted_write_leaves_nothing(store):
    job = added(store)

    def interrupted():
        with store._database.writing(orderly=True) as connection:
            connection.exec_driver_sql("DELETE FROM jobs")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert store.get(job.id) == job
    assert added(store).version == 1


def test_a_lost_connection_is_found_again(store, open_store, url):
    job = added(store)
    if url.startswith("postgresql"):  # SQLite's is a file
        with open_store()._database.reading() as connection:
            others = "application_name = 'danlu' AND datname = current_database() AND pid <> pg_backend_pid()"
            ended = connection.exec_driver_sql(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
            ).all()
            assert ended

    assert store.get(job.id) == job
    added(store)
