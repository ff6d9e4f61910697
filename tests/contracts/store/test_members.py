"""Who belongs to which project: edited one after the other, and told with every change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict
from danlu.domain.members import MemberRole, Membership
from danlu.domain.rules import Project
from danlu.domain.words import same
from danlu.ports.governance import AuditQuery
from tests.contracts.store.building import NOW, at_once

CREATOR, MEMBER, VIEWER = MemberRole.CREATOR, MemberRole.MEMBER, MemberRole.VIEWER
BY = Entry("lin", "member_set", "", address="10.1.1.1", means="session")


def one(user, role=MEMBER, project="nlp", since=NOW):
    return Membership(project, user, role, since, "lin")


def put(store, *members, project="nlp"):
    return store.edit_members(project, lambda _: members, NOW, by=BY)


def noted(store):
    return [(each.entry.act, each.entry.subject, each.entry.before, each.entry.after)
            for each in reversed(store.noted(AuditQuery()))]  # fmt: skip


def test_members_come_creators_first_and_then_by_name(store, open_store):
    written = put(store, one("wang"), one("vera", VIEWER), one("lin", CREATOR), one("an"))

    assert [(each.user, each.role) for each in written] == [
        ("lin", CREATOR), ("an", MEMBER), ("wang", MEMBER), ("vera", VIEWER),
    ]  # fmt: skip
    assert open_store().members("nlp") == written
    assert store.members("vision") == ()


def test_a_person_sees_where_they_belong_and_everybody_how_many(store):
    put(store, one("lin", CREATOR), one("wang"))
    put(store, one("lin", VIEWER, "vision"), project="vision")

    assert [(each.project, each.role) for each in store.memberships("lin")] == [
        ("nlp", CREATOR), ("vision", VIEWER),
    ]  # fmt: skip
    assert store.member_counts() == {"nlp": 2, "vision": 1}


def test_who_came_changed_and_went_is_told_and_noted_and_nobody_else(store):
    put(store, one("lin", CREATOR), one("wang"), one("mei"))
    seen = store.events_after(0, 100)[-1].seq
    store.edit_members(
        "nlp", lambda known: [replace(known[0]), one("mei", VIEWER), one("an")], NOW + 1, by=BY
    )

    told = store.events_after(seen, 100)
    assert [(event.actor, event.text.en) for event in told] == [
        ("lin", "an is a member of project nlp, by lin"),
        ("lin", "mei is a viewer of project nlp, by lin"),
        ("lin", "wang was removed from project nlp by lin"),
    ]
    assert noted(store)[3:] == [
        ("member_set", "project:nlp", None, {"member": "an", "role": "member"}),
        ("member_set", "project:nlp", {"member": "mei", "role": "member"}, {"member": "mei", "role": "viewer"}),
        ("member_set", "project:nlp", {"member": "wang", "role": "member"}, None),
    ]  # fmt: skip
    assert store.last_noted().entry.address == "10.1.1.1"


def test_what_a_change_raises_undoes_it(store):
    put(store, one("lin", CREATOR))
    before = store.last_noted()

    def refused(_):
        raise Conflict(same("no"))

    with pytest.raises(Conflict):
        store.edit_members("nlp", refused, NOW, by=BY)
    assert (store.member_counts(), store.last_noted()) == ({"nlp": 1}, before)


def test_edits_of_one_project_do_not_overtake_each_other(store, open_store):
    stores = [store, open_store(), open_store()]

    def add(number):
        def more(known):
            return (*known, one(f"user{number}"))

        return stores[number % 3].edit_members("nlp", more, NOW, by=BY)

    at_once(12, add)
    assert len(store.members("nlp")) == 12


def test_a_project_begins_with_whoever_made_it(store):
    by = Entry("lin", "", "")
    store.edit_rules(lambda known: (*known, Project("nlp")), NOW, by=by, joining=one("lin", CREATOR))

    assert store.members("nlp") == (one("lin", CREATOR),)
    assert [each[:2] for each in noted(store)] == [("added", "project:nlp"), ("joined", "project:nlp")]


def test_a_project_that_could_not_be_made_has_no_members(store):
    def refused(_):
        raise Conflict(same("no"))

    with pytest.raises(Conflict):
        store.edit_rules(refused, NOW, by=Entry("lin", "", ""), joining=one("lin", CREATOR))
    assert store.member_counts() == {}


def test_a_project_that_goes_takes_its_memberships_along(store):
    by = Entry("lin", "", "")
    store.edit_rules(lambda _: (Project("nlp"), Project("vision")), NOW, by=by)
    put(store, one("lin", CREATOR), one("wang"))
    put(store, one("mei", project="vision"), project="vision")
    store.edit_rules(lambda _: (Project("vision"),), NOW, by=by)

    assert store.member_counts() == {"vision": 1}
    assert store.memberships("lin") == ()
