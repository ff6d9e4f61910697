"""Trends as they are read: means over what has passed, and nothing beyond what may be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.control.usage.trends import Interval, Trends, WantedTrend
from danlu.domain.errors import Invalid, NotAllowed
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller, Permission
from danlu.ports.governance import CapacityRow, HourlyQuery, TrendRow
from tests.fakes.clock import FakeClock

HOUR = 3_600_000
DAY = 24 * HOUR
MONDAY = 1_767_571_200_000
LIN = Caller(User("lin", UserRole.ENGINEER, 0))
CHIEF = Caller(User("chief", UserRole.ADMINISTRATOR, 0))


class Hours:
    """One GPU, held and offered for as long as is recorded."""

    def __init__(self, until: int | None, since: int = 0) -> None:
        self.since, self.until = since, until
        self.asked: list[HourlyQuery] = []

    def recorded_since(self) -> int | None:
        return self.since

    def recorded_until(self) -> int | None:
        return self.until

    def trend(self, query: HourlyQuery) -> tuple[TrendRow, ...]:
        self.asked.append(query)
        steps = range(query.since, query.until, query.step)
        return tuple(TrendRow(at, "", self._sum(at, query.step), 0, 3, 2, 0, 0, 0, 0) for at in steps)

    def capacity(
        self, since: int, until: int, step: int, model: str | None = None
    ) -> tuple[CapacityRow, ...]:
        return tuple(
            CapacityRow(at, model or "A100", self._sum(at, step)) for at in range(since, until, step)
        )

    def _sum(self, at: int, step: int) -> int:
        end = at + step if self.until is None else min(self.until, at + step)
        return 1_000 * max(0, end - max(at, self.since))


def held(store: Hours, now: int, wanted: WantedTrend) -> list[float]:
    (line,) = Trends(store, FakeClock(now)).read(CHIEF, wanted).lines  # type: ignore[arg-type]
    return [point.held for point in line.points]


def test_the_step_in_which_recording_began_counts_what_of_it_is_recorded() -> None:
    began = MONDAY + 13 * HOUR
    assert held(Hours(began + 10_000, began), began + 20_000, WantedTrend(MONDAY)) == [1.0]
    assert held(Hours(MONDAY + 2 * DAY, began), MONDAY + 2 * DAY, WantedTrend(MONDAY)) == [1.0, 1.0]


def test_a_step_that_is_not_over_counts_what_of_it_is_recorded() -> None:
    now = MONDAY + DAY + 90 * 60_000
    assert held(Hours(now - 20_000), now, WantedTrend(MONDAY)) == [1.0, 1.0]
    assert held(Hours(now - 20_000), now, WantedTrend(now - HOUR, step=Interval.HOUR)) == [1.0, 1.0]


def test_of_a_time_that_nobody_recorded_nothing_is_known_to_be_held() -> None:
    now = MONDAY + 4 * DAY
    assert held(Hours(MONDAY + DAY), now, WantedTrend(MONDAY)) == [1.0, 0.0, 0.0, 0.0]
    assert held(Hours(None), now, WantedTrend(MONDAY)) == [1.0] * 4


def test_nothing_is_more_in_use_than_it_can_be() -> None:
    (line,) = Trends(Hours(None), FakeClock(MONDAY + DAY)).read(CHIEF, WantedTrend(MONDAY)).lines  # type: ignore[arg-type]
    assert line.points[0].use == 1.0


@pytest.mark.parametrize(
    ("step", "since"), [(Interval.HOUR, MONDAY + 2 * HOUR), (Interval.DAY, MONDAY), (Interval.WEEK, MONDAY)]
)
def test_steps_begin_where_hours_days_and_weeks_begin(step: Interval, since: int) -> None:
    store = Hours(None)
    wanted = WantedTrend(MONDAY + 2 * HOUR + 5, MONDAY + 3 * HOUR, step)
    found = Trends(store, FakeClock(MONDAY + 30 * DAY)).read(CHIEF, wanted)  # type: ignore[arg-type]
    assert (found.since, found.until, len(found.lines[0].points)) == (since, since + step.length, 1)


def test_the_future_has_no_steps() -> None:
    assert held(Hours(MONDAY + 1), MONDAY + 1, WantedTrend(MONDAY, MONDAY + 100 * DAY)) == [1.0]
    with pytest.raises(Invalid):
        held(Hours(None), MONDAY, WantedTrend(MONDAY))


def test_only_whoever_may_see_all_use_asks_for_all() -> None:
    trends = Trends(Hours(None), FakeClock(MONDAY + DAY))  # type: ignore[arg-type]
    auditor = replace(LIN, granted=frozenset({Permission.USAGE_READ}))
    assert trends.read(auditor, WantedTrend(MONDAY)).lines
    assert trends.read(LIN, WantedTrend(MONDAY, user="lin")).lines
    for refused in (LIN, replace(LIN, scopes=frozenset({"job:read"}))):
        with pytest.raises(NotAllowed):
            trends.read(refused, WantedTrend(MONDAY))
    with pytest.raises(NotAllowed, match="usage:read"):
        trends.read(replace(LIN, scopes=frozenset({"job:read"})), WantedTrend(MONDAY, user="lin"))
