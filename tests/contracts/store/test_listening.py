"""Followers are woken by what other processes record, where the database can tell; and hear of rules."""

from __future__ import annotations

from threading import Event as Flag

import pytest
from sqlalchemy import text

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.audit import Entry
from danlu.domain.rules import Project
from danlu.store.sql import SqlStore
from tests.contracts.store.building import NOW, added, queued


class Bell:
    def __init__(self) -> None:
        self.rung = Flag()

    def ring(self) -> None:
        self.rung.set()

    def rings(self, seconds: float = 10) -> bool:
        found = self.rung.wait(seconds)
        self.rung.clear()
        return found


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
def heard(store: SqlStore, open_store, bell: Bell) -> SqlStore:
    """Another process that listens, once it does."""
    listener: SqlStore = open_store()
    listener.listen(bell.ring)
    if not store._database.sqlite:
        assert bell.rings()
    return listener


def test_whoever_listens_is_woken_by_what_others_record(store, heard, bell):
    writes = (
        lambda: added(store),
        lambda: queued(store, added(store)),
        lambda: store.record(ev.SignedIn("lin", "password"), NOW, actor="lin"),
        lambda: store.edit_rules(lambda known: (*known, Project("vision")), NOW, by=Entry("lin", "", "")),
    )
    for write in writes:
        write()
        assert store._database.sqlite or bell.rings()


def test_nobody_is_woken_by_their_own_writes_or_by_what_is_no_event(store, heard, bell):
    job = queued(heard, added(heard))
    store.set_waiting({job.id: why.ProjectClosed("vision")})
    store.keep_nodes([])
    if not store._database.sqlite:  # notices keep their order: this one would come after any other
        store.record(ev.SignedIn("lin", "password"), NOW, actor="lin")
        assert bell.rings()
    assert not bell.rung.is_set()


def test_several_may_listen(store, heard, bell):
    other = Bell()
    heard.listen(other.ring)
    added(store)

    assert store._database.sqlite or (bell.rings() and other.rings())


def test_whoever_lost_their_connection_listens_again_and_looks(store, heard, bell):
    if not store._database.sqlite:
        with store._database.apart() as connection:
            ended = connection.execute(
                text(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                )
            )
            assert ended.scalar() == 1
        assert bell.rings()
    added(store)

    assert store._database.sqlite or bell.rings()


def test_one_that_fails_to_be_woken_does_not_keep_the_others_asleep(store, heard, caplog):
    def fails() -> None:
        raise RuntimeError("asleep")

    other = Bell()
    heard.listen(fails)
    heard.listen(other.ring)
    added(store)

    assert store._database.sqlite or other.rings()


def test_followers_hear_whether_rules_changed(store):
    added(store)
    assert store.active().ruled, "whoever begins knows no rules yet"
    seq = store.latest_seq()
    added(store)
    store.record(ev.SignedIn("lin", "password"), NOW, actor="lin")
    assert not store.changes(seq).ruled

    store.edit_rules(lambda known: (*known, Project("vision")), NOW, by=Entry("lin", "", ""))
    added(store)
    changes = store.changes(seq)
    assert changes.ruled
    assert len(changes.jobs) == 2
    assert not store.changes(changes.seq).ruled
