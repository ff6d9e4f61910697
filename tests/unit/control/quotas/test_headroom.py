"""Not every start counts what its owner has, but nobody gets beyond the cap."""

from __future__ import annotations

from danlu.control.quotas.headroom import Headroom


def test_a_part_of_what_was_left_is_used_without_counting_again() -> None:
    headroom = Headroom()
    assert not headroom.covers("lin", 1, 0)
    headroom.learn("lin", 100, 0)
    assert headroom.covers("lin", 20, 0)
    assert not headroom.covers("lin", 6, 0)
    assert headroom.covers("lin", 5, 9_999)
    assert not headroom.covers("lin", 1, 9_999)
    assert not headroom.covers("wang", 1, 0)


def test_what_was_counted_long_ago_is_not_believed_and_near_the_cap_every_start_counts() -> None:
    headroom = Headroom()
    headroom.learn("lin", 100, 0)
    assert not headroom.covers("lin", 1, 10_000)
    headroom.learn("lin", 3, 0)
    assert not headroom.covers("lin", 1, 0)
