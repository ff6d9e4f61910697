"""What a provider says of people becomes of their accounts, but for what it must not decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.people.provider_sign_in import ProvidedPerson, ProviderSignIn, ProviderTerms, described
from danlu.control.people.sign_in import UNKNOWN
from danlu.domain.errors import WrongCredentials
from danlu.domain.people import User, UserRole
from tests.integration.control.office import Office

ISSUER = "https://id.example"
TERMS = ProviderTerms("corp", "Corp", roles={"admins": UserRole.ADMINISTRATOR}, groups={"research": "lab"})


def sign_in(office: Office, stranger: ProvidedPerson, terms: ProviderTerms = TERMS) -> User:
    _, session = ProviderSignIn(office.store, office.people, office.clock).sign_in(terms, stranger, UNKNOWN)
    user = office.store.user(session.user)
    assert user is not None
    return user


def tied(office: Office, name: str) -> ProvidedPerson:
    office.store.edit_user(name, lambda user, _: replace(user, subject=f"{ISSUER}#{name}"))
    return ProvidedPerson(f"{ISSUER}#{name}", name)


def test_the_last_administrator_stays_one_whatever_the_provider_says(office: Office) -> None:
    admin = tied(office, "admin")
    assert sign_in(office, admin).role is UserRole.ADMINISTRATOR
    office.people.make_user("boss", UserRole.ADMINISTRATOR)
    assert sign_in(office, admin).role is UserRole.ENGINEER


def test_a_disabled_administrator_does_not_stand_in_for_the_last(office: Office) -> None:
    admin = tied(office, "admin")
    office.people.make_user("boss", UserRole.ADMINISTRATOR)
    office.accounts.edit_user(office.admin, "boss", disabled=True)
    assert sign_in(office, admin).role is UserRole.ADMINISTRATOR


def test_who_is_shut_out_here_is_not_let_in_by_the_provider_and_that_is_noted(office: Office) -> None:
    lin = tied(office, "lin")
    office.accounts.edit_user(office.admin, "lin", disabled=True)
    with pytest.raises(WrongCredentials, match="disabled"):
        sign_in(office, replace(lin, name="another"))
    assert office.noted("sign_in_failed") == [("lin", "user:lin")]


def test_a_deleted_account_is_not_made_again_for_the_same_person(office: Office) -> None:
    lin = tied(office, "lin")
    office.accounts.delete_user(office.admin, "lin")
    for again in (lin, replace(lin, name="lin-again")):
        with pytest.raises(WrongCredentials, match="was deleted"):
            sign_in(office, again)


@pytest.mark.parametrize(
    ("verified", "email"), [(True, "lin@x.example"), (None, "lin@x.example"), (False, "")]
)
def test_an_address_that_the_provider_does_not_trust_is_not_taken(verified: bool | None, email: str) -> None:
    claims = {"sub": "1", "preferred_username": "lin", "email": "lin@x.example", "email_verified": verified}
    assert described(ISSUER, claims, "preferred_username", "groups").email == email
