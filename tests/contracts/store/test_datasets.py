"""Datasets: versions numbered once and never changed, tags that move, and nothing removed that an active job reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain import events as ev
from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import (
    Act,
    ActKind,
    ActProgress,
    ActState,
    ActWish,
    Count,
    Dataset,
    RowsTable,
    SourcePlace,
    Summary,
    TableColumn,
    Version,
)
from danlu.domain.errors import Conflict, NameTaken, NotFound
from danlu.domain.mount import Mount
from danlu.domain.people import User, UserRole
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeShare
from danlu.ports.governance import AuditQuery
from danlu.ports.store import JobChange
from danlu.ports.volumes.records import VolumeSight
from tests.contracts.store.building import NOW, added, at_once, completed, patiently, queued, step

BY = Entry("lin", "created", "", address="10.0.0.7", means="session")
ONE = Dataset("d1", "lin", "cifar", NOW, NOW, description="images", licence="MIT", card="# CIFAR")
WITH_WANG = VolumeShare(SharedWith.USER, "wang", MountMode.RO)
SUMMARY = Summary(
    (Count("png", 3, 30),),
    (Count("≤ 4 KiB", 3, 30),),
    (RowsTable("a.csv", "csv", (TableColumn("a", None),)),),
    1,
)


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def add(store, one: Dataset = ONE) -> Dataset:
    made: Dataset = store.add_dataset(one, NOW, by=BY, check=lambda _: None)
    return made


def act(number: int, kind: ActKind = ActKind.SNAPSHOT, **keys) -> Act:
    return Act(
        f"a{number}",
        "d1",
        kind,
        "lin",
        ActWish(SourcePlace("v1", "lin:raw", "train"), ("good",)),
        NOW,
        **keys,
    )


def version(store, number: int, *tags: str, stored: int = 10) -> Version:
    one = act(number)
    store.add_act(one, NOW, by=BY)
    new = Version(
        f"x{number}",
        "d1",
        0,
        f"{number:064}",
        3,
        2,
        30,
        stored,
        "lin",
        NOW,
        one.wish.source,
        SUMMARY,
        "first",
    )
    made: Version = store.add_version(new, tags, NOW, by=BY, act=one)
    return made


def trash(store, dataset_id: str = "d1") -> None:
    store.edit_dataset(
        dataset_id, lambda one: replace(one, trashed_at=NOW), NOW, by=replace(BY, act="trashed")
    )


def test_a_dataset_comes_back_as_it_was_kept(store):
    whole = replace(ONE, public=True, sensitive=True, shares=(WITH_WANG,))
    assert add(store, whole) == whole == store.dataset("d1") == store.find_dataset("lin", "cifar")
    with pytest.raises(NameTaken):
        add(store, replace(ONE, id="d2"))
    assert store.find_dataset("wang", "cifar") is None
    assert store.datasets(VolumeSight("wang")) == (whole,)
    store.edit_dataset("d1", lambda one: replace(one, public=False, shares=()), NOW, by=BY)
    assert store.datasets(VolumeSight("wang")) == ()
    trash(store)
    assert store.find_dataset("lin", "cifar") is None
    add(store, replace(ONE, id="d2"))
    noted = [one.entry.act for one in store.noted(AuditQuery(subject="dataset:lin:cifar"))]
    assert noted == ["created", "trashed", "created", "created"]


def test_versions_are_numbered_once(store):
    add(store)
    assert store.version("d1", None) is None
    first, second = version(store, 1, "good"), version(store, 2)
    assert (first.number, second.number, store.dataset("d1").last) == (1, 2, 2)
    assert store.version_by_id("x1") == first == store.version("d1", 1)
    assert first.tags == ("good",)
    assert first.summary == SUMMARY
    assert store.version("d1", None) == second
    assert store.versions("d1") == (second, first)
    assert store.versions("d1", before=2) == (first,)
    store.remove_version(second, NOW, by=BY)
    assert version(store, 3).number == 3


def test_an_act_makes_one_version_however_often_it_is_tried(store):
    add(store)
    made = version(store, 1)
    again = store.add_version(replace(made, id="other"), (), NOW, by=BY, act=act(1))
    assert again == made
    assert store.versions("d1") == (made,)
    assert (store.act("a1").state, store.act("a1").number) == (ActState.DONE, 1)


def test_versions_made_at_the_same_time_have_numbers_of_their_own(store):
    add(store)
    made = at_once(5, lambda number: patiently(lambda: version(store, number + 1)))
    assert sorted(one.number for one in made) == [1, 2, 3, 4, 5]


def test_a_tag_is_on_one_version(store):
    add(store)
    version(store, 1, "good")
    version(store, 2, "good")
    assert store.tagged("d1", "good").number == 2
    assert store.version("d1", 1).tags == ()
    store.tag_version("d1", "good", 1, NOW, by=BY)
    assert store.tagged("d1", "good").number == 1
    store.tag_version("d1", "good", None, NOW, by=BY)
    assert store.tagged("d1", "good") is None
    with pytest.raises(NotFound):
        store.tag_version("d1", "good", 9, NOW, by=BY)


def test_what_an_act_is_at_is_kept_until_it_is_over(store):
    add(store)
    one = act(1, ActKind.VERIFY)
    store.add_act(one, NOW, by=BY)
    running = replace(one, state=ActState.RUNNING, progress=ActProgress(5, 50, 5, 40))
    assert store.save_act(running)
    assert store.open_acts() == (running,)
    failed = replace(running, state=ActState.FAILED, error=("no", "不"), found=("a\nb",))
    assert store.save_act(failed)
    assert store.acts("d1") == (failed,)
    assert not store.save_act(running)
    assert store.open_acts() == ()
    trash(store)
    with pytest.raises(NotFound):
        store.add_act(act(2), NOW, by=BY)


def test_what_an_active_job_reads_is_not_removed(store):
    add(store)
    made = version(store, 1)
    mount = Mount("", "/data", dataset="lin:cifar@v1", version=made.id)
    waiting = added(store, mounts=(mount,))
    assert store.version_reads("d1") == ()
    job = queued(store, waiting)
    (read,) = store.version_reads("d1")
    assert (read.version, read.job_id, read.job, read.active) == (made.id, job.id, job.spec.name, True)
    assert store.version_roots_in_use() == {made.root}
    for refused in (lambda: store.remove_version(made, NOW, by=BY), lambda: trash(store)):
        with pytest.raises(Conflict, match=job.spec.name):
            refused()
    stopped = store.save([step(job, ev.StopRequested("lin"))], NOW)[0]
    assert not stopped.active
    (read,) = store.version_reads("d1")
    assert not read.active
    assert store.version_roots_in_use() == frozenset()
    assert store.reads_of_job(job.id) == (read,)
    store.remove_version(made, NOW, by=BY)
    assert store.version("d1", 1) is None


def test_who_read_a_version_is_known_when_the_job_is_deleted(store):
    add(store)
    made = version(store, 1)
    job = completed(
        store, added(store, mounts=(Mount("", "/data", dataset="lin:cifar@v1", version=made.id),))
    )
    store.remove(JobChange(job, (ev.JobDeleted("lin"),), "lin"), NOW)
    assert [(one.job, one.active) for one in store.version_reads("d1")] == [(job.spec.name, False)]


def test_a_job_does_not_become_active_with_a_version_that_is_gone(store):
    add(store)
    made = version(store, 1)
    job = added(store, mounts=(Mount("", "/data", dataset="lin:cifar@v1", version=made.id),))
    store.remove_version(made, NOW, by=BY)
    with pytest.raises(Conflict, match="cifar@v1"):
        queued(store, job)


def test_a_version_that_is_removed_while_a_job_starts_is_either_kept_or_missed(store):
    for number in range(1, 4):
        if number == 1:
            add(store)
        made = version(store, number)
        mount = Mount("", "/data", dataset="lin:cifar", version=made.id)
        job = added(store, mounts=(mount,))

        def act(turn: int, job=job, made=made):
            return patiently(lambda: queued(store, job) if turn else store.remove_version(made, NOW, by=BY))

        answers = at_once(2, act)
        assert len([one for one in answers if isinstance(one, Conflict)]) == 1, answers
        assert (store.version("d1", number) is not None) is store.get(job.id).active


def test_what_was_stored_counts_as_long_as_something_later_may_need_it(store):
    add(store)
    first = version(store, 1, stored=100)
    version(store, 2, stored=5)
    assert (store.dataset_bytes("lin"), store.dataset_bytes("wang")) == (105, 0)
    store.remove_version(first, NOW, by=BY)
    assert store.dataset_bytes("lin") == 105
    store.remove_version(store.version("d1", 2), NOW, by=BY)
    assert store.dataset_bytes("lin") == 0
    assert store.version_roots() == frozenset()


def test_a_dataset_goes_from_the_trash_alone_with_all_that_is_its_own(store):
    add(store)
    version(store, 1, "good")
    assert not store.remove_dataset("d1", NOW, by=BY)
    trash(store)
    assert store.remove_dataset("d1", NOW, by=BY)
    assert (store.versions("d1"), store.acts("d1"), store.tagged("d1", "good")) == ((), (), None)


def test_who_leaves_keeps_what_others_use(store):
    add(store, replace(ONE, shares=(WITH_WANG,)))
    add(store, replace(ONE, id="d2", name="own"))
    store.edit_user("lin", lambda user, _: replace(user, deleted=True), NOW, by=BY)
    assert store.dataset("d1").trashed_at is None
    assert store.dataset("d2").trashed_at == NOW
