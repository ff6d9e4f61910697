"""Failed sign-ins slow the guesser down, and nobody else."""

from __future__ import annotations

import pytest

from danlu.domain.errors import TooMany
from danlu.server.http.sign_in_limits import SignInAttempts, SignInTry

HERE, THERE = "10.0.0.1", "10.9.9.9"


def fail(attempts: SignInAttempts, attempt: SignInTry, times: int = 1) -> None:
    for _ in range(times):
        attempts.failed(attempt)


def test_a_guesser_has_a_budget_for_a_name_at_an_address() -> None:
    attempts = SignInAttempts(per_minute=3)
    fail(attempts, SignInTry("lin", HERE), 3)
    with pytest.raises(TooMany):
        attempts.check(SignInTry("lin", HERE))
    attempts.check(SignInTry("lin", THERE))
    attempts.check(SignInTry("wang", HERE))


def test_a_crowd_that_guesses_one_name_leaves_every_other_address_a_try() -> None:
    attempts = SignInAttempts(per_minute=10)
    for guesser in range(25):
        fail(attempts, SignInTry("lin", f"10.0.1.{guesser}"), 2)
    with pytest.raises(TooMany):
        attempts.check(SignInTry("lin", "10.0.1.7"))
    attempts.check(SignInTry("lin", THERE))
    fail(attempts, SignInTry("lin", THERE))
    attempts.check(SignInTry("lin", THERE))
    fail(attempts, SignInTry("lin", THERE))
    with pytest.raises(TooMany):
        attempts.check(SignInTry("lin", THERE))
    attempts.check(SignInTry("wang", "10.0.1.7"))


def test_a_browser_that_signed_in_before_has_a_budget_of_its_own() -> None:
    attempts = SignInAttempts(per_minute=2)
    for number in range(100):
        fail(attempts, SignInTry("lin", HERE))
        fail(attempts, SignInTry(f"name-{number}", HERE))
    hers = SignInTry("lin", HERE, device="hers")
    attempts.check(hers)
    assert attempts.hold(hers) == 0
    fail(attempts, hers, 2)
    with pytest.raises(TooMany):
        attempts.check(hers)
    attempts.check(SignInTry("lin", HERE, device="her other one"))


def test_a_browser_that_forgot_the_password_spends_nobody_elses_budget() -> None:
    attempts = SignInAttempts(per_minute=2)
    fail(attempts, SignInTry("lin", HERE, device="hers"), 50)
    attempts.check(SignInTry("lin", HERE))
    assert attempts.hold(SignInTry("lin", HERE)) == 0


def test_an_address_with_many_failures_is_looked_at_more_slowly_and_still_looked_at() -> None:
    clock = Clock()
    attempts = SignInAttempts(per_minute=10, now=clock)
    for number in range(100):
        assert attempts.hold(SignInTry(f"name-{number}", HERE)) == 0
        fail(attempts, SignInTry(f"name-{number}", HERE))
    held = [attempts.hold(SignInTry("wang", HERE)) for _ in range(5)]
    assert held == pytest.approx([0.6, 1.2, 1.8, 2.4, 3.0])
    with pytest.raises(TooMany) as refused:
        attempts.hold(SignInTry("wang", HERE))
    assert refused.value.retry_after == 4
    assert attempts.hold(SignInTry("wang", THERE)) == 0
    clock.now += 3.1
    assert attempts.hold(SignInTry("wang", HERE)) == pytest.approx(0.5)


def test_links_name_nobody_and_count_for_their_address_alone() -> None:
    attempts = SignInAttempts(per_minute=1)
    for guesser in range(20):
        fail(attempts, SignInTry("", f"10.0.0.{guesser}"))
    attempts.check(SignInTry("", THERE))
    assert attempts.hold(SignInTry("", THERE)) == 0
    fail(attempts, SignInTry("", HERE), 9)
    with pytest.raises(TooMany):
        attempts.hold(SignInTry("", HERE))


def test_a_machine_is_one_address_however_many_it_has_in_ipv6() -> None:
    attempts = SignInAttempts(per_minute=2)
    fail(attempts, SignInTry("lin", "2001:db8:1:2::1"))
    fail(attempts, SignInTry("lin", "2001:db8:1:2:ffff::9"))
    with pytest.raises(TooMany):
        attempts.check(SignInTry("lin", "2001:db8:1:2::77"))
    attempts.check(SignInTry("lin", "2001:db8:1:3::1"))
    fail(attempts, SignInTry("wang", "::ffff:10.0.0.1"), 2)
    with pytest.raises(TooMany):
        attempts.check(SignInTry("wang", "10.0.0.1"))
    attempts.check(SignInTry("wang", "10.0.0.2"))


def test_who_was_slowed_down_is_told_how_long_and_may_try_again_then() -> None:
    clock = Clock()
    attempts = SignInAttempts(per_minute=2, now=clock)
    lin = SignInTry("lin", HERE)
    attempts.failed(lin)
    clock.now += 20
    attempts.failed(lin)
    clock.now += 9.5
    with pytest.raises(TooMany, match="try again in 31 s") as refused:
        attempts.check(lin)
    assert refused.value.retry_after == 31
    clock.now += 31
    attempts.check(lin)
    attempts.failed(lin)
    with pytest.raises(TooMany, match="try again in 20 s"):
        attempts.check(lin)


def test_names_that_were_tried_long_ago_take_no_memory() -> None:
    clock = Clock()
    attempts = SignInAttempts(per_minute=2, now=clock)
    for number in range(100):
        attempts.failed(SignInTry(f"name-{number}", f"10.0.0.{number}"))
    clock.now += 61
    attempts.failed(SignInTry("lin", THERE))
    assert len(attempts._failures) == 3


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now
