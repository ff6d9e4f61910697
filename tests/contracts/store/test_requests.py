"""What people ask for: kept with its answer, decided once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.audit import Entry
from danlu.domain.errors import Conflict, NotFound
from danlu.domain.ids import make_id
from danlu.domain.members import MemberRole, Membership
from danlu.domain.people import User, UserRole
from danlu.domain.requests import Request, RequestKind, RequestState
from danlu.domain.words import same
from danlu.ports.governance import AuditQuery, RequestQuery
from tests.contracts.store.building import NOW, at_once

JOIN, QUOTA = RequestKind.JOIN, RequestKind.QUOTA
OPEN, APPROVED, REFUSED, WITHDRAWN = RequestState
BY = Entry("lin", "request_approved", "", reason="welcome", address="10.1.1.1")


def asked(store, number=1, kind=JOIN, user="wang", subject="nlp", **keys):
    request = Request(make_id(NOW + number, number), kind, user, subject, NOW + number, **keys)
    store.add_request(request)
    return request


def decided(state, by="lin"):
    def change(request):
        if not request.open:
            raise Conflict(same(f"it was {request.state} by {request.decided_by}"))
        return replace(request, state=state, decided_by=by, decided_at=NOW + 5, answer="words")

    return change


def found(store, **query):
    return [row.id for row in store.requests(RequestQuery(**query)).rows]


def test_a_request_comes_back_as_written_and_is_told(store, open_store):
    more = {"amounts": {"all": {"gpus": 4000}}, "life": 86_400_000}
    request = asked(store, kind=QUOTA, subject="user:wang", note="A deadline 期限", asked=more)

    assert open_store().request(request.id) == request
    assert store.request("nothing") is None
    event = store.events_after(0, 10)[0]
    assert (event.actor, event.text.en) == (
        "wang",
        "wang asks for more quota (user:wang): waiting for a decision",
    )


def test_nobody_asks_twice_for_the_same_while_it_is_open(store):
    first = asked(store, 1)
    with pytest.raises(Conflict, match="the same request is already open"):
        asked(store, 2)
    asked(store, 3, user="mei")
    asked(store, 4, subject="vision")
    store.edit_request(first.id, decided(REFUSED), NOW)
    asked(store, 5)

    assert store.requests(RequestQuery()).total == 4
    with pytest.raises(Conflict, match="the same request is already open"):
        store.edit_request(first.id, lambda _: first, NOW)


def test_requests_are_found_by_person_subject_kind_and_state(store):
    mine = asked(store, 1)
    theirs = asked(store, 2, user="mei")
    elsewhere = asked(store, 3, user="mei", subject="vision")
    more = asked(store, 4, kind=QUOTA, user="mei", subject="user:mei")
    store.edit_request(elsewhere.id, decided(APPROVED), NOW)

    everything = [more.id, elsewhere.id, theirs.id, mine.id]
    assert found(store) == everything
    assert found(store, users=("wang",)) == [mine.id]
    assert found(store, users=("wang",), subjects=("vision",)) == [elsewhere.id, mine.id]
    assert found(store, users=("wang",), subjects=(), entire=(QUOTA,)) == [more.id, mine.id]
    assert found(store, subjects=(), entire=()) == []
    assert found(store, kinds=(JOIN,), states=(OPEN,)) == [theirs.id, mine.id]
    assert found(store, states=(APPROVED, REFUSED)) == [elsewhere.id]


def test_lists_come_page_by_page_with_the_number_of_all(store):
    ids = [asked(store, number, user=f"user{number}").id for number in range(1, 6)]
    first = store.requests(RequestQuery(limit=2))
    second = store.requests(RequestQuery(limit=2, cursor=first.next_cursor))
    last = store.requests(RequestQuery(limit=2, cursor=second.next_cursor))

    pages = [[row.id for row in page.rows] for page in (first, second, last)]
    assert pages == [ids[:2:-1], ids[2:0:-1], ids[:1]]
    assert [page.total for page in (first, second, last)] == [5, 5, 5]
    assert last.next_cursor is None


def test_a_decision_a_membership_and_their_notes_are_written_together(store):
    request = asked(store)
    joining = Membership("nlp", "wang", MemberRole.MEMBER, NOW, "lin")
    edited = store.edit_request(request.id, decided(APPROVED), NOW, by=BY, joining=joining)

    assert (edited.state, edited.decided_by, store.request(request.id)) == (APPROVED, "lin", edited)
    assert store.members("nlp") == (joining,)
    notes = [one.entry for one in reversed(store.noted(AuditQuery()))]
    assert [(one.act, one.subject, one.reason) for one in notes] == [
        ("request_approved", f"request:{request.id}", "welcome"),
        ("joined", "project:nlp", "welcome"),
    ]
    assert (notes[0].before["state"], notes[0].after["state"]) == ("open", "approved")
    assert [event.text.en for event in store.events_after(1, 10)] == [
        "wang asks to join project nlp: approved by lin",
        "wang is a member of project nlp, by lin",
    ]


def test_whoever_is_more_already_stays_so(store):
    creator = Membership("nlp", "wang", MemberRole.CREATOR, NOW, "lin")
    store.edit_members("nlp", lambda _: [creator], NOW, by=BY)
    joining = replace(creator, role=MemberRole.MEMBER, since=NOW + 9)
    store.edit_request(asked(store).id, decided(APPROVED), NOW, by=BY, joining=joining)

    assert store.members("nlp") == (creator,)


def test_a_viewer_becomes_a_member(store):
    viewer = Membership("nlp", "wang", MemberRole.VIEWER, NOW, "lin")
    store.edit_members("nlp", lambda _: [viewer], NOW, by=BY)
    joining = replace(viewer, role=MemberRole.MEMBER)
    store.edit_request(asked(store).id, decided(APPROVED), NOW, by=BY, joining=joining)

    assert store.members("nlp") == (joining,)


def test_of_those_who_decide_at_once_one_does_and_the_others_are_told(store, open_store):
    request = asked(store)
    stores = [store, open_store(), open_store(), open_store()]
    joining = Membership("nlp", "wang", MemberRole.MEMBER, NOW, "lin")

    def decide(number):
        yes = number % 2 == 0
        change = decided(APPROVED if yes else REFUSED, f"admin{number}")
        return stores[number].edit_request(request.id, change, NOW, by=BY, joining=joining if yes else None)

    outcomes = at_once(4, decide)
    done = [one for one in outcomes if isinstance(one, Request)]
    assert len(done) == 1
    assert (
        sorted(str(one) for one in outcomes if not isinstance(one, Request))
        == [f"it was {done[0].state} by {done[0].decided_by}"] * 3
    )
    assert store.request(request.id) == done[0]
    assert len(store.members("nlp")) == (done[0].state is APPROVED)
    assert len(store.noted(AuditQuery(act="request_approved"))) == 1


def test_a_request_that_is_not_there_is_not_decided(store):
    with pytest.raises(NotFound, match="no request"):
        store.edit_request("nothing", decided(APPROVED), NOW)


def test_whoever_is_deleted_belongs_nowhere_and_asks_for_nothing(store):
    for name in ("wang", "mei"):
        store.add_user(User(name, UserRole.ENGINEER, NOW))
    members = [Membership("nlp", name, MemberRole.MEMBER, NOW, "lin") for name in ("wang", "mei")]
    store.edit_members("nlp", lambda _: members, NOW, by=BY)
    gone, stays = asked(store, 1, subject="vision"), asked(store, 2, user="mei", subject="vision")
    store.edit_user("wang", lambda user, _: replace(user, disabled=True), NOW)
    assert len(store.members("nlp")) == 2
    store.edit_user("wang", lambda user, _: replace(user, deleted=True), NOW + 7)

    assert [one.user for one in store.members("nlp")] == ["mei"]
    withdrawn = store.request(gone.id)
    assert (withdrawn.state, withdrawn.decided_at) == (WITHDRAWN, NOW + 7)
    assert store.request(stays.id).open
