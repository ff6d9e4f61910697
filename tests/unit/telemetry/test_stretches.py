"""Many points as few: what must stay true however they are merged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.ports.metrics import Axis
from danlu.telemetry.stretches import Points, joined, thinned, up_to

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TOLD = st.lists(
    st.tuples(st.integers(-(2**40), 2**40), st.integers(0, 2**42), FINITE | st.just(math.nan)), max_size=80
)
AXES = st.sampled_from(["step", "time"])


def points(told: list[tuple[int, int, float]]) -> Points:
    steps, times, values = np.array(told, dtype=np.float64).reshape(-1, 3).T
    return Points(steps, times, values, values, values)


def ramp(count: int) -> Points:
    return points([(step, 1_000 + 10 * step, float(step)) for step in range(count)])


@given(TOLD, st.integers(2, 30), AXES)
def test_there_are_never_more_than_asked_and_their_places_rise(
    told: list[tuple[int, int, float]], most: int, by: Axis
):
    drawn = thinned(points(told), most, by)
    places = drawn.steps if by == "step" else drawn.times
    assert places.size <= most
    assert (np.diff(places) > 0).all()
    assert (places.size == 0) == (not told)


@given(TOLD, st.integers(2, 30), AXES)
def test_the_extremes_and_the_last_place_are_kept(told: list[tuple[int, int, float]], most: int, by: Axis):
    drawn, known = thinned(points(told), most, by), [value for _, _, value in told if math.isfinite(value)]
    if known:
        assert np.nanmin(drawn.low) == min(known)
        assert np.nanmax(drawn.high) == max(known)
    if told:
        at = 0 if by == "step" else 1
        assert (drawn.steps, drawn.times)[at][-1] == max(one[at] for one in told)


@given(TOLD, st.integers(2, 30), AXES)
def test_a_mean_is_between_its_extremes_and_unknown_only_where_nothing_is_known(
    told: list[tuple[int, int, float]], most: int, by: Axis
):
    drawn = thinned(points(told), most, by)
    known = np.isfinite(drawn.values)
    assert (np.isfinite(drawn.low) == known).all()
    assert (drawn.low[known] <= drawn.values[known]).all()
    assert (drawn.values[known] <= drawn.high[known]).all()


@given(st.integers(1, 300), st.integers(1, 300), st.integers(4, 20))
def test_as_a_line_grows_its_whole_stretches_stay_until_their_length_changes(
    count: int, more: int, most: int
):
    before, after = thinned(ramp(count), most, "step"), thinned(ramp(count + more), most, "step")
    length = int(after.steps[0]) + 1
    if int(before.steps[0]) + 1 == length and count > length:
        whole = before.steps.size - 1
        assert before.values[:whole].tolist() == after.values[:whole].tolist()


def test_what_fits_stays_as_it_is():
    drawn = thinned(ramp(10), 10, "step")
    assert drawn.values.tolist() == drawn.low.tolist() == drawn.high.tolist() == list(range(10))


def test_values_of_one_step_become_one():
    several = points([(1, 5, 2.0), (1, 6, 4.0), (2, 7, 1.0), (1, 8, math.nan)])
    drawn = thinned(several, 10, "step")
    assert drawn.steps.tolist() == [1, 2]
    assert drawn.times.tolist() == [8, 7]
    assert (drawn.values.tolist(), drawn.low.tolist(), drawn.high.tolist()) == ([3, 1], [2, 1], [4, 1])


@pytest.mark.parametrize(("most", "length"), [(100, 16), (500, 2), (11, 128)])
def test_stretches_are_powers_of_two_and_begin_at_their_multiples(most: int, length: int):
    drawn = thinned(ramp(1_000), most, "step")
    assert set(np.diff(drawn.steps[:-1]).tolist()) == {length}
    assert (drawn.steps[0] + 1) % length == 0


def test_parts_are_joined_and_cut_by_step():
    first, second = up_to(ramp(10), 4), points([(5, 9_000, 7.0)])
    whole = joined([first, second])
    assert whole.steps.tolist() == [0, 1, 2, 3, 4, 5]
    assert whole.values[-1] == 7
    assert up_to(whole, -1).steps.size == 0
