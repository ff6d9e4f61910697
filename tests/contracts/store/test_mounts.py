"""A volume that an active job mounts is never put in the trash, whoever comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import events as ev
from danlu.domain.audit import Entry
from danlu.domain.changing import changed
from danlu.domain.errors import Conflict
from danlu.domain.job import Job
from danlu.domain.mount import Mount
from danlu.domain.people import User, UserRole
from danlu.domain.volumes.volume import Volume, VolumeKind
from danlu.ports.store import JobChange, Store
from danlu.ports.volumes.records import VolumeLoad, VolumeUse
from tests.contracts.store.building import (
    NOW,
    added,
    at_once,
    completed,
    creation,
    new_job,
    patiently,
    placed,
    queued,
    step,
)

BY = Entry("lin", "made", "")


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def volume(store: Store, name: str = "data") -> Volume:
    one = Volume(f"v-{name}", "lin", name, VolumeKind.BLOCK, 100, NOW, NOW)
    return store.add_volume(one, NOW, by=BY, check=lambda _: None)


def of(one: Volume, path: str = "/data", *, read_only: bool = True) -> Mount:
    return Mount(one.title, path, read_only, id=one.id, block=True, cluster=one.cluster)


def trash(store: Store, one: Volume) -> Volume:
    return store.edit_volume(one.id, lambda old, _: replace(old, trashed_at=NOW), NOW, by=BY)


def use(job: Job, read_only: bool = True) -> VolumeUse:
    return VolumeUse(job.id, job.owner, job.spec.name, read_only)


def test_a_job_uses_its_volumes_while_it_is_active(store):
    one = volume(store)
    job = added(store, mounts=(of(one), Mount("", "/tmp/x", read_only=False, local=0)))
    assert store.volume_uses(one.id) == ()
    job = queued(store, job)
    assert store.volume_uses(one.id) == (use(job),)
    ended = store.save([step(job, ev.StopRequested("lin"))], NOW)[0]
    assert not ended.active
    assert store.volume_uses(one.id) == ()
    assert completed(store, added(store, mounts=(of(one),))).spec.mounts == (of(one),)
    assert store.volume_uses(one.id) == ()


def test_many_volumes_tell_at_once_how_many_jobs_mount_them(store):
    one, other, idle = volume(store), volume(store, "other"), volume(store, "idle")
    jobs = [queued(store, added(store, f"job-{at}", mounts=(of(one, read_only=at > 0),))) for at in range(4)]
    twice = queued(store, added(store, "twice", mounts=(of(other, "/a"), of(other, "/b"))))
    completed(store, added(store, "over", mounts=(of(one),)))
    loads = store.volume_loads([one.id, other.id, idle.id], 2)
    assert loads == {
        one.id: VolumeLoad(4, (use(jobs[0], read_only=False), use(jobs[1]))),
        other.id: VolumeLoad(1, (use(twice),)),
    }
    assert store.volume_loads([], 2) == {}


def test_a_volume_that_is_mounted_twice_is_written_to_if_either_mount_is(store):
    one = volume(store)
    job = queued(store, added(store, mounts=(of(one, "/a"), of(one, "/b", read_only=False))))
    assert store.volume_uses(one.id) == (use(job, read_only=False),)


def test_a_mounted_volume_is_not_put_in_the_trash(store):
    one = volume(store)
    placed(store, added(store, "training", owner="wang", mounts=(of(one),)))
    with pytest.raises(Conflict, match="in use by job training of wang"):
        trash(store, one)
    assert store.volume(one.id) == one


def test_a_job_that_was_reset_uses_its_volumes_until_its_tasks_are_gone(store):
    one = volume(store)
    job = placed(store, added(store, mounts=(of(one),)))
    job = store.save([step(job, ev.ResetRequested("root"))], NOW)[0]
    assert job.live_tasks
    assert store.volume_uses(one.id) == (use(job),)


def test_a_job_does_not_start_with_a_volume_from_the_trash(store):
    one = volume(store)
    job = added(store, mounts=(of(one),))
    trash(store, one)
    with pytest.raises(Conflict, match="volume lin:data is in the trash or gone"):
        queued(store, job)
    started = step(new_job(mounts=(of(one),)), ev.StartRequested("lin"))
    with pytest.raises(Conflict, match="volume lin:data is in the trash or gone"):
        store.add(started)
    assert store.get(job.id) == job
    assert store.get(started.job.id) is None


def test_an_edited_job_uses_what_it_mounts_now(store):
    first, second = volume(store, "first"), volume(store, "second")
    job = queued(store, added(store, mounts=(of(first),)))
    newer, event = changed(job, replace(job.spec, mounts=(of(second, read_only=False),)), "lin", NOW)
    job = store.save([JobChange(newer, (event,), "lin")], NOW)[0]
    assert store.volume_uses(first.id) == ()
    assert store.volume_uses(second.id) == (use(job, False),)
    trash(store, first)
    newer, event = changed(job, replace(job.spec, mounts=(of(first),)), "lin", NOW)
    with pytest.raises(Conflict, match="volume lin:first is in the trash or gone"):
        store.save([JobChange(newer, (event,), "lin")], NOW)


def test_a_job_that_is_deleted_leaves_no_use(store):
    one = volume(store)
    job = added(store, mounts=(of(one),))
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)
    trash(store, one)
    assert store.remove_volume(one.id, NOW, by=BY)


def test_of_a_start_and_a_deletion_at_the_same_time_exactly_one_succeeds(store):
    for number in range(20):
        one = volume(store, f"data-{number}")
        job = store.add(creation(new_job(mounts=(of(one),))))

        def act(turn: int, one: Volume = one, job: Job = job) -> object:
            return patiently(lambda: queued(store, job) if turn else trash(store, one))

        answers = at_once(2, act)
        refused = [answer for answer in answers if isinstance(answer, Conflict)]
        assert len(refused) == 1, answers
        found, now = store.volume(one.id), store.get(job.id)
        assert found
        assert now
        assert (found.trashed_at is not None) is not now.active
