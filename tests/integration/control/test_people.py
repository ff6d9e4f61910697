"""People: sign-in, sessions and tokens, and what the audit log keeps of them."""

from __future__ import annotations

import pytest

from danlu.control.people.sign_in import Browser
from danlu.domain.errors import (
    Conflict,
    DiskFull,
    Invalid,
    NotAllowed,
    NotFound,
    NotSignedIn,
    WrongCredentials,
)
from danlu.domain.people import Session, UserRole
from danlu.domain.permissions import Permission
from danlu.ports.governance import AuditQuery
from tests.integration.control.office import GOOD, Office


def test_the_right_password_opens_a_session_that_ends_at_sign_out(office: Office) -> None:
    secret, session = office.people.sign_in("lin", GOOD)
    assert office.people.session(secret)[1].name == "lin"
    office.people.sign_out(session)
    with pytest.raises(NotSignedIn):
        office.people.session(secret)


@pytest.mark.parametrize(
    ("name", "password"), [("lin", "wrong"), ("nobody", GOOD), ("admin", ""), ("lin", "")]
)
def test_anything_else_is_refused_in_the_same_words(office: Office, name: str, password: str) -> None:
    with pytest.raises(WrongCredentials, match="Wrong user name or password"):
        office.people.sign_in(name, password)


def test_a_session_ends_by_itself(office: Office) -> None:
    secret, _ = office.people.sign_in("lin", GOOD)
    office.clock.advance(15 * 24 * 3_600_000)
    with pytest.raises(NotSignedIn):
        office.people.session(secret)


def test_a_session_remembers_the_browser_and_when_it_was_last_seen(office: Office) -> None:
    secret, session = office.people.sign_in("lin", GOOD, Browser("Fire\x00fox\n" + "x" * 300, "10.0.0.9"))
    assert (session.agent, session.address) == ("Firefox" + "x" * 193, "10.0.0.9")
    began = office.clock.now()
    office.clock.advance(59_999)
    office.people.session(secret)
    assert [one.seen_at for one in office.people.sessions(office.lin)] == [began]
    office.clock.advance(1)
    office.people.session(secret)
    assert [one.seen_at for one in office.people.sessions(office.lin)] == [began + 60_000]


