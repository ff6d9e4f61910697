"""Passwords that anybody would try first are not taken."""

from __future__ import annotations

import pytest

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
