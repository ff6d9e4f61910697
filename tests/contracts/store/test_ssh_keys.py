"""SSH keys: one name of its own each, one owner for each fingerprint, and a note for every one that comes or goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NameTaken
from danlu.domain.people import SshKey, User, UserRole
from danlu.ports.governance import AuditQuery
from tests.contracts.store.building import NOW, at_once

BY = Entry("lin", "key_added", "", address="10.0.0.7", means="session")
KEY = SshKey("k1", "lin", "laptop", "ssh-ed25519", "SHA256:one", "ssh-ed25519 AAAA", NOW)


@pytest.fixture(autouse=True)
def people(store):
    for name in ("lin", "wang"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))


def test_keys_come_back_as_added_the_oldest_first(store):
    later = replace(KEY, id="k0", name="desk", fingerprint="SHA256:two", created_at=NOW + 1)
    for key in (later, KEY):
        store.add_key(key, NOW, by=BY)

    assert store.keys("lin") == (KEY, later)
    assert store.keys("wang") == ()


def test_a_name_is_used_once_by_each_person(store):
    store.add_key(KEY, NOW, by=BY)
    with pytest.raises(NameTaken, match="lin already has a key named laptop"):
        store.add_key(replace(KEY, id="k2", fingerprint="SHA256:two"), NOW, by=BY)
    store.add_key(replace(KEY, id="k2", user="wang", fingerprint="SHA256:two"), NOW, by=BY)


def test_a_key_has_one_owner(store):
    store.add_key(KEY, NOW, by=BY)
    for user in ("lin", "wang"):
        with pytest.raises(Conflict, match=r"SHA256:one\) is already registered") as refused:
            store.add_key(replace(KEY, id="k2", user=user, name="other"), NOW, by=BY)
        assert not isinstance(refused.value, NameTaken)
    assert store.keys("wang") == ()


def test_a_removed_key_is_free_again(store):
    store.add_key(KEY, NOW, by=BY)
    assert not store.remove_key("wang", "k1", NOW, by=BY)
    assert store.remove_key("lin", "k1", NOW, by=BY)
    assert not store.remove_key("lin", "k1", NOW, by=BY)
    store.add_key(replace(KEY, id="k2", user="wang"), NOW, by=BY)


def test_what_comes_and_goes_is_noted_and_what_is_refused_is_not(store):
    store.add_key(KEY, NOW, by=BY)
    with pytest.raises(NameTaken):
        store.add_key(replace(KEY, id="k2", fingerprint="SHA256:two"), NOW, by=BY)
    store.remove_key("lin", "k1", NOW + 1, by=replace(BY, act="key_removed"))
    store.remove_key("lin", "k1", NOW + 2, by=replace(BY, act="key_removed"))

    shown = {"key": "laptop", "fingerprint": "SHA256:one"}
    removed, added = store.noted(AuditQuery())
    assert added.entry == replace(BY, subject="user:lin", after=shown)
    assert removed.entry == replace(BY, act="key_removed", subject="user:lin", before=shown)


def test_of_two_people_who_add_one_key_one_has_it(store, open_store):
    stores = [store, open_store()]

    def add(number: int) -> bool:
        key = replace(KEY, id=f"k{number}", user=("lin", "wang")[number])
        try:
            stores[number].add_key(key, NOW, by=BY)
        except Conflict:
            return False
        return True

    assert sorted(at_once(2, add)) == [False, True]
