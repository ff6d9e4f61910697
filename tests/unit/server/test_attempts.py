"""Failed sign-ins slow the guesser down, and nobody else."""

from __future__ import annotations

import pytest

from danlu.domain.errors import TooMany
from danlu.server.attempts import SignInAttempts


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
