"""Groups: what they give, who belongs to them, and how many come and go at once."""

from __future__ import annotations

import pytest

from danlu.control.people.roster import UnknownName, read_roster, roster_of
from danlu.domain.errors import Conflict, Invalid, NotAllowed, NotFound
from danlu.domain.people import UserRole
from danlu.domain.permissions import Permission
from danlu.domain.rules import Group, PriorityClass, Quota
from tests.integration.control.office import Office


def test_a_group_gives_its_members_what_it_says_until_they_leave(office: Office) -> None:
    office.groups.add(office.admin, Group("pins", ("queue:pin",)))
    assert not office.caller("lin").may(Permission.QUEUE_PIN, "wang")
    office.groups.set_members(office.admin, "pins", roster_of(["lin"]))
    assert office.caller("lin").may(Permission.QUEUE_PIN, "wang")
    office.groups.edit(office.admin, "pins", {"permissions": ()})
    assert not office.caller("lin").may(Permission.QUEUE_PIN, "wang")


@pytest.mark.parametrize(
    ("group", "loc", "code"),
    [
        (Group("engineer"), ("name",), "reserved"),
        (Group("odd", ("job:fly",)), ("permissions", 0), "no_such_permission"),
        (Group("odd", ("job:read", "token:write")), ("permissions", 1), "personal"),
    ],
)
def test_a_group_that_cannot_be_is_refused_at_its_mistake(
    office: Office, group: Group, loc: tuple[str | int, ...], code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        office.groups.add(office.admin, group)
    assert [(one.loc, one.code) for one in refused.value.errors] == [(loc, code)]


def test_only_those_who_may_write_groups_do(office: Office) -> None:
    office.groups.add(office.admin, Group("nlp"))
    with pytest.raises(NotAllowed, match="group:write"):
        office.groups.add(office.lin, Group("mine"))
    with pytest.raises(NotAllowed, match="group:write"):
        office.groups.set_members(office.lin, "nlp", roster_of(["lin"]))
    with pytest.raises(NotAllowed, match="group:write"):
        office.groups.remove(office.lin, "nlp")
    assert [one.group.name for one in office.groups.all(office.lin)] == ["nlp"]


def test_nobody_is_put_into_a_group_that_may_do_more_than_who_puts_them(office: Office) -> None:
    office.groups.add(office.admin, Group("desk", ("group:write",)))
    office.groups.add(office.admin, Group("pins", ("queue:pin",)))
    office.groups.set_members(office.admin, "desk", roster_of(["lin"]))
    lin = office.caller("lin")
    for preview in (True, False):
        with pytest.raises(NotAllowed, match="queue:pin"):
            office.groups.set_members(lin, "pins", roster_of(["lin"]), preview=preview)
    office.groups.edit(lin, "pins", {"description": "as before, in other words"})
    assert office.groups.set_members(lin, "desk", roster_of(["admin"])).changed == ("admin",)


def test_a_pasted_roster_is_previewed_and_then_put_in(office: Office) -> None:
    for name in ("wang", "chen"):
        office.people.make_user(name, UserRole.ENGINEER)
    office.groups.add(office.admin, Group("nlp"))
    office.groups.set_members(office.admin, "nlp", roster_of(["chen"]))
    roster = read_roster("user,department\nlin,NLP\nwangg,NLP\nWANG,NLP\nchen,NLP\n")
    told = office.groups.set_members(office.admin, "nlp", roster, preview=True)
    assert (told.changed, told.already) == (("lin", "wang"), ("chen",))
    assert told.unknown == (UnknownName("wangg", "wang"),)
    assert office.groups.one(office.admin, "nlp").names == ("chen",)
    assert office.groups.set_members(office.admin, "nlp", roster) == told
    assert office.groups.one(office.admin, "nlp").names == ("chen", "lin", "wang")
    assert office.noted("edited")[-2:] == [("admin", "user:lin"), ("admin", "user:wang")]
    out = office.groups.set_members(office.admin, "nlp", roster_of(["lin", "admin"]), remove=True)
    assert (out.changed, out.already) == (("lin",), ("admin",))
    with pytest.raises(NotFound, match="did you mean 'nlp'"):
        office.groups.set_members(office.admin, "nlq", roster)


def test_members_are_named_to_those_who_may_know_of_them(office: Office) -> None:
    office.people.make_user("wang", UserRole.ENGINEER)
    office.groups.add(office.admin, Group("nlp"))
    office.groups.set_members(office.admin, "nlp", roster_of(["lin", "wang"]))
    assert office.groups.one(office.admin, "nlp").names == ("lin", "wang")
    seen = office.groups.one(office.caller("lin"), "nlp")
    assert (seen.count, seen.names) == (2, ("lin",))


def test_a_removed_group_is_taken_from_its_members(office: Office) -> None:
    office.groups.add(office.admin, Group("nlp"))
    office.groups.set_members(office.admin, "nlp", roster_of(["lin"]))
    office.registry.add(office.admin, PriorityClass("urgent", 900, groups=("nlp",)))
    with pytest.raises(Conflict, match="priority class urgent"):
        office.groups.remove(office.admin, "nlp")
    office.registry.remove(office.admin, PriorityClass, "urgent")
    office.registry.add(office.admin, Quota("group:nlp", {"all": {"gpus": 4000}}))
    with pytest.raises(Conflict, match="quota group:nlp"):
        office.groups.remove(office.admin, "nlp")
    assert office.caller("lin").user.groups == ("nlp",)
    office.registry.remove(office.admin, Quota, "group:nlp")
    office.groups.remove(office.admin, "nlp")
    assert office.caller("lin").user.groups == ()
