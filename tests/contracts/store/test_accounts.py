"""Accounts: several edited at once, subjects that are nobody else's, and what the record says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NameTaken, NotFound
from danlu.domain.people import Session, SignInLink, User, UserRole
from danlu.ports.governance import AuditQuery
from tests.contracts.store.building import NOW, at_once

BY = Entry("admin", "edited", "", address="10.0.0.7", means="session")
SUBJECT = "https://id.example#7"


def person(name, **more):
    return User(name, UserRole.ENGINEER, NOW, **more)


def everybody(store, *names):
    for name in names:
        store.add_user(person(name))


def disabled(users):
    return [replace(user, disabled=True) for user in users]


def test_a_subject_is_one_persons(store):
    store.add_user(person("lin", subject=SUBJECT))
    with pytest.raises(Conflict, match="already has an account") as refused:
        store.add_user(person("wang", subject=SUBJECT))
    assert not isinstance(refused.value, NameTaken)
    assert store.user("wang") is None
    store.add_user(person("wang"))
    store.add_user(person("chen"))  # any number have none
    with pytest.raises(Conflict, match="already has an account"):
        store.edit_user("wang", lambda user, _: replace(user, subject=SUBJECT))
    with pytest.raises(Conflict, match="already has an account"):
        store.edit_users(lambda users: [replace(users[0], subject=SUBJECT)], NOW, by=BY)
    assert store.user_of_subject(SUBJECT).name == "lin"
    assert store.user_of_subject("") is None


def test_a_deleted_persons_subject_is_not_given_again(store):
    store.add_user(person("lin", subject=SUBJECT))
    store.edit_user("lin", lambda user, _: replace(user, deleted=True))
    assert store.user_of_subject(SUBJECT) is None
    with pytest.raises(Conflict):
        store.add_user(person("wang", subject=SUBJECT))


def test_of_two_who_come_with_one_subject_one_is_made(store, open_store):
    stores = [store, open_store()]

    def add(number: int) -> bool:
        try:
            stores[number].add_user(person(f"user-{number}", subject=SUBJECT), by=BY)
        except Conflict:
            return False
        return True

    assert sorted(at_once(2, add)) == [False, True]


def test_several_people_are_changed_together(store):
    everybody(store, "lin", "wang", "chen")
    changed = store.edit_users(lambda users: disabled(users[:2]), NOW, by=BY)

    assert [user.name for user in changed] == ["chen", "lin"]
    assert [user.name for user in store.users() if user.disabled] == ["chen", "lin"]


def test_whoever_stays_the_same_is_neither_written_nor_noted(store):
    everybody(store, "lin", "wang")
    changed = store.edit_users(lambda users: [users[0], *disabled(users[1:])], NOW, by=BY)

    assert [user.name for user in changed] == ["wang"]
    (noted,) = store.noted(AuditQuery())
    assert noted.entry == replace(
        BY, subject="user:wang", before={"disabled": False}, after={"disabled": True}
    )


def test_all_of_an_edit_or_none(store):
    everybody(store, "lin", "wang")
    with pytest.raises(NotFound, match="nobody"):
        store.edit_users(lambda users: [*disabled(users), person("nobody")], NOW, by=BY)
    with pytest.raises(ZeroDivisionError):
        store.edit_users(lambda users: disabled(users) if 1 / 0 else [], NOW, by=BY)

    assert not any(user.disabled for user in store.users())
    assert store.noted(AuditQuery()) == ()


def test_edits_of_several_at_once_lose_nothing_of_each_other(store, open_store):
    everybody(store, "lin", "wang")
    stores = [store, open_store()]

    def join(number: int) -> None:
        stores[number % 2].edit_users(
            lambda users: [replace(user, groups=(*user.groups, f"g{number}")) for user in users], NOW, by=BY
        )

    at_once(8, join)
    for user in store.users():
        assert sorted(user.groups) == [f"g{number}" for number in range(8)]


def test_what_administrators_do_is_recorded_with_the_note(store):
    store.add_user(person("lin"), by=replace(BY, act="created"))
    store.edit_user("lin", lambda user, _: replace(user, email="l@x"), NOW, by=replace(BY, act="edited"))
    store.edit_users(disabled, NOW, by=replace(BY, act="disabled"))
    store.edit_user(
        "lin", lambda user, _: replace(user, password_hash="h"), NOW, by=Entry("lin", "password_set", "")
    )

    events = [event.text.en for event in store.events_after(0, 10)]
    assert events == [f"user lin {act} by admin" for act in ("created", "edited", "disabled")]
    noted = [one.entry for one in reversed(store.noted(AuditQuery()))]
    assert [one.act for one in noted] == ["created", "edited", "disabled", "password_set"]
    assert noted[0].after["role"] == "engineer"
    assert noted[3].after == {"password": "changed"}
    assert "password_hash" not in str(noted)


def test_whoever_is_signed_out_everywhere_loses_their_links_too(store):
    everybody(store, "lin", "wang")
    store.add_session(Session("s1", "lin", "csrf", NOW, NOW + 99, "id1", NOW))
    for user in ("lin", "wang"):
        store.add_link(SignInLink(f"link-{user}", user, NOW + 99))
    store.end_sessions("lin", secret_hash="other")
    assert store.take_link("link-lin", NOW) is not None
    store.add_link(SignInLink("link-lin", "lin", NOW + 99))
    store.end_sessions("lin", keep="s1")
    assert store.session("s1", NOW) is not None
    assert store.take_link("link-lin", NOW) is None
    store.add_link(SignInLink("link-lin", "lin", NOW + 99))
    store.end_sessions("lin")

    assert store.session("s1", NOW) is None
    assert store.take_link("link-lin", NOW) is None
    assert store.take_link("link-wang", NOW) is not None
