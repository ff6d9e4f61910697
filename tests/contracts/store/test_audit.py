"""The audit log: sealed link by link, appended with what it tells of, and not to be changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from danlu.domain.audit import FIRST_SEAL, Entry, SealKey, Verifier, sealed
from danlu.domain.people import User, UserRole
from danlu.domain.rules import Project
from danlu.ports.governance import AuditQuery
from danlu.store.sql import SqlStore
from tests.contracts.store.building import NOW, at_once

LIN = Entry("lin", "edited", "project:nlp", {"weight": 1}, {"weight": 2.5}, "年度计划", "10.0.0.7", "session")


def test_entries_come_back_as_they_were_noted(store):
    store.note([LIN, replace(LIN, act="removed", after=None)], NOW)

    second, first = store.noted(AuditQuery())
    assert (first.seq, first.time, first.entry) == (1, NOW, LIN)
    assert (second.seq, second.entry.act, second.entry.after) == (2, "removed", None)
    assert store.last_noted() == second
    assert store.chain(1, 10) == (second,)


def test_each_entry_is_sealed_with_the_one_before(store):
    store.note([LIN], NOW)
    store.note([LIN], NOW + 1)

    first, second = store.chain(0, 10)
    assert first.seal == sealed(FIRST_SEAL, 1, NOW, LIN)
    assert second.seal == sealed(first.seal, 2, NOW + 1, LIN)


def test_those_who_write_at_once_make_one_chain(store, open_store):
    stores = [store, open_store()]
    at_once(20, lambda number: stores[number % 2].note([replace(LIN, reason=str(number))], NOW))

    verifier = Verifier()
    assert verifier.follow(store.chain(0, 100)) is None
    assert verifier.count == 20


@pytest.mark.parametrize("statement", ["UPDATE audit SET reason = 'x'", "DELETE FROM audit"])
def test_the_database_refuses_to_change_or_remove_an_entry(store, statement):
    store.note([LIN], NOW)
    with pytest.raises(Exception, match="append-only"), store._database.writing() as connection:
        connection.execute(text(statement))
    assert len(store.chain(0, 10)) == 1


@pytest.mark.parametrize(
    ("damage", "seq", "how"),
    [
        ("UPDATE audit SET after = '{}' WHERE seq = 2", 2, "does not match its seal"),
        ("UPDATE audit SET \"by\" = 'eve' WHERE seq = 3", 3, "does not match its seal"),
        ("UPDATE audit SET time = time + 1 WHERE seq = 1", 1, "does not match its seal"),
        ("DELETE FROM audit WHERE seq = 2", 2, "missing"),
        ("DELETE FROM audit WHERE seq = 1", 1, "missing"),
    ],
)
def test_whoever_gets_round_the_database_is_found_out(store, damage, seq, how):
    store.note([LIN] * 4, NOW)
    _unguarded(store, damage)

    broken = Verifier().follow(store.chain(0, 10))
    assert broken is not None
    assert (broken.seq, how in broken.why.en) == (seq, True)


def test_who_rules_the_database_alone_cannot_write_the_log_anew(store):
    store.note([LIN] * 2, NOW)
    key = SealKey(b"not in the database", since=3)
    store.sign_with(key)
    store.note([LIN] * 3, NOW)
    assert Verifier(key=key).follow(store.chain(0, 10)) is None
    assert [one.signature is None for one in store.chain(0, 10)] == [True, True, False, False, False]

    for forged_from in (5, 4, 2):  # with every later seal made anew, as the code in the open tells
        _forge(store, forged_from)
        assert Verifier().follow(store.chain(0, 10)) is None, "seals alone say nothing"
        broken = Verifier(key=key).follow(store.chain(0, 10))
        assert broken is not None
        assert broken.seq == max(forged_from, key.since)
        assert "key" in broken.why.en
        assert "密钥" in broken.why.zh


def test_signatures_that_were_taken_away_are_missed(store):
    key = SealKey(b"not in the database", since=1)
    store.sign_with(key)
    store.note([LIN] * 3, NOW)
    _unguarded(store, "UPDATE audit SET signature = NULL")
    broken = Verifier(key=key).follow(store.chain(0, 10))
    assert broken is not None
    assert broken.seq == 1


def _forge(store: SqlStore, seq: int) -> None:
    """Change an entry and seal all later ones again."""
    kept = store.chain(seq - 1, 100)
    before = store.chain(seq - 2, 1)[0].seal
    changes = []
    for noted in kept:
        entry = replace(noted.entry, by="somebody else") if noted.seq == seq else noted.entry
        before = sealed(before, noted.seq, noted.time, entry)
        changes.append({"seq": noted.seq, "name": entry.by, "seal": before})
    _unguarded(store, 'UPDATE audit SET "by" = :name, seal = :seal WHERE seq = :seq', changes)


def _unguarded(store: SqlStore, statement: str, values: list[dict[str, Any]] | None = None) -> None:
    """As somebody who rules the database could."""
    with store._database.writing() as connection:
        if store._database.sqlite:
            connection.execute(text("DROP TRIGGER IF EXISTS audit_no_update"))
            connection.execute(text("DROP TRIGGER IF EXISTS audit_no_delete"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text(statement), values)


def test_a_change_that_is_undone_is_not_noted(store):
    with pytest.raises(ZeroDivisionError):
        store.edit_rules(lambda known: 1 / 0, NOW, by=Entry("lin", "", ""))
    assert store.last_noted() is None


def test_a_rule_is_noted_with_what_was_before_and_after(store):
    by = replace(LIN, act="", before=None, after=None)
    store.edit_rules(lambda _: [Project("nlp", weight=1)], NOW, by=by)
    store.edit_rules(lambda _: [Project("nlp", weight=2)], NOW, by=by)
    store.edit_rules(lambda _: [], NOW, by=by)

    acts = [(one.entry.act, one.entry.before, one.entry.after) for one in store.chain(0, 10)]
    assert [act for act, _, _ in acts] == ["added", "edited", "removed"]
    assert (acts[1][1]["weight"], acts[1][2]["weight"]) == (1, 2)
    assert (acts[0][1], acts[2][2]) == (None, None)
    assert {one.entry.address for one in store.chain(0, 10)} == {"10.0.0.7"}


def test_of_a_person_what_changed_is_noted_and_never_a_password(store):
    store.add_user(User("mei", UserRole.ENGINEER, NOW, password_hash="hash-1"), by=LIN)
    store.edit_user(
        "mei", lambda user, _: replace(user, role=UserRole.VIEWER, password_hash="hash-2"), NOW, by=LIN
    )

    made, edited = store.chain(0, 10)
    assert made.entry.subject == edited.entry.subject == "user:mei"
    assert edited.entry.before == {"role": "engineer"}
    assert edited.entry.after == {"role": "viewer", "password": "changed"}
    assert "hash" not in repr((made, edited))


def test_entries_are_found_by_who_what_when_and_where(store):
    store.note([LIN, replace(LIN, by="mei", act="removed", subject="pool:big")], NOW)
    store.note([replace(LIN, subject="project:vision", reason="100 % sure")], NOW + 1000)

    def found(**said: Any) -> list[int]:
        return [one.seq for one in store.noted(AuditQuery(**said))]

    assert found(by="mei") == [2]
    assert found(act="edited") == [3, 1]
    assert found(subject="project:nlp") == [1]
    assert found(subject="project:") == [3, 1]
    assert found(search="NLP") == [1]
    assert found(search="0 %") == [3]
    assert found(search="_") == []
    assert (found(since=NOW + 1), found(until=NOW + 1)) == ([3], [2, 1])
    assert (found(before=3, limit=1), found(after=1, oldest_first=True)) == ([2], [2, 3])


def test_text_that_no_database_keeps_is_sealed_as_it_is_kept(store):
    store.note([replace(LIN, reason="a\0b\ud800", after={"said": "x\0y"})], NOW)
    assert Verifier().follow(store.chain(0, 10)) is None
