"""People, sessions, links and tokens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import NameTaken, NotFound
from danlu.domain.people import FIRST_UID, UIDS_EACH, Session, SignInLink, Token, User, UserRole
from danlu.domain.preferences import Preferences, View
from tests.contracts.store.building import NOW, at_once

LIN = User("lin", UserRole.ENGINEER, NOW, "林", "argon2-hash", groups=("nlp", "leads"))
MINUTE = 60_000


def token(name="laptop", user="lin", **keys):
    return Token(f"id-{user}-{name}", user, name, f"hash-{user}-{name}", NOW, **keys)


def test_a_person_comes_back_as_added(store):
    store.add_user(LIN)

    assert store.user("lin") == LIN
    assert store.user("wang") is None


def test_everybody_has_a_user_id_that_nobody_else_ever_gets(store):
    for name in ("wang", "lin", "zhao"):
        store.add_user(replace(LIN, name=name))
    first = [store.uid(name) for name in ("wang", "lin", "zhao")]
    store.edit_user("zhao", lambda user, _: replace(user, deleted=True))
    at_once(4, lambda number: store.add_user(replace(LIN, name=f"more{number}")))

    assert first == [FIRST_UID, FIRST_UID + UIDS_EACH, FIRST_UID + 2 * UIDS_EACH]
    assert store.uid("zhao") == first[2]
    assert {store.uid(f"more{number}") for number in range(4)} == {
        FIRST_UID + UIDS_EACH * number for number in range(3, 7)
    }
    assert store.uid("nobody-of-that-name") is None


def test_people_are_listed_by_name_without_the_deleted(store):
    for name in ("wang", "lin", "zhao"):
        store.add_user(replace(LIN, name=name))
    store.edit_user("lin", lambda user, _: replace(user, deleted=True))

    assert [user.name for user in store.users()] == ["wang", "zhao"]
    assert store.user("lin") is None


def test_a_name_is_never_given_twice_even_after_deletion(store):
    store.add_user(LIN)
    with pytest.raises(NameTaken, match="lin"):
        store.add_user(LIN)
    store.edit_user("lin", lambda user, _: replace(user, deleted=True))
    with pytest.raises(NameTaken, match="lin"):
        store.add_user(LIN)


def test_a_changed_person_is_kept(store):
    store.add_user(LIN)
    changed = replace(LIN, role=UserRole.ADMINISTRATOR, disabled=True, password_hash=None, groups=())
    assert store.edit_user("lin", lambda user, _: changed) == changed

    assert store.user("lin") == changed


def test_nobody_cannot_be_changed(store):
    with pytest.raises(NotFound, match="lin"):
        store.edit_user("lin", lambda user, _: user)


def test_edits_at_once_lose_nothing_of_each_other(store):
    store.add_user(replace(LIN, display_name=""))
    at_once(
        8,
        lambda n: store.edit_user(
            "lin", lambda user, _: replace(user, display_name=user.display_name + str(n))
        ),
    )

    assert sorted(store.user("lin").display_name) == sorted("01234567")


def test_an_edit_that_raises_changes_nothing(store):
    store.add_user(LIN)
    with pytest.raises(ZeroDivisionError):
        store.edit_user("lin", lambda user, everybody: 1 / 0)

    assert store.user("lin") == LIN


def test_of_many_who_add_one_name_one_succeeds(store):
    results = at_once(8, lambda _: store.add_user(LIN))

    assert sum(isinstance(result, NameTaken) for result in results) == 7


# ── preferences ──────────────────────────────────────────────────────────────────────────────────────


CHOSEN = Preferences(
    "zh-CN", "dark", "Asia/Shanghai", (View("jobs", "我的", "owner=me"),), ("tour", "tips"), NOW
)


def test_preferences_come_back_as_chosen_to_whoever_chose_them(store, open_store):
    for name in ("lin", "wang"):
        store.add_user(replace(LIN, name=name))
    assert store.preferences("lin") == Preferences()

    assert store.edit_preferences("lin", lambda now: CHOSEN) == CHOSEN

    assert open_store().preferences("lin") == CHOSEN
    assert store.preferences("wang") == Preferences()
    assert store.user("lin") == LIN


def test_preferences_outlive_what_an_administrator_does_to_the_person(store):
    store.add_user(LIN)
    store.edit_preferences("lin", lambda now: CHOSEN)
    store.edit_user("lin", lambda user, _: replace(user, display_name="Lin"))

    assert store.preferences("lin") == CHOSEN


def test_choices_of_different_things_at_once_all_survive(store, open_store):
    store.add_user(LIN)
    stores = [store, open_store()]

    def choose(number):
        dismiss = (f"tip-{number}",)
        stores[number % 2].edit_preferences(
            "lin", lambda now: replace(now, dismissed=now.dismissed + dismiss)
        )

    assert at_once(8, choose) == [None] * 8
    assert sorted(store.preferences("lin").dismissed) == [f"tip-{number}" for number in range(8)]


def test_a_choice_that_raises_changes_nothing(store):
    store.add_user(LIN)
    store.edit_preferences("lin", lambda now: CHOSEN)
    with pytest.raises(ZeroDivisionError):
        store.edit_preferences("lin", lambda now: 1 / 0)

    assert store.preferences("lin") == CHOSEN


def test_nobody_and_the_deleted_have_no_preferences_to_change(store):
    store.add_user(LIN)
    store.edit_user("lin", lambda user, _: replace(user, deleted=True))
    for name in ("lin", "nobody"):
        with pytest.raises(NotFound, match=name):
            store.edit_preferences(name, lambda now: CHOSEN)
        assert store.preferences(name) == Preferences()


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────


def session(secret="s1", user="lin", expires=NOW + MINUTE, seen=NOW):
    return Session(secret, user, "csrf", NOW, expires, f"id-{secret}", seen, "Firefox 火狐", "::1")


def test_a_session_is_found_until_the_moment_it_expires(store):
    store.add_session(session())

    assert store.session("s1", NOW + MINUTE - 1) == session()
    assert store.session("s1", NOW + MINUTE) is None
    assert store.session("s2", NOW) is None


def test_one_session_or_all_of_a_person_can_be_ended(store):
    for secret, user in (("s1", "lin"), ("s2", "lin"), ("s3", "wang"), ("s4", "lin")):
        store.add_session(session(secret, user))

    def left():
        return [secret for secret in ("s1", "s2", "s3", "s4") if store.session(secret, NOW)]

    store.end_sessions("lin", secret_hash="s1")
    store.end_sessions("lin", secret_hash="s3")  # not hers
    assert left() == ["s2", "s3", "s4"]
    store.end_sessions("lin")
    assert left() == ["s3"]
    store.end_sessions("nobody")
    assert left() == ["s3"]


def test_the_sessions_of_a_person_are_listed_the_latest_seen_first(store):
    early, late = session("s1", seen=NOW - 2), session("s2", seen=NOW - 1)
    for one in (early, late, session("s3", "wang"), session("s4", expires=NOW + 1)):
        store.add_session(one)

    assert store.sessions("lin", NOW + 1) == (late, early)
    assert store.sessions("nobody", NOW) == ()


def test_one_session_is_ended_by_its_id_and_by_its_owner_only(store):
    for secret in ("s1", "s2"):
        store.add_session(session(secret))

    assert not store.end_session("wang", "id-s1")
    assert store.session("s1", NOW) is not None
    assert store.end_session("lin", "id-s1")
    assert not store.end_session("lin", "id-s1")
    assert store.session("s1", NOW) is None
    assert [one.id for one in store.sessions("lin", NOW)] == ["id-s2"]


def test_that_a_session_was_seen_is_written_once_a_minute(store, open_store):
    store.add_session(session(expires=NOW + 10 * MINUTE))
    other = open_store()

    def seen(by, now):
        by.touch_session(by.session("s1", now), now)
        return store.session("s1", now).seen_at

    assert seen(store, NOW + MINUTE - 1) == NOW
    before = store.session("s1", NOW)
    assert seen(other, NOW + MINUTE) == NOW + MINUTE
    store.touch_session(before, NOW + MINUTE + 1)  # as it was read before the other wrote
    assert seen(store, NOW + MINUTE + 1) == NOW + MINUTE
    store.end_sessions("lin")
    store.touch_session(before, NOW + 3 * MINUTE)
    assert store.session("s1", NOW) is None


def test_expired_sessions_do_not_pile_up(store):
    store.add_session(session("old", expires=NOW - 1))
    store.add_session(session("new"))

    assert store.session("old", NOW - MINUTE) is None


# ── links ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_link_works_once(store):
    link = SignInLink("hash", "lin", NOW + MINUTE)
    store.add_link(link)

    assert store.take_link("hash", NOW) == link
    assert store.take_link("hash", NOW) is None


def test_a_link_that_expired_does_not_work(store):
    store.add_link(SignInLink("hash", "lin", NOW))

    assert store.take_link("hash", NOW) is None


def test_of_many_who_use_a_link_at_once_one_gets_it(store, open_store):
    store.add_link(SignInLink("hash", "lin", NOW + MINUTE))
    stores = [store, open_store()]

    taken = at_once(12, lambda n: stores[n % 2].take_link("hash", NOW))

    assert sum(isinstance(link, SignInLink) for link in taken) == 1
    assert taken.count(None) == 11


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_is_found_by_the_hash_of_its_secret(store):
    scoped = token(scopes=("job:read", "job:write"))
    store.add_token(scoped)

    assert store.token(scoped.secret_hash, NOW) == scoped
    assert store.token("other", NOW) is None


def test_an_expired_token_is_not_found_but_listed(store):
    brief = token(expires_at=NOW + MINUTE)
    store.add_token(brief)

    assert store.token(brief.secret_hash, NOW + MINUTE - 1) == brief
    assert store.token(brief.secret_hash, NOW + MINUTE) is None
    assert store.tokens("lin") == (brief,)


def test_token_names_are_unique_for_a_person(store):
    store.add_token(token("laptop", "lin"))
    store.add_token(token("laptop", "wang"))

    with pytest.raises(NameTaken, match="lin already has a token named laptop"):
        store.add_token(replace(token("laptop", "lin"), id="other", secret_hash="other"))


def test_tokens_are_removed_by_their_owner_only(store):
    store.add_token(token("a"))
    store.add_token(token("b"))

    assert not store.remove_token("wang", "id-lin-a")
    assert store.remove_token("lin", "id-lin-a")
    assert not store.remove_token("lin", "id-lin-a")
    assert [each.name for each in store.tokens("lin")] == ["b"]
    store.remove_tokens("lin")
    assert store.tokens("lin") == ()
    assert store.token("hash-lin-b", NOW) is None


def test_a_token_takes_along_what_was_made_with_it(store):
    first, alone = token("first"), token("alone")
    child = replace(token("child"), parent=first.id)
    grandchild = replace(token("grandchild"), parent=child.id)
    for one in (grandchild, child, first, alone):
        store.add_token(one)

    assert store.token(child.secret_hash, NOW) == child
    assert store.remove_token("lin", first.id, NOW, by=Entry("lin", "token_revoked", ""))
    assert store.tokens("lin") == (alone,)
    assert [one.entry.before for one in store.chain(0, 10)] == [
        {"token": name} for name in ("first", "child", "grandchild")
    ]


def test_a_token_can_be_replaced_without_what_was_made_with_it(store):
    store.add_token(token("first"))
    store.add_token(replace(token("child"), parent="id-lin-first"))
    assert store.remove_token("lin", "id-lin-first", alone=True)
    assert [one.name for one in store.tokens("lin")] == ["child"]


def test_all_tokens_are_listed_and_all_but_one_removed(store):
    for person, name in (("lin", "a"), ("lin", "b"), ("lin", "c"), ("wang", "a")):
        store.add_token(token(name, person))
    assert {(one.user, one.name) for one in store.all_tokens()} == {
        ("lin", "a"),
        ("lin", "b"),
        ("lin", "c"),
        ("wang", "a"),
    }
    store.remove_tokens("lin", "id-lin-b", NOW, by=Entry("lin", "token_revoked", ""))
    assert [(one.user, one.name) for one in store.all_tokens()] == [("lin", "b"), ("wang", "a")]
    assert [one.entry.before for one in store.chain(0, 10)] == [{"token": "a"}, {"token": "c"}]


def test_the_name_of_an_expired_token_is_free_again(store):
    store.add_token(token("laptop", expires_at=NOW + MINUTE))
    again = replace(token("laptop"), id="again", secret_hash="again")
    with pytest.raises(NameTaken):
        store.add_token(replace(again, created_at=NOW + MINUTE - 1))
    store.add_token(replace(again, created_at=NOW + MINUTE))
    assert [one.id for one in store.tokens("lin")] == ["again"]


def test_the_use_of_a_token_is_written_once_a_minute(store, open_store):
    store.add_token(token())
    other = open_store()

    def used(by, now):
        by.touch_token("id-lin-laptop", now)
        (found,) = store.tokens("lin")
        return found.last_used_at

    assert used(store, NOW) == NOW
    assert used(store, NOW + MINUTE - 1) == NOW
    assert used(other, NOW + MINUTE - 1) == NOW
    assert used(store, NOW + MINUTE) == NOW + MINUTE
    store.touch_token("unknown", NOW)


def test_of_several_servers_that_would_make_a_first_link_one_does(store, open_store):
    stores = [open_store() for _ in range(4)]
    links = [SignInLink(f"h{number}", "admin", NOW + 10) for number in range(4)]

    kept = at_once(4, lambda number: stores[number].add_link(links[number], unless_at=NOW))

    assert sorted(kept) == [False, False, False, True]
    assert not store.add_link(SignInLink("late", "admin", NOW + 99), unless_at=NOW + 9)
    assert store.add_link(SignInLink("next", "admin", NOW + 99), unless_at=NOW + 10)
    assert store.add_link(SignInLink("asked for", "admin", NOW + 99))
