"""`danlu trends` and `danlu resources` by class: what they ask and what they show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from danlu.cli.shared.show import heading_said
from danlu.cli.usage import trends
from tests.fakes.http_server import FakeServer, problem
from tests.unit.cli.conftest import Danlu


def point(held: float, **more: Any) -> dict[str, Any]:
    plain = {"at": "2026-01-05T00:00:00.000Z", "queued": 0.0, "use": None, "wait": None}
    return {**plain, "held": held, "starts": 0, "ended": 0, "failed": 0, **more}


NLP = [
    point(4.0, queued=1.0, use=0.5, wait=60.0, starts=1, ended=2, failed=1),
    point(8.0, use=0.8, wait=180.0, starts=3),
]
FOUND = {
    "since": "2026-01-05T00:00:00.000Z",
    "until": "2026-01-07T00:00:00.000Z",
    "step": "day",
    "lines": [{"key": "nlp", "points": NLP}, {"key": "cv", "points": [point(0), point(1)]}],
    "capacity": [{"model": "A100", "points": [{"at": "2026-01-05T00:00:00.000Z", "total": 16}] * 2}],
}


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in text.splitlines()]


def test_lines_are_summed_up_over_the_time(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "trends", FOUND)
    shown = danlu("trends", "--by", "project", "--since", "2w", "--step", "week")

    assert rows(shown.out) == [
        ["PROJECT", *map(heading_said, trends.COLUMNS)],
        ["nlp", "6", "0.5", "70%", "2m 30s", "4", "2", "1"],
        ["cv", "0.5", "0", "-", "-", "0", "0", "0"],
    ]
    assert "16 A100" in shown.err
    (asked,) = server.asked("GET", "trends")
    assert asked.query == {"by": ["project"], "since": ["-2w"], "step": ["week"]}


def test_on_a_terminal_each_line_has_a_plot(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trends, "on_terminal", lambda: True)
    server.on("GET", "trends", FOUND)
    heading, nlp, cv = rows(danlu("trends", "--by", "project").out)

    assert (heading[-1], nlp[-1], cv[-1]) == (trends.PLOT, "▅█", "▁▂")


def test_a_table_is_printed_as_it_comes(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "trends", b"at,held\r\nnow,1\r\n")
    assert danlu("trends", "--csv", "--mine").out == "at,held\r\nnow,1\r\n"
    (asked,) = server.asked("GET", "trends")
    assert (asked.one("format"), asked.one("user")) == ("csv", "me")


def test_whoever_may_not_see_everybodys_use_sees_their_own(danlu: Danlu, server: FakeServer) -> None:
    server.on("GET", "trends", problem(403, "not_allowed", "what others used is not shown to lin"), FOUND)
    shown = danlu("trends", "--json")

    assert json.loads(shown.out) == FOUND
    assert "your own usage" in shown.err
    assert [asked.query.get("user") for asked in server.asked("GET", "trends")] == [None, ["me"]]


def test_what_was_asked_for_by_name_is_refused_with_the_servers_words(
    danlu: Danlu, server: FakeServer
) -> None:
    server.on("GET", "trends", problem(403, "not_allowed", "what others used is not shown to lin"))
    shown = danlu("trends", "--user", "wang")
    assert shown.code != 0
    assert "what others used" in shown.err
    assert danlu("trends", "--user", "wang", "--mine").code == 2


@pytest.mark.parametrize(
    ("values", "highest", "drawn"),
    [([], 1, ""), ([0, 0], 0, "▁▁"), ([1, 2, 3, 4], 4, "▃▅▇█"), ([2] * 120, 4, "▅" * 40)],
)
def test_a_plot_is_as_high_as_the_highest_and_never_too_wide(
    values: list[float], highest: float, drawn: str
) -> None:
    assert trends.spark(values, highest) == drawn


def test_resources_by_class_tell_ones_own_and_everybodys(danlu: Danlu, server: FakeServer) -> None:
    part = {
        "used": 6, "queued": 2, "mine_used": 2, "mine_queued": 0, "free": 1, "total": 8, "shortage": 1, "mine_shortage": 0
    }  # fmt: skip
    counts = {"running": 3, "queued": 1, "mine_running": 1, "mine_queued": 0}
    tasks = {"tasks_running": 5, "tasks_queued": 2, "mine_tasks_running": 1, "mine_tasks_queued": 0}
    classes = [
        {
            "class": name,
            **counts,
            **tasks,
            "gpus": [{"model": "A100", **part}] if name == "single" else [],
            "cpus": {**part, "used": 8, "mine_used": 0},
        }
        for name in ("workspace", "single")
    ]
    server.on("GET", "resources", {"classes": classes})

    assert rows(danlu("resources", "--class", "single").out)[1:] == [
        ["single", "3 (5)", "1 (2)", "A100", "1", "8", "6", "2", "1"],
        ["single", "3 (5)", "1 (2)", "CPUs", "1", "8", "8", "2", "1"],
    ]
    own = rows(danlu("resources", "--mine").out)
    assert ["single", "1 (1)", "0", "A100", "1", "8", "2", "0", "0"] in own
    assert [row[0] for row in own[1:]] == ["workspace", "single", "single"]
