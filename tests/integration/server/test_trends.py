"""What was used over time, over HTTP: who may see what, in which steps, as JSON and as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from danlu.control.usage.trends import MOST_LINES
from danlu.domain.members import MemberRole, Membership
from danlu.ports.governance import CapacityRow, HourRow
from danlu.server.http.answering import instant
from danlu.server.usage.trends_models import Trend
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, served, world

HOUR = 3_600_000
DAY = 24 * HOUR
MONDAY = 1_767_571_200_000
"""2026-01-05."""
WEEK = {"since": str(MONDAY), "until": str(MONDAY + 7 * DAY)}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world")) as made:
        gpu_hour = 1_000 * HOUR
        made.store.add_hours(
            [
                HourRow(
                    MONDAY,
                    "public",
                    ENGINEER,
                    "single",
                    "A100",
                    2 * gpu_hour,
                    gpu_hour,
                    gpu_hour,
                    2 * gpu_hour,
                ),
                HourRow(
                    MONDAY + HOUR, "public", ENGINEER, "single", "A100", 4 * gpu_hour, starts=2, waited=90_000
                ),
                HourRow(MONDAY + DAY, "=nlp", OTHER, "distributed", "H100", 8 * gpu_hour, ended=3, failed=1),
                HourRow(MONDAY, "public", ENGINEER, "workspace", "cpu", 6 * gpu_hour),
            ],
            [CapacityRow(MONDAY + hour * HOUR, "A100", 16 * gpu_hour) for hour in range(7 * 24)],
            MONDAY + 365 * DAY,
        )
        entry = made.caller(ADMINISTRATOR).entry("member_set", "")
        joined = Membership("=nlp", VIEWER, MemberRole.MEMBER, MONDAY, ADMINISTRATOR)
        made.store.edit_members("=nlp", lambda _: [joined], MONDAY, by=entry)
        yield made


def read(answer: httpx.Response) -> Trend:
    assert answer.status_code == 200, answer.text
    return Trend.model_validate(answer.json())


def test_all_of_it_is_one_line_over_equal_steps(ask) -> None:
    found = read(ask(ADMINISTRATOR, "GET", "trends", params=WEEK))

    (line,) = found.lines
    assert (line.key, len(line.points), found.step) == ("", 7, "day")
    assert (found.since, found.until) == (instant(MONDAY), instant(MONDAY + 7 * DAY))
    monday, tuesday, *rest = line.points
    assert (monday.at, monday.held, monday.queued) == (instant(MONDAY), 0.25, round(1 / 24, 5))
    assert (monday.use, monday.wait, monday.starts) == (0.5, 45.0, 2)
    assert (tuesday.held, tuesday.ended, tuesday.failed, tuesday.use) == (round(8 / 24, 5), 3, 1, None)
    assert {(point.held, point.starts, point.wait) for point in rest} == {(0.0, 0, None)}
    (capacity,) = found.capacity
    assert (capacity.model, {point.total for point in capacity.points}) == ("A100", {16.0})


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("project", ["=nlp", "public"]),
        ("user", [OTHER, ENGINEER]),
        ("class", ["distributed", "single"]),
        ("model", ["H100", "A100", "cpu"]),
    ],
)
def test_lines_are_the_largest_first(ask, by, keys) -> None:
    found = read(ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "by": by}))
    assert [line.key for line in found.lines] == keys


def test_weeks_begin_on_monday_and_hours_are_hours(ask) -> None:
    week = read(
        ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "step": "week", "since": str(MONDAY - 1)})
    )
    hour = read(ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "step": "hour", "model": "A100"}))

    assert [datetime.fromisoformat(point.at).weekday() for point in week.lines[0].points] == [0, 0]
    assert [point.held for point in hour.lines[0].points[:3]] == [2.0, 4.0, 0.0]
    assert datetime.fromisoformat(week.lines[0].points[1].at) == datetime(2026, 1, 5, tzinfo=UTC)


def test_what_has_no_gpus_is_told_apart(ask) -> None:
    found = read(ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "step": "hour", "model": "cpu"}))
    assert [point.held for point in found.lines[0].points[:2]] == [6.0, 0.0]


@pytest.mark.parametrize(
    ("who", "asked", "status"),
    [
        (ADMINISTRATOR, {}, 200),
        (ENGINEER, {}, 403),
        (ENGINEER, {"user": "me"}, 200),
        (ENGINEER, {"user": ENGINEER, "by": "project"}, 200),
        (ENGINEER, {"user": OTHER}, 403),
        (ENGINEER, {"project": "=nlp"}, 403),
        (ENGINEER, {"project": "=nlp", "user": "me"}, 200),
        (VIEWER, {"project": "=nlp", "by": "user"}, 200),
        (VIEWER, {"project": "=nlp", "user": OTHER}, 200),
        (VIEWER, {"project": "public"}, 403),
        (None, {}, 401),
    ],
)
def test_everybody_sees_their_own_and_their_projects(ask, who, asked, status) -> None:
    answer = ask(who, "GET", "trends", params={**WEEK, **asked})
    assert answer.status_code == status
    if status == 403:
        assert "user=me" in answer.json()["detail"]


def test_ones_own_is_only_ones_own(ask) -> None:
    found = read(ask(ENGINEER, "GET", "trends", params={**WEEK, "user": "me", "by": "project"}))
    assert [line.key for line in found.lines] == ["public"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"since": "-400d", "step": "hour"}, "too_large"),
        ({"since": "2999-01-01T00:00:00Z"}, "bad_value"),
        ({"since": "-1d", "until": "-2d"}, "bad_value"),
        ({"since": "yesterday"}, None),
        ({"step": "month"}, None),
        ({"by": "owner"}, None),
    ],
)
def test_what_cannot_be_answered_is_told_at_its_place(ask, asked, code) -> None:
    answer = ask(ADMINISTRATOR, "GET", "trends", params=asked)
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["loc"][0] == "query"
    assert code in (None, error["code"])


def test_a_table_has_a_row_for_every_point_and_no_formulas(ask) -> None:
    answer = ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "by": "project", "format": "csv"})

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="danlu-trends.csv"' in answer.headers["content-disposition"]
    header, *rows = csv.reader(io.StringIO(answer.text))
    assert header == ["at", "project", "held", "queued", "use", "wait", "starts", "ended", "failed"]
    assert len(rows) == 2 * 7
    assert rows[1] == [instant(MONDAY + DAY), "'=nlp", "0.33333", "0.0", "", "", "0", "3", "1"]
    plain = ask(ADMINISTRATOR, "GET", "trends", params={**WEEK, "format": "csv"}).text
    assert plain.splitlines()[0] == "at,held,queued,use,wait,starts,ended,failed"


@pytest.mark.parametrize("step", ["hour", "day"])
def test_of_many_lines_the_smaller_ones_are_summed_up(tmp_path: Path, step: str) -> None:
    with world(tmp_path) as made, served(made.app) as url:
        people = [
            HourRow(MONDAY, "public", f"u{n:03}", "single", "A100", held=(n + 1) * 24_000 * HOUR)
            for n in range(80)
        ]
        made.store.add_hours(people, (), MONDAY + DAY)
        asked = {**WEEK, "by": "user", "step": step}
        answer = httpx.get(f"{url}/api/v1/trends", params=asked, headers=made.bearer(ADMINISTRATOR))

    lines, each = read(answer).lines, 24 if step == "hour" else 1
    assert len(lines) == MOST_LINES
    held = [(line.key, line.points[0].held) for line in lines]
    assert held[:2] == [("u079", 80.0 * each), ("u078", 79.0 * each)]
    assert held[-1] == ("others", sum(range(1, 32)) * each)
