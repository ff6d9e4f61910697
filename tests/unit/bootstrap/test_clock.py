"""Identifiers rise whatever the clock does."""

from __future__ import annotations

from danlu.bootstrap.clock import RandomIds
from tests.fakes.clock import FakeClock


def test_ids_rise_within_a_moment_and_when_the_clock_is_set_back() -> None:
    clock = FakeClock()
    ids = RandomIds(clock)
    made = [ids.new() for _ in range(100)]
    clock.advance(-24 * 3_600_000)
    made += [ids.new() for _ in range(1000)]
    assert made == sorted(set(made))
