"""Transfers and schedules: kept as they are, edited one after the other, bounded by person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NotFound, NotLeader
from danlu.domain.people import User, UserRole
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import (
    OnExisting,
    Transfer,
    TransferEnd,
    TransferProgress,
    TransferSchedule,
    TransferState,
    TransferWish,
)
from danlu.ports.governance import AuditQuery
from tests.contracts.store.building import NOW, at_once

BY = Entry("lin", "created", "", address="10.0.0.7", means="session")
SOURCE = TransferEnd(TransferEnd.WEB, "https://example.org/x?signature=secret")
TARGET = TransferEnd(TransferEnd.VOLUME, "v1", "训练\n".encode() + b"\xff", "lin:data", folder=True)
WISH = TransferWish(OnExisting.REFUSE, "v1", ("*.png",), ("a/**",), "0" * 64, True)
ONE = Transfer("t1", "lin", SOURCE, TARGET, WISH, NOW, NOW)
PLAN = TransferSchedule("s1", "lin", SOURCE, TARGET, WISH, "@daily", "UTC", NOW, NOW, due_at=NOW + 10)


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def test_a_transfer_comes_back_as_it_was_kept(store):
    full = replace(
        ONE,
        state=TransferState.RUNNING,
        progress=TransferProgress(1, 2, 3, None, 4, 5, 6, 7),
        attempts=3,
        problem=Problem("cut_short", {"size": 3}),
        started_at=NOW,
        not_before=NOW + 1,
        cancelling=True,
        schedule="s1",
        login="sealed",
    )
    store.add_transfer(full, NOW, by=BY)
    assert store.transfer("t1") == full
    assert store.transfer("t2") is None


def test_lists_have_the_latest_first_and_go_on_after_the_last(store):
    for number, owner in enumerate(["lin", "wang", "lin", "lin"]):
        store.add_transfer(replace(ONE, id=f"t{number}", owner=owner, created_at=NOW + number), NOW, by=BY)
    assert [one.id for one in store.transfers("lin")] == ["t3", "t2", "t0"]
    assert [one.id for one in store.transfers(None, limit=2)] == ["t3", "t2"]
    assert [one.id for one in store.transfers(None, "t2", 9)] == ["t1", "t0"]
    assert [one.id for one in store.unfinished_transfers()] == ["t0", "t1", "t2", "t3"]


def test_a_person_has_no_more_unfinished_ones_than_they_may(store):
    store.add_transfer(ONE, NOW, by=BY, most=1)
    with pytest.raises(Conflict, match="1 transfers"):
        store.add_transfer(replace(ONE, id="t2"), NOW, by=BY, most=1)
    store.edit_transfer("t1", lambda one: replace(one, state=TransferState.FAILED, ended_at=NOW), NOW)
    store.add_transfer(replace(ONE, id="t2"), NOW, by=BY, most=1)


def test_edits_of_many_come_one_after_the_other(store):
    store.add_transfer(ONE, NOW, by=BY)

    def more(_: int) -> None:
        store.edit_transfer("t1", lambda one: replace(one, attempts=one.attempts + 1), NOW)

    at_once(8, more)
    assert store.transfer("t1").attempts == 8
    with pytest.raises(NotFound):
        store.edit_transfer("t9", lambda one: one, NOW)


def test_one_that_is_unfinished_is_not_removed(store):
    store.add_transfer(ONE, NOW, by=BY)
    with pytest.raises(Conflict):
        store.remove_transfer("t1", NOW, by=BY)
    store.edit_transfer("t1", lambda one: replace(one, state=TransferState.CANCELLED, ended_at=NOW), NOW)
    assert store.forget_transfers(NOW) == 0
    assert store.remove_transfer("t1", NOW, by=BY)
    assert not store.remove_transfer("t1", NOW, by=BY)


def test_old_ones_are_forgotten(store):
    store.add_transfer(replace(ONE, state=TransferState.COMPLETED, ended_at=NOW), NOW, by=BY)
    store.add_transfer(replace(ONE, id="t2"), NOW, by=BY)
    assert store.forget_transfers(NOW + 1) == 1
    assert [one.id for one in store.transfers(None)] == ["t2"]


def test_a_former_leader_writes_nothing(store):
    store.add_transfer(ONE, NOW, by=BY)
    lease = store.take_lease("a", 10_000)
    late = store.fenced(lease.epoch - 1)
    with pytest.raises(NotLeader):
        late.edit_transfer("t1", lambda one: replace(one, attempts=1), NOW)
    store.fenced(lease.epoch).edit_transfer("t1", lambda one: replace(one, attempts=1), NOW)


def test_the_audit_log_tells_no_signatures(store):
    store.add_transfer(ONE, NOW, by=BY)
    (noted,) = store.noted(AuditQuery(subject="transfer:"))
    assert noted.entry.after["source"] == "https://example.org/x"
    assert "secret" not in str(noted.entry.after)


def test_schedules_are_kept_and_due(store):
    store.add_schedule(PLAN, NOW, by=BY, most=1)
    with pytest.raises(Conflict):
        store.add_schedule(replace(PLAN, id="s2"), NOW, by=BY, most=1)
    assert store.schedule("s1") == PLAN
    assert store.schedules("wang") == []
    assert store.due_schedules(NOW) == []
    assert store.due_schedules(NOW + 10) == [PLAN]
    store.edit_schedule("s1", lambda one: replace(one, due_at=None, paused=True), NOW, by=BY)
    assert store.due_schedules(NOW + 10) == []
    assert store.remove_schedule("s1", NOW, by=BY)
    assert not store.remove_schedule("s1", NOW, by=BY)


def test_what_a_person_leaves_behind_is_cancelled(store):
    store.add_transfer(ONE, NOW, by=BY)
    store.add_schedule(PLAN, NOW, by=BY)
    store.edit_user("lin", lambda one, _: replace(one, deleted=True), NOW, by=Entry("root", "deleted", ""))
    assert store.transfer("t1").cancelling
    assert store.schedules(None) == []
