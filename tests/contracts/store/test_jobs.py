"""Jobs are kept whole, changed under guard, and removed without a trace but their events."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.errors import KeyReused, Stale
from danlu.domain.job import ClonedFrom, Code, JobState, Remedy, Task, Trouble, Turn
from danlu.domain.resources import GpuGrant
from danlu.ports.store import Gate, JobChange, JobQuery, Store
from danlu.store.sql import SqlStore
from tests.contracts.store.building import (
    NOW,
    added,
    at_once,
    completed,
    creation,
    new_job,
    placed,
    queued,
    step,
)


def edit(job, name):
    newer = replace(job, spec=replace(job.spec, name=name), spec_version=job.spec_version + 1)
    return JobChange(newer, (ev.JobEdited("lin", newer.spec_version),), "lin")


def removal(job):
    return JobChange(job, (ev.JobDeleted("lin"),), "lin")


def test_the_sql_store_is_a_store(store: SqlStore):
    checked: Store = store
    checked.ready()


def test_a_job_comes_back_as_it_was_added(store):
    job = new_job(
        description="多行\n文字",
        code=Code(git="https://example.org/x.git", ref="main"),
        env={"LR": "0.1"},
        node_selector={"rack": "7"},
        on={Trouble.NODE_LOST: Remedy.REQUEUE},
        max_time=3_600_000,
    )

    assert store.add(creation(job)) == job
    assert store.get(job.id) == job
    assert store.find("lin", job.spec.name) == job


def test_a_clone_keeps_its_source_whatever_becomes_of_either(store):
    source = added(store, "first")
    clone = store.add(creation(replace(new_job("second"), cloned_from=ClonedFrom(source.id, "first"))))
    store.remove(JobChange(source, (ev.JobDeleted("lin"),), "lin"), NOW)
    (clone,) = store.save([edit(clone, "third")], NOW)
    clone = completed(store, clone)

    assert clone.cloned_from == ClonedFrom(source.id, "first")
    assert store.get(clone.id) == clone


def test_what_is_not_there_is_none(store):
    assert store.get("nothing") is None
    assert store.find("lin", "nothing") is None
    assert store.attempts("nothing") == ()
    assert store.waiting("nothing") is None


# ── runs of one name ─────────────────────────────────────────────────────────────────────────────────


def test_a_name_counts_its_jobs_for_each_owner(store):
    first, second = added(store, "same"), added(store, "same")
    other = added(store, "same", owner="wang")

    assert [job.run for job in (first, second, other)] == [1, 2, 1]
    assert store.get(second.id) == second
    assert store.find("lin", "same") == second
    assert store.find("lin", "same", 1) == replace(first, numbered=True)
    assert store.find("lin", "same", 3) is None
    assert [row.id for row in store.runs("lin", "same", 10)] == [second.id, first.id]
    assert [row.run for row in store.runs("lin", "same", 1)] == [2]


def test_no_number_is_given_twice_while_a_name_has_a_job(store):
    first, second = added(store, "same"), added(store, "same")
    store.remove(removal(second), NOW)
    assert (store.last_run("lin", "same"), store.find("lin", "same")) == (2, replace(first, numbered=True))
    third = added(store, "same")
    assert third.run == 3

    for job in (first, third):
        store.remove(removal(job), NOW)
    assert store.last_run("lin", "same") == 0
    assert added(store, "same").run == 1


def test_a_renamed_job_is_the_next_run_of_its_new_name(store):
    added(store, "first")
    second = added(store, "second")

    (renamed,) = store.save([edit(second, "first")], NOW)

    assert renamed.run == 2
    assert store.get(second.id) == renamed
    assert store.last_run("lin", "second") == 0


def test_with_a_second_run_the_first_is_numbered_too(store):
    first = added(store, "same")
    alone = added(store, "alone")
    assert [row.numbered for row in store.page(JobQuery()).rows] == [False, False]

    second = added(store, "same")

    assert [store.get(job.id).title for job in (first, second, alone)] == ["same#1", "same#2", "alone"]
    assert {row.id for row in store.page(JobQuery()).rows if row.numbered} == {first.id, second.id}
    assert store.get(first.id).version == first.version
    (renamed,) = store.save([edit(alone, "same")], NOW)
    assert renamed.title == store.get(alone.id).title == "same#3"


def test_a_number_stays_whatever_becomes_of_the_other_runs_and_whoever_writes_an_older_copy(store):
    first, second = added(store, "same"), added(store, "same")
    store.remove(removal(second), NOW)
    assert first.title == "same"

    (kept,) = store.save([edit(first, "same")], NOW)
    assert kept.title == store.get(first.id).title == "same#1"
    assert queued(store, replace(kept, numbered=False)).title == "same#1"
    assert [row.id for row in store.page(JobQuery(search="same#1")).rows] == [first.id]
    (renamed,) = store.save([edit(store.get(first.id), "other")], NOW)
    assert renamed.title == store.get(first.id).title == "other"


def test_a_run_is_found_by_its_number_too(store):
    first = added(store, "same")
    second = added(store, "same")
    assert [row.id for row in store.page(JobQuery(search="SAME#1")).rows] == [first.id]
    assert [row.id for row in store.page(JobQuery(search="SAME#2")).rows] == [second.id]
    assert [row.run for row in store.page(JobQuery(search="same", sort="name")).rows] == [1, 2]


def test_runs_that_a_new_one_replaces_are_stopped_with_it_or_nothing_is_done(store):
    waits = queued(store, added(store, "same"))
    assert [row.id for row in store.runs("lin", "same", 10, active=True)] == [waits.id]
    new = store.add(creation(new_job("same")), first=[step(waits, ev.StopRequested("lin"))])

    assert (new.run, store.get(waits.id).state) == (2, JobState.STOPPED)
    assert store.runs("lin", "same", 10, active=True) == ()
    seq = store.latest_seq()
    with pytest.raises(Stale):
        store.add(creation(new_job("same")), first=[step(waits, ev.StopRequested("lin"))])
    assert (store.latest_seq(), store.last_run("lin", "same")) == (seq, 2)


def test_what_is_replaced_counts_no_more_at_the_gate(store):
    waits = queued(store, added(store, "same"))
    seen: list[object] = []
    gate = Gate(("lin",), seen.append)
    store.add(creation(new_job("same")), gate=gate, first=[step(waits, ev.StopRequested("lin"))])
    assert seen == [()]


def test_an_edited_specification_is_written_with_all_that_lists_show_of_it(store):
    job = added(store, "before")
    (edited,) = store.save([edit(job, "after")], NOW)

    assert store.get(job.id) == edited
    assert edited.spec.name == "after"
    assert store.find("lin", "before") is None
    assert store.find("lin", "after") == edited


def test_the_name_of_a_deleted_job_is_free_again(store):
    job = completed(store, added(store, "name"))
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)

    assert store.get(job.id) is None
    assert store.attempts(job.id) == ()
    assert added(store, "name").id != job.id


def test_deleting_what_is_gone_is_success_and_records_nothing(store):
    job = added(store)
    gone = JobChange(job, (ev.JobDeleted("lin"),), "lin")
    store.remove(gone, NOW)
    seq = store.latest_seq()

    store.remove(gone, NOW)

    assert store.latest_seq() == seq


def test_a_job_that_moved_on_is_not_deleted(store):
    job = added(store)
    queued(store, job)

    with pytest.raises(Stale, match=job.id):
        store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)


def test_saving_returns_the_job_as_written_one_version_on(store):
    job = added(store)
    written = queued(store, job)

    assert written.version == job.version + 1
    assert store.get(job.id) == written


def test_a_stale_write_is_refused_whole_and_named(store):
    fresh, moved = added(store), added(store)
    queued(store, moved)
    seq = store.latest_seq()

    with pytest.raises(Stale) as refusal:
        store.save([step(fresh, ev.StartRequested("lin")), step(moved, ev.StartRequested("lin"))], NOW)

    assert moved.id in refusal.value.detail
    assert fresh.id not in refusal.value.detail
    assert store.get(fresh.id) == fresh
    assert store.latest_seq() == seq


def test_a_job_that_is_gone_is_stale(store):
    job = added(store)
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)

    with pytest.raises(Stale):
        queued(store, job)


def test_one_job_twice_in_one_write_is_stale(store):
    change = step(added(store), ev.StartRequested("lin"))

    with pytest.raises(Stale):
        store.save([change, change], NOW)


def test_of_many_writers_of_one_version_one_wins(store):
    job = added(store)
    results = at_once(8, lambda _: queued(store, job))

    assert sum(isinstance(result, Stale) for result in results) == 7
    assert store.get(job.id).version == job.version + 1


def test_a_change_that_records_nothing_is_a_mistake(store):
    with pytest.raises(ValueError, match="records no event"):
        store.add(JobChange(new_job(), ()))


def test_saving_nothing_does_nothing(store):
    assert store.save([], NOW) == ()


def test_the_latest_attempt_comes_with_the_job_and_all_are_kept(store):
    job = completed(store, added(store, tasks=2))
    again = placed(store, job)

    assert store.get(job.id) == again
    assert [attempt.number for attempt in store.attempts(job.id)] == [1, 2]
    assert store.attempts(job.id) == (job.attempt, again.attempt)


def test_every_part_of_a_troubled_job_survives(store):
    job = placed(store, added(store, tasks=2))
    failed = why.OutOfMemory("worker-0", 2**30, "node-0")
    (stopping,) = store.save([step(job, ev.TaskEnded(job.attempt_id, "worker-0", NOW, failed, 137))], NOW)

    assert stopping.state is JobState.STOPPING
    assert stopping.ending.reason == failed
    assert store.get(job.id) == stopping


# ── idempotency keys ─────────────────────────────────────────────────────────────────────────────────


def test_a_jobs_turn_is_kept_and_forgotten(store):
    job = queued(store, added(store))
    turn = Turn(NOW, NOW - 5, "other", (Task("worker", 0, "n", "a", (GpuGrant(1, 500),)),), ("one", "two"))
    (moved,) = store.save([JobChange(replace(job, turn=turn), (ev.StartRequested("lin"),))], NOW)

    assert store.get(job.id) == moved
    assert moved.turn == turn
    assert store.active().jobs == (moved,)
    (back,) = store.save([JobChange(replace(moved, turn=Turn()), (ev.StartRequested("lin"),))], NOW)
    assert store.get(job.id) == back
    assert back.turn == Turn()


def test_the_same_key_and_request_return_the_job_made_then(store):
    first = store.add(creation(new_job("name")), key=("key", "print"))
    seq = store.latest_seq()
    moved = queued(store, first)

    assert store.add(creation(new_job("name")), key=("key", "print")) == moved
    assert store.latest_seq() == seq + 2


def test_the_same_key_for_another_request_is_refused(store):
    store.add(creation(new_job()), key=("key", "print"))

    with pytest.raises(KeyReused, match="key"):
        store.add(creation(new_job()), key=("key", "other"))


def test_two_people_may_use_the_same_key(store):
    first = store.add(creation(new_job(owner="lin")), key=("key", "print"))
    second = store.add(creation(new_job(owner="wang")), key=("key", "print"))

    assert first.id != second.id


def test_twenty_equal_requests_at_once_make_one_job(store, open_store):
    other = open_store()
    jobs = at_once(20, lambda n: (store, other)[n % 2].add(creation(new_job("name")), key=("key", "print")))

    assert len({job.id for job in jobs}) == 1
    assert len(store.events_after(0, 100)) == 1


def test_twenty_requests_for_one_name_at_once_get_twenty_numbers(store, open_store):
    other = open_store()
    results = at_once(20, lambda n: added((store, other)[n % 2], "name"))

    assert sorted(job.run for job in results) == list(range(1, 21))
    assert len(store.events_after(0, 100)) == 20


# ── why a job waits ──────────────────────────────────────────────────────────────────────────────────


def test_why_a_job_waits_is_a_view_without_version_or_event(store):
    job = queued(store, added(store))
    seq = store.latest_seq()

    store.set_waiting({job.id: why.BehindOthers(3), "unknown": why.BehindOthers(1)})

    assert store.waiting(job.id) == why.BehindOthers(3)
    assert store.get(job.id) == job
    assert store.latest_seq() == seq

    store.set_waiting({job.id: None})
    assert store.waiting(job.id) is None


def test_a_job_waits_on_only_while_it_is_queued(store):
    job = queued(store, added(store))
    store.set_waiting({job.id: why.BehindOthers(3)})
    (stopped,) = store.save([step(job, ev.StopRequested("lin"))], NOW)
    assert store.waiting(job.id) is None

    store.set_waiting({job.id: why.BehindOthers(3)})
    assert store.waiting(stopped.id) is None


def test_what_a_log_told_of_a_failure_is_in_lists_and_stays(store):
    job = placed(store, added(store, "fails"))
    end = ev.TaskEnded(job.attempt_id, "worker-0", NOW, why.ExitCode("worker-0", 1), 1)
    (job,) = store.save([step(job, end)], NOW)
    told = why.GpuMemory("worker-0", "CUDA out of memory", "node-0", tried="2.00 GiB", total="79.15 GiB")
    store.save([step(job, ev.FailureRead(job.attempt_id, told))], NOW)
    kept = store.get(job.id)
    assert kept is not None
    assert kept.reason == told
    assert store.attempts(job.id)[-1].reason == told
    (row,) = store.page(JobQuery(search="fails")).rows
    assert why.decode(row.reason) == told
