"""Whoever follows the log hears of every change, in the order of commits, whatever the number of writers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from threading import Event as Flag
from threading import Thread

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.words import Words
from danlu.ports.store import JobChange
from tests.contracts.store.building import NOW, added, at_once, completed, patiently, placed, queued, step


def test_the_events_of_a_job_are_kept_with_it_in_their_order(store):
    job = added(store, owner="lin")
    store.save([replace(step(job, ev.StartRequested("admin")), actor="admin")], NOW + 5)

    created, asked, moved = store.events_of(job.id, 0, 10)

    assert [event.kind for event in (created, asked, moved)] == [
        "job_created",
        "start_requested",
        "state_changed",
    ]
    assert (created.time, created.actor, created.data) == (NOW, "lin", {"by": "lin"})
    assert (moved.time, moved.actor, moved.owner, moved.job_id) == (NOW + 5, "admin", "lin", job.id)
    assert moved.text == Words("created → queued", "已创建 → 队列中")
    assert moved.data == {"from": "created", "to": "queued", "reason": None}


def test_events_are_read_on_from_any_of_them(store):
    job = added(store)
    queued(store, job)
    added(store)
    all_of_them = store.events_after(0, 100)

    assert store.events_after(0, 2) == all_of_them[:2]
    assert store.events_after(all_of_them[1].seq, 100) == all_of_them[2:]
    assert store.events_of(job.id, all_of_them[0].seq, 100) == all_of_them[1:3]
    assert store.latest_seq() == all_of_them[-1].seq


def test_what_a_job_is_told_of_its_volumes_is_kept(store):
    job = placed(store, added(store))
    told = ev.MountChanged(job.attempt_id, "ann:data", "nearly_full", 95, 100)
    store.save([step(job, told)], NOW)
    *_, kept = store.events_of(job.id, 0, 100)
    assert (kept.kind, kept.data) == ("mount_changed", told.data())
    assert kept.text == told.text()
    assert step(completed(store, added(store)), told).records == ()  # of another attempt


def test_who_overfilled_a_volume_is_kept_with_its_reason(store):
    job = placed(store, added(store))
    overrun = ev.VolumeOverrun(job.attempt_id, "ann:data", 220, 100)
    store.save([step(job, overrun)], NOW)
    kept = next(one for one in store.events_of(job.id, 0, 100) if one.kind == "volume_overrun")
    assert (kept.data, kept.text) == (overrun.data(), overrun.text())
    stored = store.get(job.id)
    assert stored.ending.reason == why.VolumeFull("ann:data", 220, 100)


def test_the_events_of_a_deleted_job_remain(store):
    job = added(store)
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)

    assert [event.kind for event in store.events_of(job.id, 0, 10)] == ["job_created", "job_deleted"]


def test_an_event_may_belong_to_no_job(store):
    store.record(ev.SignedIn("lin", "password"), NOW, actor="lin", owner="lin")

    (event,) = store.events_after(0, 10)
    assert (event.job_id, event.owner, event.actor, event.data["means"]) == (None, "lin", "lin", "password")
    assert store.changes(0).jobs == ()
    assert store.changes(0).seq == event.seq


def test_an_event_may_quote_what_no_database_keeps_as_text(store):
    job = placed(store, added(store))
    reason = why.StartFailed("worker-0", "bad \0 byte and \ud800 half", "node-0")
    store.save([step(job, ev.TaskEnded(job.attempt_id, "worker-0", NOW, reason))], NOW)

    texts = [event.text.en for event in store.events_of(job.id, 0, 10)]
    assert "worker-0 ended: worker-0 could not start on node-0: bad � byte and ? half" in texts
    assert store.get(job.id).reason == reason


def test_an_empty_store_has_nothing_active(store):
    assert store.latest_seq() == 0
    assert store.active().jobs == ()
    assert store.changes(0).seq == 0


def test_active_are_the_active_and_those_with_live_tasks(store):
    added(store)
    completed(store, added(store))
    waiting, running = queued(store, added(store)), placed(store, added(store))
    (reset,) = store.save([step(placed(store, added(store)), ev.ResetRequested("lin"))], NOW)

    active = store.active()

    assert {job.id: job for job in active.jobs} == {job.id: job for job in (waiting, running, reset)}
    assert active.seq == store.latest_seq()


def test_changes_are_the_newest_form_of_what_was_touched_and_what_is_gone(store):
    old, ended, removed = added(store), added(store), added(store)
    seq = store.latest_seq()
    ended = completed(store, ended)
    store.remove(JobChange(removed, (ev.JobDeleted("lin"),), "lin"), NOW)

    changes = store.changes(seq)

    assert changes.jobs == (ended,)
    assert changes.gone == (removed.id,)
    assert changes.seq == store.latest_seq()
    assert store.changes(changes.seq).jobs == ()
    assert store.changes(changes.seq).seq == changes.seq
    assert old.id in {job.id for job in store.changes(0).jobs}


def test_a_thousand_changes_at_once_are_all_told(store):
    jobs = [added(store) for _ in range(50)]
    for _ in range(2):
        jobs = list(store.save([step(job, ev.StartRequested("lin")) for job in jobs], NOW))
        jobs = list(store.save([step(job, ev.StopRequested("lin")) for job in jobs], NOW))
    more = [added(store) for _ in range(600)]

    assert {job.id for job in store.changes(0).jobs} == {job.id for job in (*jobs, *more)}


def test_a_follower_never_misses_a_change_of_eight_writers(store, open_store):
    """Each writer uses a store of its own, as if in a process of its own."""
    done, seen, seq = Flag(), {}, 0
    stores = [open_store() for _ in range(8)]

    def follow():
        nonlocal seq
        while True:
            last_look = done.is_set()
            changes = store.changes(seq)
            assert changes.seq >= seq
            seq = changes.seq
            seen.update({job.id: job for job in changes.jobs})
            if last_look:
                return

    def write(number):
        own = stores[number]
        jobs = []
        for round_ in range(15):
            job = patiently(partial(added, own, f"w{number}-{round_}"))
            jobs.append(patiently(partial(queued, own, job)))
        return jobs

    follower = Thread(target=follow)
    follower.start()
    written = at_once(8, write)
    done.set()
    follower.join()

    expected = {job.id: job for jobs in written for job in jobs}
    assert len(expected) == 120
    assert seen == expected


def test_events_of_eight_writers_have_no_two_places_and_keep_each_writers_order(store, open_store):
    stores = [open_store() for _ in range(8)]

    def write(n):
        for round_ in range(10):
            patiently(partial(added, stores[n], f"w{n}-{round_}", owner=f"w{n}"))

    assert at_once(8, write) == [None] * 8

    events = store.events_after(0, 1000)

    assert [event.seq for event in events] == sorted({event.seq for event in events})
    for number in range(8):
        own = [store.get(event.job_id).spec.name for event in events if event.owner == f"w{number}"]
        assert own == [f"w{number}-{round_}" for round_ in range(10)]


def test_many_writers_in_one_process_get_their_turn(store):
    jobs = at_once(40, lambda _: added(store))

    assert len({job.id for job in jobs}) == 40
    assert len(store.events_after(0, 100)) == 40


def test_a_reader_is_not_held_up_by_a_writer(store, open_store):
    job = added(store)
    writer = open_store()
    with writer._database.writing(orderly=True):
        assert store.get(job.id) == job
        assert len(store.active().jobs) == 0


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(store):
    added(store)
    with store._database.reading() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM jobs").scalar()
        added(store)
        assert connection.exec_driver_sql("SELECT count(*) FROM jobs").scalar() == before == 1
