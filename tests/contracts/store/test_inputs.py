"""Inputs of jobs: one transfer for each, joined by all who want the same, and gone when nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.errors import Conflict, NotLeader
from danlu.domain.people import User, UserRole
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import (
    ForJob,
    OnExisting,
    Transfer,
    TransferEnd,
    TransferState,
    TransferWish,
)
from tests.contracts.store.building import NOW, added, at_once

SOURCE = TransferEnd(TransferEnd.WEB, "https://example.org/x")
TARGET = TransferEnd(TransferEnd.VOLUME, "v1", b"in", "lin:data", folder=True)
S = TransferState


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def made(number: int, **keys) -> Transfer:
    job = ForJob(f"j{number}", f"job#{number}")
    one = Transfer(f"t{number}", "lin", SOURCE, TARGET, TransferWish(), NOW, NOW, for_job=job)
    return replace(one, **keys)


def begin(store, job: str, transfer: Transfer, place: int = 0, since: int = NOW, most: int = 9) -> Transfer:
    found: Transfer = store.begin_input(job, place, since, transfer, NOW, most)
    return found


def over(store, transfer: str, state: TransferState, **keys) -> None:
    store.edit_transfer(transfer, lambda one: replace(one, state=state, ended_at=NOW, **keys), NOW)


def test_what_was_begun_is_there_with_its_link(store):
    assert begin(store, "j1", made(1)) == made(1)
    (link,) = store.open_inputs()
    assert (link.job_id, link.place, link.since, link.released) == ("j1", 0, NOW, False)
    assert link.transfer == store.transfer("t1") == made(1)
    assert store.inputs_of("j1") == (link,)
    assert store.inputs_of("j2") == ()


def test_beginning_again_changes_nothing_whatever_became_of_it(store):
    begin(store, "j1", made(1))
    assert begin(store, "j1", made(2)).id == "t1"
    over(store, "t1", S.FAILED, problem=Problem("nothing_there"))
    assert begin(store, "j1", made(3)).state is S.FAILED
    assert [one.id for one in store.transfers(None)] == ["t1"]


def test_many_at_once_make_one(store):
    at_once(8, lambda number: begin(store, f"j{number}", made(number)))
    assert len(store.unfinished_transfers()) == 1
    assert len(store.open_inputs()) == 8


@pytest.mark.parametrize(
    "other",
    [
        {"owner": "wang"},
        {"source": TransferEnd(TransferEnd.WEB, "https://example.org/y")},
        {"target": replace(TARGET, path=b"out")},
        {"target": replace(TARGET, folder=False)},
        {"wish": TransferWish(OnExisting.OVERWRITE)},
        {"wish": TransferWish(unpack=True)},
    ],
)
def test_what_is_not_quite_the_same_is_not_joined(store, other):
    begin(store, "j1", made(1))
    assert begin(store, "j2", made(2, **other)).id == "t2"


def test_one_that_a_person_began_is_joined_and_stays_theirs(store):
    store.add_transfer(made(1, for_job=None, login="sealed"), NOW, by=None)
    assert begin(store, "j1", made(2)).id == "t1"
    assert not store.release_input("j1", 0, NOW)
    assert store.transfer("t1").state is S.QUEUED


def test_one_that_is_being_cancelled_is_not_joined(store):
    store.add_transfer(made(1, state=S.RUNNING, cancelling=True), NOW, by=None)
    assert begin(store, "j1", made(2)).id == "t2"


def test_the_next_stay_in_the_queue_goes_on_with_one_that_failed_and_looks_anew_after_one_that_did_not(store):
    begin(store, "j1", made(1))
    over(store, "t1", S.FAILED, problem=Problem("nothing_there"), attempts=3)
    again = begin(store, "j1", made(2), since=NOW + 1)
    assert (again.id, again.state, again.problem, again.attempts) == ("t1", S.QUEUED, None, 0)
    over(store, "t1", S.COMPLETED)
    assert begin(store, "j1", made(3), since=NOW + 2).id == "t3"
    assert [link.transfer_id for link in store.inputs_of("j1")] == ["t3"]


def test_one_that_still_runs_serves_the_next_stay_too(store):
    begin(store, "j1", made(1))
    assert begin(store, "j1", made(2), since=NOW + 1).id == "t1"
    assert [link.since for link in store.open_inputs()] == [NOW + 1]


def test_another_wish_at_the_same_place_gives_up_the_one_before(store):
    begin(store, "j1", made(1))
    begin(store, "j2", made(2, target=replace(TARGET, path=b"other")))
    begin(store, "j1", made(3, wish=TransferWish(unpack=True)))
    states = {one.id: one.state for one in store.transfers(None)}
    assert states == {"t1": S.CANCELLED, "t2": S.QUEUED, "t3": S.QUEUED}


def test_only_what_nobody_waits_for_is_cancelled(store):
    begin(store, "j1", made(1))
    begin(store, "j2", made(2))
    assert not store.release_input("j1", 0, NOW)
    assert store.transfer("t1").state is S.QUEUED
    assert store.release_input("j2", 0, NOW)
    assert store.transfer("t1").state is S.CANCELLED
    assert not store.release_input("j2", 0, NOW)
    assert store.open_inputs() == ()
    assert [link.released for link in store.inputs_of("j2")] == [True]


def test_one_that_runs_is_told_to_end(store):
    begin(store, "j1", made(1))
    store.edit_transfer("t1", lambda one: replace(one, state=S.RUNNING), NOW)
    assert store.release_input("j1", 0, NOW)
    found = store.transfer("t1")
    assert (found.state, found.cancelling) == (S.RUNNING, True)


def test_what_is_complete_stays_so_and_is_still_shown(store):
    begin(store, "j1", made(1))
    over(store, "t1", S.COMPLETED)
    assert not store.release_input("j1", 0, NOW)
    assert store.inputs_of("j1")[0].transfer.state is S.COMPLETED
    store.forget_transfers(NOW + 1)
    assert store.inputs_of("j1")[0].transfer is None


def test_a_person_has_no_more_unfinished_ones_than_they_may(store):
    begin(store, "j1", made(1), most=1)
    with pytest.raises(Conflict):
        begin(store, "j2", made(2, wish=TransferWish(unpack=True)), most=1)
    assert begin(store, "j3", made(3), most=1).id == "t1"
    assert [link.job_id for link in store.open_inputs()] == ["j1", "j3"]


def test_links_of_jobs_that_are_gone_are_forgotten_once_nobody_waits_for_them(store):
    job = added(store)
    begin(store, job.id, made(1))
    begin(store, "gone", made(2))
    assert store.forget_inputs() == 0
    for job_id in (job.id, "gone"):
        store.release_input(job_id, 0, NOW)
    assert store.forget_inputs() == 1
    assert store.inputs_of("gone") == ()
    assert len(store.inputs_of(job.id)) == 1


def test_a_former_leader_begins_and_gives_up_nothing(store):
    lease = store.take_lease("a", 10_000)
    begin(store, "j1", made(1))
    former = store.fenced(lease.epoch - 1)
    with pytest.raises(NotLeader):
        begin(former, "j2", made(2))
    with pytest.raises(NotLeader):
        former.release_input("j1", 0, NOW)
    assert len(store.open_inputs()) == 1
