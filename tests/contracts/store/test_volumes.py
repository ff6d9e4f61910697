"""Volumes: one name of its own each, seen by whom it is shared with, quotas that hold at once, and a note of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NameTaken, NotFound
from danlu.domain.people import User, UserRole
from danlu.domain.rules import Project
from danlu.domain.volumes.volume import (
    FIRST_VOLUME_GID,
    MountMode,
    SharedWith,
    Volume,
    VolumeKind,
    VolumeShare,
)
from danlu.ports.governance import AuditQuery
from danlu.ports.volumes.records import VolumeSight, VolumesOf
from tests.contracts.store.building import NOW, at_once, patiently

BY = Entry("lin", "created", "", address="10.0.0.7", means="session")
ONE = Volume("v1", "lin", "imagenet", VolumeKind.BLOCK, 2**30, NOW, NOW, description="ILSVRC")
WITH_WANG = VolumeShare(SharedWith.USER, "wang", MountMode.RO)
WITH_NLP = VolumeShare(SharedWith.PROJECT, "nlp", MountMode.RW)


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def add(store, one: Volume, check: Callable[[VolumesOf], None] = lambda _: None) -> Volume:
    made: Volume = store.add_volume(one, NOW, by=BY, check=check)
    return made


def trash(store, volume_id: str, at: int | None = NOW) -> Volume:
    edited: Volume = store.edit_volume(
        volume_id, lambda one, _: replace(one, trashed_at=at), NOW, by=replace(BY, act="trashed")
    )
    return edited


def test_a_volume_comes_back_as_it_was_kept(store):
    whole = replace(
        ONE, cluster="lab", public=True, sensitive=True, claim="pvc-1", shares=(WITH_NLP, WITH_WANG)
    )
    made = add(store, whole)
    assert made == replace(whole, gid=FIRST_VOLUME_GID)
    assert store.volume("v1") == made == store.find_volume("lin", "imagenet")
    assert store.volume("v2") is None
    assert store.find_volume("wang", "imagenet") is None


def test_capacities_of_a_pebibyte_are_kept_exactly(store):
    assert add(store, replace(ONE, capacity=2**50)).capacity == 2**50
    kept = store.volume("v1")
    assert kept is not None
    assert kept.capacity == 2**50


def test_a_person_sees_their_own_what_is_shared_with_them_and_what_is_public(store):
    theirs = replace(ONE, owner="wang")
    made = [
        add(store, one)
        for one in (
            ONE,
            replace(theirs, id="v2", name="alone"),
            replace(theirs, id="v3", name="for-lin", shares=(replace(WITH_WANG, name="lin"),)),
            replace(theirs, id="v4", name="for-nlp", shares=(WITH_NLP,)),
            replace(theirs, id="v5", name="open", public=True),
        )
    ]
    own, alone, for_lin, for_nlp, public = made
    assert store.volumes(VolumeSight("lin")) == (for_lin, own, public)
    assert store.volumes(VolumeSight("lin", ["nlp"])) == (for_lin, for_nlp, own, public)
    assert store.volumes(VolumeSight("mei")) == (public,)
    assert store.volumes(None) == (alone, for_lin, for_nlp, own, public)


def test_a_project_named_like_a_person_shares_nothing_with_them(store):
    add(store, replace(ONE, shares=(VolumeShare(SharedWith.PROJECT, "wang", MountMode.RW),)))
    assert store.volumes(VolumeSight("wang")) == ()
    add(store, replace(ONE, id="v2", name="other", shares=(replace(WITH_WANG, name="nlp"),)))
    assert store.volumes(VolumeSight("wang", ["nlp"])) == ()


def test_a_name_is_used_once_by_each_person_and_free_again_in_the_trash(store):
    add(store, ONE)
    with pytest.raises(NameTaken, match="lin has a volume named imagenet"):
        add(store, replace(ONE, id="v2"))
    add(store, replace(ONE, id="v2", owner="wang"))
    trash(store, "v1")
    assert store.find_volume("lin", "imagenet") is None
    add(store, replace(ONE, id="v3"))
    with pytest.raises(NameTaken):
        trash(store, "v1", None)
    add(store, replace(ONE, id="v4", name="coco"))
    with pytest.raises(NameTaken, match="named coco"):
        store.edit_volume("v3", lambda one, _: replace(one, name="coco"), NOW, by=BY)
    assert trash(store, "v3").trashed_at == NOW
    assert trash(store, "v1", None).trashed_at is None


def test_of_several_at_once_one_gets_a_name_and_each_gets_a_group_of_its_own(store):
    made = at_once(4, lambda at: add(store, replace(ONE, id=f"v{at}")))
    assert Counter(type(one) for one in made) == {Volume: 1, NameTaken: 3}
    others = at_once(4, lambda at: add(store, replace(ONE, id=f"w{at}", name=f"w{at}")))
    assert len({one.gid for one in others}) == 4
    last = max(store.volumes(None), key=lambda one: one.gid)
    trash(store, last.id)
    assert store.remove_volume(last.id, NOW, by=BY)
    assert add(store, replace(ONE, id="x", name="x")).gid > last.gid  # what is gone may still be on a disk


def test_of_several_at_once_as_many_are_made_as_the_quota_allows(store, open_store):
    def within(had: VolumesOf) -> None:
        if sum(one.capacity for one in had) + ONE.capacity > 2 * ONE.capacity:
            raise Conflict

    processes = [open_store() for _ in range(4)]

    def create(at: int) -> Volume:
        one = replace(ONE, id=f"v{at}", name=f"v{at}")
        made: Volume = patiently(lambda: add(processes[at], one, within))
        return made

    made = at_once(4, create)
    assert Counter(type(one) for one in made) == {Volume: 2, Conflict: 2}
    assert len(store.volumes(None)) == 2


def test_growth_at_once_sees_what_the_others_grew_to(store):
    for at in range(4):
        add(store, replace(ONE, id=f"v{at}", name=f"v{at}"))

    def grown(one: Volume, had: VolumesOf) -> Volume:
        if sum(each.capacity for each in had) + ONE.capacity > 6 * ONE.capacity:
            raise Conflict
        return replace(one, capacity=one.capacity + ONE.capacity)

    told = at_once(4, lambda at: store.edit_volume(f"v{at}", grown, NOW, by=BY))
    assert Counter(type(one) for one in told) == {Volume: 2, Conflict: 2}
    assert sum(one.capacity for one in store.volumes(None)) == 6 * ONE.capacity


def test_what_a_check_refuses_leaves_nothing(store):
    def no(_: VolumesOf) -> None:
        raise Conflict

    with pytest.raises(Conflict):
        add(store, ONE, no)
    assert store.volumes(None) == ()
    assert not store.noted(AuditQuery(subject="volume:"))
    with pytest.raises(NotFound, match="no volume 'v9'"):
        store.edit_volume("v9", lambda one, _: one, NOW, by=BY)


def test_edits_of_one_moment_all_take_effect(store):
    add(store, ONE)

    def more(at: int) -> object:
        share = VolumeShare(SharedWith.USER, f"user{at}", MountMode.RO)
        return store.edit_volume(
            "v1", lambda one, _: replace(one, shares=tuple(sorted((*one.shares, share)))), NOW, by=BY
        )

    at_once(4, more)
    kept = store.volume("v1")
    assert kept is not None
    assert [share.name for share in kept.shares] == [f"user{at}" for at in range(4)]


def test_only_what_is_in_the_trash_is_removed(store):
    add(store, replace(ONE, shares=(WITH_WANG,)))
    assert not store.remove_volume("v1", NOW, by=BY)
    trash(store, "v1")
    assert store.remove_volume("v1", NOW, by=BY)
    assert not store.remove_volume("v1", NOW, by=BY)
    assert store.volume("v1") is None
    assert add(store, ONE).shares == ()


def test_every_change_is_noted(store):
    add(store, ONE)
    store.edit_volume(
        "v1", lambda one, _: replace(one, shares=(WITH_WANG,)), NOW, by=replace(BY, act="shared")
    )
    trash(store, "v1")
    store.remove_volume("v1", NOW, by=replace(BY, act="deleted"))
    deleted, trashed, shared, created = (one.entry for one in store.noted(AuditQuery(subject="volume:")))
    assert {one.subject for one in (deleted, trashed, shared, created)} == {"volume:lin:imagenet"}
    assert (created.act, created.before) == ("created", None)
    assert created.after is not None
    assert shared.after == {**created.after, "shares": {"user:wang": "ro"}}
    assert trashed.after is not None
    assert trashed.after["trashed"] is True
    assert (deleted.act, deleted.after, deleted.address) == ("deleted", None, "10.0.0.7")


def test_with_an_account_go_its_shares_and_what_nobody_else_uses_is_in_the_trash(store):
    add(store, ONE)
    add(store, replace(ONE, id="v2", name="shared", shares=(WITH_NLP,)))
    add(store, replace(ONE, id="v3", name="public", public=True))
    add(store, replace(ONE, id="v4", owner="wang", shares=(replace(WITH_WANG, name="lin"),)))
    store.edit_user(
        "lin", lambda one, _: replace(one, deleted=True), NOW + 5, by=Entry("root", "deleted", "")
    )
    there = {one.id: (one.trashed_at, one.shares) for one in store.volumes(None)}
    assert there == {"v1": (NOW + 5, ()), "v2": (None, (WITH_NLP,)), "v3": (None, ()), "v4": (None, ())}


def test_a_project_that_is_gone_shares_nothing_even_if_its_name_returns(store):
    store.edit_rules(lambda known: [*known, Project("nlp")], NOW, by=Entry("root", "added", ""))
    add(store, replace(ONE, shares=(WITH_NLP,)))
    store.edit_rules(lambda _: [], NOW, by=Entry("root", "removed", ""))
    assert store.volumes(VolumeSight("wang", ["nlp"])) == ()


SEALED = bytes(range(256)) * 5  # no text in any encoding


def attached(store, login: bytes | None = SEALED) -> Volume:
    made: Volume = store.add_volume(ONE, NOW, by=BY, check=lambda _: None, login=login)
    return made


def test_a_sealed_login_comes_back_byte_by_byte(store, open_store):
    attached(store)
    assert store.volume_login("v1") == SEALED
    assert open_store().volume_login("v1") == SEALED  # as another process reads it
    store.set_volume_login("v1", b"\0\xff", NOW, by=BY)
    assert store.volume_login("v1") == b"\0\xff"


def test_a_login_that_is_cleared_is_gone_and_the_volume_stays(store):
    attached(store)
    store.set_volume_login("v1", None, NOW, by=BY)
    assert store.volume_login("v1") is None
    assert store.volume("v1") is not None
    store.set_volume_login("v1", None, NOW, by=BY)  # again: nothing to clear
    store.set_volume_login("v1", SEALED, NOW, by=BY)
    assert store.volume_login("v1") == SEALED


def test_a_login_goes_with_its_volume_and_not_before(store):
    attached(store)
    trash(store, "v1")
    assert store.volume_login("v1") == SEALED
    assert store.remove_volume("v1", NOW, by=BY)
    assert store.volume_login("v1") is None
    attached(store, login=None)  # the same id again inherits nothing
    assert store.volume_login("v1") is None


def test_there_is_no_login_without_a_volume(store):
    with pytest.raises(NotFound):
        store.set_volume_login("v1", SEALED, NOW, by=BY)
    assert store.volume_login("v1") is None


def test_of_a_login_the_audit_log_notes_the_volume_and_no_content(store):
    attached(store)
    store.set_volume_login("v1", b"other-secret", NOW, by=replace(BY, act="login_changed"))
    notes = store.noted(AuditQuery(subject="volume:"))
    assert "login_changed" in [one.entry.act for one in notes]
    assert "other-secret" not in repr(notes)
