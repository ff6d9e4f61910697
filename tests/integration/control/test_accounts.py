"""Accounts: invitations, resets, disabling, bulk acts, and what nobody may do to whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from danlu.control.people.accounts import UserQuery, UserState
from danlu.control.people.bulk_accounts import BulkAct
from danlu.domain.errors import (
    Conflict,
    HasActiveJobs,
    Invalid,
    NameTaken,
    NotAllowed,
    NotFound,
    NotSignedIn,
    WrongCredentials,
)
from danlu.domain.job import JobState
from danlu.domain.members import MemberRole, Membership
from danlu.domain.people import UserRole
from danlu.domain.rules import Group
from tests.integration.control.office import GOOD, Office
from tests.unit.control.people.test_ssh_keys import ED25519

DAY = 24 * 3_600_000


def helpdesk(office: Office) -> None:
    """lin may manage people and groups, and nothing else."""
    office.groups.add(office.admin, Group("helpdesk", ("user:read", "user:write", "group:write")))
    office.accounts.edit_user(office.admin, "lin", groups=("helpdesk",))


def test_the_last_administrator_stays(office: Office) -> None:
    undone: list[Callable[[], object]] = [
        lambda: office.accounts.delete_user(office.admin, "admin"),
        lambda: office.accounts.edit_user(office.admin, "admin", role=UserRole.VIEWER),
        lambda: office.accounts.edit_user(office.admin, "admin", disabled=True),
    ]
    for undo in undone:
        with pytest.raises(Conflict, match="last administrator"):
            undo()
    office.accounts.edit_user(office.admin, "lin", role=UserRole.ADMINISTRATOR)
    office.accounts.delete_user(office.admin, "admin")


def test_of_all_administrators_in_a_bulk_act_one_stays(office: Office) -> None:
    office.accounts.edit_user(office.admin, "lin", role=UserRole.ADMINISTRATOR)
    for act in (BulkAct("disable"), BulkAct("set_role", role=UserRole.ENGINEER)):
        first, second = office.bulk.edit(office.admin, ["admin", "lin"], act)
        assert first.error is None
        assert "lin is the last administrator" in (second.error.en if second.error else "")
        office.bulk.edit(office.caller("lin"), ["admin"], BulkAct("enable"))
        office.accounts.edit_user(office.caller("lin"), "admin", role=UserRole.ADMINISTRATOR)


def test_a_disabled_person_is_shut_out_at_once(office: Office) -> None:
    secret, _ = office.people.make_token(office.lin, "ci")
    session, _ = office.people.sign_in("lin", GOOD)
    link = office.people.make_link("lin")
    office.accounts.edit_user(office.admin, "lin", disabled=True)
    attempts: list[Callable[[], object]] = [
        lambda: office.people.bearer(secret),
        lambda: office.people.session(session),
        lambda: office.people.sign_in("lin", GOOD),
    ]
    for attempt in attempts:
        with pytest.raises(NotSignedIn):
            attempt()
    office.accounts.edit_user(office.admin, "lin", disabled=False)
    attempts = [
        lambda: office.people.bearer(secret),
        lambda: office.people.session(session),
        lambda: office.people.sign_in_by_link(link),
    ]
    for attempt in attempts:
        with pytest.raises(NotSignedIn):
            attempt()
    office.people.sign_in("lin", GOOD)
    assert office.noted("disabled") == office.noted("enabled") == [("admin", "user:lin")]


def test_disabling_asks_what_becomes_of_the_jobs(office: Office) -> None:
    ids = [office.busy("lin", f"job-{number}") for number in range(3)]
    office.busy("lin", "ending", JobState.STOPPING)
    with pytest.raises(HasActiveJobs, match=r"lin has 4 active job\(s\).*jobs: keep.*jobs: stop"):
        office.accounts.edit_user(office.admin, "lin", disabled=True)
    user = office.store.user("lin")
    assert user is not None
    assert not user.disabled
    office.accounts.edit_user(office.admin, "lin", disabled=True, jobs="keep")
    assert office.stopped == []
    office.accounts.edit_user(office.admin, "lin", disabled=True, jobs="stop")
    assert sorted(office.stopped) == sorted(("admin", job) for job in ids)


def test_whoever_may_not_stop_jobs_disables_without_stopping(office: Office) -> None:
    helpdesk(office)
    office.people.make_user("wang", UserRole.ENGINEER)
    office.busy("wang")
    with pytest.raises(NotAllowed, match="job:stop"):
        office.accounts.edit_user(office.caller("lin"), "wang", disabled=True, jobs="stop")
    office.accounts.edit_user(office.caller("lin"), "wang", disabled=True, jobs="keep")


def test_an_invitation_signs_in_once_until_it_ends(office: Office) -> None:
    made = office.accounts.invite(
        office.admin, "wang", UserRole.OPERATOR, "Wang", email="w@lab.example", life=2 * DAY
    )
    assert (made.user.role, made.user.email) == (UserRole.OPERATOR, "w@lab.example")
    assert made.expires_at == office.clock.now() + 2 * DAY
    office.clock.advance(2 * DAY - 1)
    _, session = office.people.sign_in_by_link(made.code)
    office.people.set_password(office.caller("wang"), GOOD, None, keep=session.secret_hash)
    with pytest.raises(WrongCredentials, match="ask an administrator"):
        office.people.sign_in_by_link(made.code)
    late = office.accounts.invite(office.admin, "chen", UserRole.VIEWER)
    assert late.expires_at == office.clock.now() + 7 * DAY
    office.clock.advance(7 * DAY)
    with pytest.raises(WrongCredentials):
        office.people.sign_in_by_link(late.code)
    assert office.noted("invited") == [("admin", "user:wang"), ("admin", "user:chen")]


def test_a_reset_leaves_only_the_new_link(office: Office) -> None:
    session, _ = office.people.sign_in("lin", GOOD)
    token, _ = office.people.make_token(office.lin, "ci")
    older = office.accounts.reset(office.admin, "lin")
    newer = office.accounts.reset(office.admin, "lin")
    with pytest.raises(NotSignedIn):
        office.people.session(session)
    for attempt in (
        lambda: office.people.sign_in("lin", GOOD),
        lambda: office.people.sign_in_by_link(older.code),
    ):
        with pytest.raises(WrongCredentials):
            attempt()
    assert office.people.sign_in_by_link(newer.code)[1].user == "lin"
    assert office.people.bearer(token).name == "lin"
    assert office.noted("reset") == [("admin", "user:lin")] * 2


def test_whoever_is_disabled_or_somebody_elses_is_not_reset(office: Office) -> None:
    office.accounts.edit_user(office.admin, "lin", disabled=True)
    with pytest.raises(Conflict, match="enable the account first"):
        office.accounts.reset(office.admin, "lin")
    office.accounts.edit_user(office.admin, "lin", disabled=False, subject="https://id.example#7")
    with pytest.raises(Conflict, match="provider"):
        office.accounts.reset(office.admin, "lin")
    with pytest.raises(NotFound):
        office.accounts.reset(office.admin, "nobody")


def test_a_delegate_neither_makes_nor_takes_over_those_who_may_do_more(office: Office) -> None:
    helpdesk(office)
    lin = office.caller("lin")
    office.groups.add(office.admin, Group("pins", ("queue:pin",)))
    office.people.make_user("olga", UserRole.OPERATOR)
    office.accounts.add_user(lin, "wang", UserRole.ENGINEER, groups=("helpdesk",))
    refused: list[Callable[[], object]] = [
        lambda: office.accounts.add_user(lin, "root", UserRole.ADMINISTRATOR),
        lambda: office.accounts.invite(lin, "oleg", UserRole.OPERATOR),
        lambda: office.accounts.add_user(lin, "chen", UserRole.ENGINEER, groups=("pins",)),
        lambda: office.accounts.edit_user(lin, "lin", role=UserRole.ADMINISTRATOR),
        lambda: office.accounts.edit_user(lin, "lin", groups=("helpdesk", "pins")),
        lambda: office.accounts.edit_user(lin, "admin", display_name="x"),
        lambda: office.accounts.edit_user(lin, "admin", password="taken over"),
        lambda: office.accounts.edit_user(lin, "olga", subject="https://id.example#lin"),
        lambda: office.accounts.reset(lin, "olga"),
        lambda: office.accounts.reset(lin, "admin"),
        lambda: office.accounts.delete_user(lin, "olga"),
        lambda: office.groups.add(lin, Group("more", ("queue:pin",))),
        lambda: office.groups.edit(lin, "helpdesk", {"permissions": ("user:write", "audit:read")}),
    ]
    for act in refused:
        with pytest.raises(NotAllowed):
            act()
    outcomes = office.bulk.edit(lin, ["admin", "olga", "wang"], BulkAct("disable"))
    assert [one.error is None for one in outcomes] == [False, False, True]
    outcomes = office.bulk.edit(lin, ["wang"], BulkAct("set_role", role=UserRole.ADMINISTRATOR))
    assert outcomes[0].error is not None
    assert outcomes[0].error.en == "only administrators can make somebody an administrator"


def test_nobody_opens_an_account_that_may_do_more_with_its_own_things(office: Office) -> None:
    office.groups.add(office.admin, Group("helpdesk", ("user:read", "user:write")))
    office.people.make_user("vera", UserRole.VIEWER, groups=("helpdesk",))
    office.people.make_user("walt", UserRole.VIEWER)
    vera = office.caller("vera")
    assert office.accounts.edit_user(vera, "lin", display_name="Lin").display_name == "Lin"
    assert office.accounts.reset(vera, "walt").user.name == "walt"
    for take_over in (
        lambda: office.accounts.reset(vera, "lin"),
        lambda: office.accounts.edit_user(vera, "lin", password="taken over"),
    ):
        with pytest.raises(
            NotAllowed, match="a viewer cannot give access to accounts with the role engineer"
        ):
            take_over()
    office.people.sign_in("lin", GOOD)


def test_a_token_with_scopes_opens_no_account_not_even_its_owners(office: Office) -> None:
    helpdesk(office)
    secret, _ = office.people.make_token(
        office.caller("lin"), "narrow", ("user:read", "user:write", "group:write")
    )
    narrow = office.people.bearer(secret)
    office.people.make_user("wang", UserRole.ENGINEER)
    for take_over in (
        lambda: office.accounts.edit_user(narrow, "lin", password="taken over"),
        lambda: office.accounts.reset(narrow, "lin"),
        lambda: office.accounts.reset(narrow, "wang"),
    ):
        with pytest.raises(NotAllowed, match="a token with scopes cannot give access to an account"):
            take_over()
    assert office.accounts.edit_user(narrow, "wang", disabled=True).disabled


def test_only_administrators_say_who_somebody_is_to_the_provider(office: Office) -> None:
    """Else whoever manages people ties the identity of somebody whom the provider makes an administrator to an
    account whose password they know."""
    helpdesk(office)
    with pytest.raises(NotAllowed, match="only administrators can link"):
        office.accounts.edit_user(office.caller("lin"), "lin", subject="https://id.example#boss")
    assert office.accounts.edit_user(office.admin, "lin", subject="https://id.example#7").subject


def test_who_signs_in_through_the_provider_gets_no_password_to_pass_it_by(office: Office) -> None:
    office.people.make_user("wang", UserRole.ENGINEER)
    office.accounts.edit_user(office.admin, "wang", subject="https://id.example#8")
    with pytest.raises(Conflict, match="provider"):
        office.people.set_password(office.caller("wang"), "a long password", None)
    with pytest.raises(Conflict, match="provider"):
        office.accounts.edit_user(office.admin, "wang", password="a long password")
    untied = office.accounts.edit_user(office.admin, "wang", password="a long password", subject="")
    assert untied.password_hash is not None


def test_bulk_acts_do_what_they_can_and_say_the_rest(office: Office) -> None:
    for name in ("wang", "chen"):
        office.people.make_user(name, UserRole.ENGINEER)
    office.groups.add(office.admin, Group("nlp"))
    office.busy("chen")
    told = office.bulk.edit(office.admin, ["wang", "chen", "nobody", "wang"], BulkAct("disable"))
    assert [(one.name, one.error is None) for one in told] == [
        ("wang", True),
        ("chen", False),
        ("nobody", False),
    ]
    assert "1 active job(s)" in (told[1].error.en if told[1].error else "")
    office.bulk.edit(office.admin, ["chen"], BulkAct("disable", jobs="stop"))
    assert [by for by, _ in office.stopped] == ["admin"]
    told = office.bulk.edit(office.admin, ["wang", "chen"], BulkAct("add_group", group="nlp"))
    assert [one.error for one in told] == [None, None]
    assert [user.name for user in office.accounts.users(office.admin, UserQuery(group="nlp"))] == [
        "chen",
        "wang",
    ]
    office.bulk.edit(office.admin, ["wang"], BulkAct("remove_group", group="nlp"))
    assert office.groups.one(office.admin, "nlp").names == ("chen",)
    told = office.bulk.edit(office.admin, ["wang"], BulkAct("add_group", group="nlq"))
    assert told[0].error is not None
    assert told[0].error.en == "there is no group 'nlq'"


@pytest.mark.parametrize("act", [BulkAct("set_role"), BulkAct("add_group"), BulkAct("remove_group")])
def test_a_bulk_act_needs_what_it_is_about(office: Office, act: BulkAct) -> None:
    with pytest.raises(Invalid):
        office.bulk.edit(office.admin, ["lin"], act)


def test_people_are_found_by_what_is_known_of_them(office: Office) -> None:
    office.accounts.invite(office.admin, "wang", UserRole.VIEWER, "Wang Hao 王浩", email="Hao@lab.example")
    office.people.make_user("zoe", UserRole.OPERATOR, password=GOOD)
    office.accounts.edit_user(office.admin, "zoe", disabled=True)

    def found(**query: object) -> list[str]:
        return [user.name for user in office.accounts.users(office.admin, UserQuery(**query))]  # type: ignore[arg-type]

    assert found() == ["admin", "lin", "wang", "zoe"]
    assert found(search="王浩") == found(search="HAO@LAB") == found(search="wan") == ["wang"]
    assert found(role=UserRole.OPERATOR) == found(state=UserState.DISABLED) == ["zoe"]
    assert found(state=UserState.INVITED) == ["admin", "wang"]
    assert found(state=UserState.ACTIVE) == ["lin"]
    assert found(search="wan", role=UserRole.OPERATOR) == []


def test_a_person_is_shown_to_themselves_and_to_those_who_help(office: Office) -> None:
    office.busy("lin")
    office.keys.add(office.lin, "laptop", ED25519)
    office.people.make_token(office.lin, "ci")
    member = Membership("nlp", "lin", MemberRole.MEMBER, 0, "admin")
    office.store.edit_members("nlp", lambda _: [member], 0, by=office.admin.entry("member_set", ""))
    for who in (office.lin, office.admin):
        shown = office.accounts.one(who, "lin")
        assert (shown.active_jobs, shown.keys, shown.tokens) == (1, 1, 1)
        assert [(one.project, one.role) for one in shown.projects] == [("nlp", MemberRole.MEMBER)]
    with pytest.raises(NotAllowed):
        office.accounts.one(office.lin, "admin")


def test_a_deleted_name_is_never_given_again_and_leaves_nothing_behind(office: Office) -> None:
    office.keys.add(office.lin, "laptop", ED25519)
    member = Membership("nlp", "lin", MemberRole.CREATOR, 0, "lin")
    office.store.edit_members("nlp", lambda _: [member], 0, by=office.admin.entry("member_set", ""))
    office.accounts.delete_user(office.admin, "lin")
    with pytest.raises(NameTaken):
        office.accounts.add_user(office.admin, "lin", UserRole.ENGINEER)
    assert [user.name for user in office.accounts.users(office.admin)] == ["admin"]
    assert office.store.keys("lin") == ()
    assert office.store.members("nlp") == ()
    assert office.noted("key_removed") == [("admin", "user:lin")]
    assert office.noted("member_set") == [("admin", "project:nlp")] * 2


def test_nobody_is_called_danlu_which_is_who_acts_by_itself(office: Office) -> None:
    with pytest.raises(Invalid) as refused:
        office.accounts.add_user(office.admin, "danlu", UserRole.ENGINEER)
    assert [(one.loc, one.code) for one in refused.value.errors] == [(("name",), "reserved")]


def test_somebody_with_active_jobs_is_not_deleted(office: Office) -> None:
    office.busy("lin")
    with pytest.raises(HasActiveJobs, match=r"1 active job\(s\); stop them first"):
        office.accounts.delete_user(office.admin, "lin")
    assert office.store.user("lin") is not None


def test_only_administrators_manage_people(office: Office) -> None:
    with pytest.raises(NotAllowed, match="user:write"):
        office.accounts.add_user(office.lin, "wang", UserRole.ENGINEER)
    with pytest.raises(NotAllowed):
        office.accounts.users(office.lin)
    with pytest.raises(NotAllowed):
        office.bulk.edit(office.lin, ["lin"], BulkAct("enable"))


def test_administrative_acts_are_recorded_and_noted(office: Office) -> None:
    office.accounts.add_user(office.admin, "wang", UserRole.VIEWER)
    office.accounts.edit_user(office.admin, "wang", display_name="Wang")
    texts = [event.text.en for event in office.store.events_after(0, 100)]
    assert texts[-2:] == ["user wang created by admin", "user wang edited by admin"]
    assert office.noted("created") == office.noted("edited") == [("admin", "user:wang")]
    noted = office.store.last_noted()
    assert noted is not None
    assert (noted.entry.before, noted.entry.after) == ({"display_name": ""}, {"display_name": "Wang"})
    assert noted.entry.address == "10.0.0.1"
