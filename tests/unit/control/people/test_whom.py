"""Whom to ask: a few administrators who can sign in."""

from __future__ import annotations

from dataclasses import replace

from danlu.control.people.whom import Administrators
from danlu.domain.people import User, UserRole
from danlu.domain.words import Words
from tests.fakes.clock import FakeClock

LIN = User("lin", UserRole.ENGINEER, 0)
WEI = User("liwei", UserRole.ADMINISTRATOR, 0, "Li Wei", email="wei@example.org")
AWAY = replace(WEI, name="away", disabled=True)


def test_enabled_administrators_are_named_three_at_most() -> None:
    many = [AWAY, LIN, WEI, *(User(f"root{at}", UserRole.ADMINISTRATOR, 0) for at in range(4))]
    found = Administrators(lambda: many, FakeClock()).for_(LIN)
    assert found is not None
    assert found.text == Words(
        "ask an administrator: Li Wei (liwei), root0, root1", "请联系管理员：Li Wei（liwei）、root0、root1"
    )


def test_an_administrator_needs_nobody_and_changes_are_known_in_a_minute() -> None:
    people, clock = [LIN, WEI], FakeClock()
    administrators = Administrators(lambda: people, clock)
    assert administrators.for_(WEI) is None
    assert administrators.for_(LIN) is not None
    people.remove(WEI)
    clock.advance(61_000)
    assert administrators.for_(LIN) is None
