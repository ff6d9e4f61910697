"""Failed sign-ins slow the guesser down, and nobody else."""

from __future__ import annotations

import pytest

from danlu.domain.errors import TooMany
from danlu.server.http.sign_in_limits import SignInAttempts


def test_who_guesses_without_a_name_locks_out_only_their_own_address() -> None:
    attempts = SignInAttempts(per_minute=1)
    for guesser in range(20):
        attempts.failed("", f"10.0.0.{guesser}")
    attempts.check("", "10.9.9.9")
    for _ in range(9):
        attempts.check("", "10.0.0.1")
        attempts.failed("", "10.0.0.1")
    with pytest.raises(TooMany):
        attempts.check("", "10.0.0.1")


def test_a_crowd_that_guesses_one_name_is_slowed_down_wherever_it_is() -> None:
    attempts = SignInAttempts(per_minute=1)
    for guesser in range(5):
        attempts.failed("lin", f"10.0.0.{guesser}")
    with pytest.raises(TooMany):
        attempts.check("lin", "10.9.9.9")
    attempts.check("wang", "10.9.9.9")


def test_who_was_slowed_down_is_told_how_long_and_may_try_again_then() -> None:
    clock = Clock()
    attempts = SignInAttempts(per_minute=2, now=clock)
    attempts.failed("lin", "10.0.0.1")
    clock.now += 20
    attempts.failed("lin", "10.0.0.1")
    clock.now += 9.5
    with pytest.raises(TooMany, match="try again in 31 s") as refused:
        attempts.check("lin", "10.0.0.1")
    assert refused.value.retry_after == 31
    clock.now += 31
    attempts.check("lin", "10.0.0.1")
    attempts.failed("lin", "10.0.0.1")
    with pytest.raises(TooMany, match="try again in 20 s"):
        attempts.check("lin", "10.0.0.1")


def test_names_that_were_tried_long_ago_take_no_memory() -> None:
    clock = Clock()
    attempts = SignInAttempts(per_minute=2, now=clock)
    for number in range(100):
        attempts.failed(f"name-{number}", f"10.0.0.{number}")
    clock.now += 61
    attempts.failed("lin", "10.9.9.9")
    assert len(attempts._failures) == 3


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now