def test_a_full_disk_shuts_no_signed_in_browser_out(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = office.people.sign_in("lin", GOOD)

    def full(session: Session, now: int) -> None:
        raise DiskFull

    monkeypatch.setattr(office.store, "touch_session", full)
    assert office.people.session(secret)[1].name == "lin"


def test_a_session_of_somebody_else_cannot_be_ended(office: Office) -> None:
    secret, session = office.people.sign_in("lin", GOOD)
    with pytest.raises(NotFound, match="you have no session"):
        office.people.end_session(office.admin, session.id)
    office.people.end_other_sessions(office.admin, None)
    assert office.people.session(secret)[1].name == "lin"
    office.people.end_session(office.lin, session.id)
    with pytest.raises(NotSignedIn):
        office.people.session(secret)


def test_a_link_signs_in_once_and_not_late(office: Office) -> None:
    code = office.people.make_link("admin")
    assert office.people.sign_in_by_link(code)[1].user == "admin"
    with pytest.raises(WrongCredentials, match="already used"):
        office.people.sign_in_by_link(code)
    late = office.people.make_link("admin")
    office.clock.advance(2 * 3_600_000)
    with pytest.raises(WrongCredentials):
        office.people.sign_in_by_link(late)


def test_a_token_speaks_for_its_owner_within_its_scopes_until_it_ends(office: Office) -> None:
    secret, token = office.people.make_token(office.lin, "ci", ("job:read",), 60_000)
    bearer = office.people.bearer(secret)
    assert (bearer.name, bearer.may(Permission.JOB_READ), bearer.may(Permission.JOB_WRITE)) == (
        "lin",
        True,
        False,
    )
    office.clock.advance(60_001)
    with pytest.raises(NotSignedIn):
        office.people.bearer(secret)
    lasting, kept = office.people.make_token(office.lin, "ci-2")
    office.people.revoke_token(office.lin, kept.id)
    with pytest.raises(NotSignedIn):
        office.people.bearer(lasting)
    with pytest.raises(NotFound):
        office.people.revoke_token(office.admin, token.id)


def test_secrets_are_kept_only_as_hashes(office: Office) -> None:
    secret, _ = office.people.make_token(office.lin, "ci")
    session, _ = office.people.sign_in("lin", GOOD)
    office.store.close()
    raw = b"".join(file.read_bytes() for file in office.folder.iterdir())
    assert b"lin" in raw
    for word in (secret, session, GOOD):
        assert word.encode() not in raw


def test_a_token_made_through_a_token_may_do_no_more(office: Office) -> None:
    secret, _ = office.people.make_token(office.lin, "narrow", ("job:read", "token:write"))
    bearer = office.people.bearer(secret)
    with pytest.raises(NotAllowed, match="job:write"):
        office.people.make_token(bearer, "wider", ("job:write",))
    _, same = office.people.make_token(bearer, "same")
    assert set(same.scopes) == {"job:read", "token:write"}


def test_an_unknown_scope_is_named(office: Office) -> None:
    with pytest.raises(Invalid) as refused:
        office.people.make_token(office.lin, "odd", ("job:read", "job:fly"))
    assert (refused.value.errors[0].loc, refused.value.errors[0].value) == (("scopes", 1), "job:fly")


def test_a_changed_password_needs_the_present_one_and_has_bounds(office: Office) -> None:
    with pytest.raises(Invalid, match="error"):
        office.people.set_password(office.lin, "another good one", "wrong")
    with pytest.raises(Invalid) as refused:
        office.people.set_password(office.lin, "short", GOOD)
    assert "8–256 characters; this one has 5" in refused.value.errors[0].message
    office.people.set_password(office.lin, "another good one", GOOD)
    office.people.sign_in("lin", "another good one")


def test_a_password_change_in_flight_does_not_undo_what_an_administrator_did(office: Office) -> None:
    hasher = office.people._passwords
    slow_hash = hasher.hash

    def meanwhile(password: str) -> str:
        hasher.hash = slow_hash  # type: ignore[method-assign]
        office.accounts.edit_user(office.admin, "lin", disabled=True, role=UserRole.VIEWER)
        return slow_hash(password)

    hasher.hash = meanwhile  # type: ignore[method-assign]
    with pytest.raises(Conflict, match="changed in the meantime"):
        office.people.set_password(office.lin, "another good one", GOOD)
    user = office.store.user("lin")
    assert user is not None
    assert (user.disabled, user.role) == (True, UserRole.VIEWER)


def test_a_narrow_token_cannot_set_a_password(office: Office) -> None:
    secret, _ = office.people.make_token(office.admin, "narrow", ("node:read",))
    with pytest.raises(NotAllowed, match="sign in to do that"):
        office.people.set_password(office.people.bearer(secret), "another good one", None)


def test_a_changed_password_ends_other_sessions(office: Office) -> None:
    here, session = office.people.sign_in("lin", GOOD)
    there, _ = office.people.sign_in("lin", GOOD)
    office.people.set_password(office.lin, "another good one", GOOD, keep=session.secret_hash)
    assert office.people.session(here)[1].name == "lin"
    with pytest.raises(NotSignedIn):
        office.people.session(there)


def test_a_changed_password_leaves_no_link_to_sign_in_with(office: Office) -> None:
    link = office.people.make_link("lin")
    office.people.set_password(office.lin, "another one", GOOD)
    with pytest.raises(WrongCredentials):
        office.people.sign_in_by_link(link)


def test_sign_ins_and_failures_are_noted_with_where_they_came_from(office: Office) -> None:
    here = Browser("Firefox", "10.0.0.9")
    office.people.sign_in("lin", GOOD, here)
    with pytest.raises(WrongCredentials):
        office.people.sign_in("lin", "wrong", here)
    with pytest.raises(WrongCredentials):
        office.people.sign_in("x" * 5_000 + "\x00\n", "wrong", here)
    with pytest.raises(WrongCredentials):
        office.people.sign_in_by_link("no such code", here)
    entries = [one.entry for one in reversed(office.store.noted(AuditQuery()))][-4:]
    assert [(one.by, one.act, one.means) for one in entries] == [
        ("lin", "signed_in", "password"),
        ("lin", "sign_in_failed", "password"),
        ("x" * 64, "sign_in_failed", "password"),
        ("unknown", "sign_in_failed", "link"),
    ]
    assert {one.address for one in entries} == {"10.0.0.9"}


def test_a_full_disk_does_not_hide_a_wrong_password(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(office.store, "note", full)
    with pytest.raises(WrongCredentials):
        office.people.sign_in("lin", "wrong")


def test_what_one_does_with_ones_own_credentials_is_noted(office: Office) -> None:
    _, token = office.people.make_token(office.lin, "ci")
    office.people.revoke_token(office.lin, token.id)
    office.people.set_password(office.lin, "another good one", GOOD)
    office.people.end_other_sessions(office.lin, None)
    for act in ("token_made", "token_revoked", "password_set", "signed_out"):
        assert office.noted(act) == [("lin", "user:lin")]
    text = str([one.entry for one in office.store.noted(AuditQuery())])
    assert "argon2" not in text
    assert "another good one" not in text
