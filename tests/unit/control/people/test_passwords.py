"""Passwords that anybody would try first are not taken."""

from __future__ import annotations

from typing import Literal

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from danlu.control.people.passwords import Passwords
from danlu.domain.errors import Invalid


@pytest.mark.parametrize("password", ["password", "Password1", "12345678", "aaaaaaaaaa"])
def test_a_password_that_is_guessed_first_is_refused(password: str) -> None:
    with pytest.raises(Invalid) as refused:
        Passwords().chosen(password, "new")
    assert [(error.loc, error.code) for error in refused.value.errors] == [(("new",), "too_common")]


def test_another_is_taken() -> None:
    passwords = Passwords()
    assert passwords.matches(passwords.chosen("correct horse", "new"), "correct horse")


@pytest.mark.parametrize("hasher", [PasswordHasher(), PasswordHasher(1, 64, 1, hash_len=24, salt_len=8)])
def test_checking_the_password_of_nobody_takes_the_work_of_any(hasher: PasswordHasher) -> None:
    checked: list[str] = []

    class Told(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 (its name there)
            checked.append(str(hash))
            return super().verify(hash, password)

    assert not Passwords(Told.from_parameters(extract_parameters(hasher.hash("any")))).matches(None, "guess")
    (decoy,) = checked
    assert extract_parameters(decoy) == extract_parameters(hasher.hash("any"))
    with pytest.raises(VerifyMismatchError):  # computed and compared, not refused by its form
        hasher.verify(decoy, "guess")
