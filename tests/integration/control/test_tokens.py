"""Tokens: none outlives what made it, unless somebody with the right asks; those who manage accounts see all."""

from __future__ import annotations

import pytest

from danlu.control.people.token_oversight import TokenOversight
from danlu.domain.errors import Invalid, NotAllowed, NotFound, NotSignedIn
from danlu.domain.permissions import Caller
from danlu.domain.rules import Group
from danlu.ports.governance import AuditQuery
from tests.integration.control.office import GOOD, Office

DAY = 86_400_000


def signed_in(office: Office) -> Caller:
    secret, _ = office.people.sign_in("lin", GOOD)
    return office.people.session(secret)[1]


def oversight(office: Office) -> TokenOversight:
    return TokenOversight(office.store, office.clock, office.registry.groups)


def test_what_is_made_in_a_session_ends_with_it_unless_more_is_asked_for(office: Office) -> None:
    lin, now = signed_in(office), office.clock.now()
    assert office.people.make_token(lin, "unasked")[1].expires_at == lin.until == now + 14 * DAY
    assert office.people.make_token(lin, "asked", life=365 * DAY)[1].expires_at == now + 365 * DAY
    for much in (365 * DAY + 1, "never"):
        with pytest.raises(Invalid) as refused:
            office.people.make_token(lin, "too long", life=much)
        (mistake,) = refused.value.errors
        assert (mistake.loc, mistake.value, mistake.bound) == (("expires_in",), much, "365d")
        assert "token:extend" in mistake.message
        assert "token:extend" in mistake.text.zh


def test_what_is_made_with_a_token_never_outlives_it(office: Office) -> None:
    secret, parent = office.people.make_token(office.lin, "parent", life=DAY)
    bearer = office.people.bearer(secret)
    assert office.people.make_token(bearer, "unasked")[1].expires_at == parent.expires_at
    office.clock.advance(1_000)
    assert office.people.make_token(bearer, "short", life=60_000)[1].expires_at == office.clock.now() + 60_000
    for much in (DAY, "never"):
        with pytest.raises(Invalid, match="error"):
            office.people.make_token(bearer, "longer", life=much)


def test_revoking_a_token_ends_what_was_made_with_it(office: Office) -> None:
    secret, parent = office.people.make_token(office.lin, "leaked")
    bearer = office.people.bearer(secret)
    child, _ = office.people.make_token(bearer, "hidden away", life=DAY)
    grandchild, _ = office.people.make_token(office.people.bearer(child), "deeper")
    office.people.revoke_token(office.lin, parent.id)
    for gone in (secret, child, grandchild):
        with pytest.raises(NotSignedIn):
            office.people.bearer(gone)


@pytest.mark.parametrize("how", ["administrator", "group"])
def test_who_has_the_right_may_ask_for_more(office: Office, how: str) -> None:
    office.registry.add(office.admin, Group("robots", permissions=("token:extend",)))
    if how == "group":
        office.accounts.edit_user(office.admin, "lin", groups=("robots",))
    name = "admin" if how == "administrator" else "lin"
    secret, parent = office.people.make_token(office.caller(name), "parent", life=DAY)
    bearer = office.people.bearer(secret)
    kept, lasting = office.people.make_token(bearer, "lasting", life="never")
    assert (lasting.expires_at, lasting.parent) == (None, None)
    _, unasked = office.people.make_token(bearer, "unasked")
    assert (unasked.expires_at, unasked.parent) == (parent.expires_at, parent.id)
    office.people.revoke_token(office.caller(name), parent.id)
    assert [one.name for one in office.store.tokens(name)] == ["lasting"]
    assert office.people.bearer(kept).name == name


def test_a_token_without_that_scope_does_not_pass_the_right_on(office: Office) -> None:
    secret, _ = office.people.make_token(office.admin, "narrow", ("token:write",), DAY)
    with pytest.raises(Invalid):
        office.people.make_token(office.people.bearer(secret), "longer", life="never")


def test_a_new_password_ends_tokens_if_asked_but_the_one_in_use(office: Office) -> None:
    secret, _ = office.people.make_token(office.lin, "in use")
    other, _ = office.people.make_token(office.lin, "other")
    browser, _ = office.people.sign_in("lin", GOOD)
    bearer = office.people.bearer(secret)
    office.people.set_password(bearer, "another good one", GOOD, end_sessions=False)
    assert office.people.bearer(other).name == office.people.session(browser)[1].name == "lin"
    office.people.set_password(bearer, "a third good one", "another good one", end_tokens=True)
    assert office.people.bearer(secret).name == "lin"
    with pytest.raises(NotSignedIn):
        office.people.bearer(other)
    with pytest.raises(NotSignedIn):
        office.people.session(browser)
    (noted,) = office.store.noted(AuditQuery(act="token_revoked"))
    assert (noted.entry.by, noted.entry.before) == ("lin", {"token": "other"})


def test_administrators_see_and_revoke_everybodys_tokens(office: Office) -> None:
    secret, token = office.people.make_token(office.lin, "ci", life=DAY)
    office.people.make_token(office.admin, "own")
    every = oversight(office).tokens(office.admin)
    assert [(one.user, one.name) for one in every] == [("lin", "ci"), ("admin", "own")]
    assert [one.name for one in oversight(office).tokens(office.admin, "lin")] == ["ci"]
    assert oversight(office).revoke(office.admin, token.id) == "lin"
    with pytest.raises(NotSignedIn):
        office.people.bearer(secret)
    (noted,) = office.store.noted(AuditQuery(act="token_revoked"))
    assert (noted.entry.by, noted.entry.subject, noted.entry.before) == ("admin", "user:lin", {"token": "ci"})
    with pytest.raises(NotFound):
        oversight(office).revoke(office.admin, token.id)


def test_nobody_else_does_and_nobody_acts_on_those_above_them(office: Office) -> None:
    _, token = office.people.make_token(office.admin, "own")
    for act in (
        lambda: oversight(office).tokens(office.lin),
        lambda: oversight(office).revoke(office.lin, token.id),
    ):
        with pytest.raises(NotAllowed, match="user:write"):
            act()
    office.registry.add(office.admin, Group("desk", permissions=("user:write",)))
    office.accounts.edit_user(office.admin, "lin", groups=("desk",))
    helper = office.caller("lin")
    assert [one.name for one in oversight(office).tokens(helper)] == ["own"]
    with pytest.raises(NotAllowed, match="administrator"):
        oversight(office).revoke(helper, token.id)
