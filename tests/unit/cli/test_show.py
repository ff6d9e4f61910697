"""How things look."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from danlu.cli.shared import show


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (59.9, "59s"), (185, "3m 05s"), (7800, "2h 10m"), (4 * 86400 + 3 * 3600, "4d 3h")],
)
def test_a_duration_has_two_units_at_most(seconds, text):
    assert show.span(seconds) == text


def test_times_are_told_from_now():
    now = datetime(2026, 1, 1, 0, 1, 5, tzinfo=UTC)
    assert show.ago("2026-01-01T00:00:00.000Z", now) == "1m 05s"
    assert show.took("2026-01-01T00:00:00Z", "2026-01-01T00:00:30Z", now) == "30s"
    assert show.took(None, None, now) == show.ago(None, now) == ""


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (512, "512 B"), (2**34, "16 GiB"), (1.5 * 2**40, "1.5 TiB")]
)
def test_sizes_are_in_binary_units(count, text):
    assert show.size(count) == text


def test_chinese_takes_two_columns(capsys):
    show.table(["NAME", "STATE"], [["训练", "x"], ["abcdef", "y"]])
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["NAME    STATE", "训练    x", "abcdef  y"]
    assert show.cut("训练作业", 5) == "训练…"


def test_on_a_terminal_there_is_colour_and_the_last_column_is_cut(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    show.table(["NAME", "STATE", "WHY"], [["train", show.state("failed"), "a long reason that does not fit"]])
    out = capsys.readouterr().out
    assert "\x1b[31m✕ failed\x1b[0m" in out
    assert "a long reaso…" in out
    monkeypatch.setenv("NO_COLOR", "1")
    show.table(["NAME", "STATE"], [["train", show.state("failed")]])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("state", "hours", "expected", "most"),
    [
        ("running", 2.5, "8h 00m (31 % passed, 5h 29m left)", "1d 0h (10 % passed, 21h 29m left)"),
        ("running", 10.5, "8h 00m (exceeded by 2h 30m)", "1d 0h (43 % passed, 13h 29m left)"),
        ("completed", 2, "8h 00m (used 25 %)", "1d 0h (used 8 %)"),
    ],
)
def test_a_job_shows_how_far_it_is_along_its_times(danlu, server, state, hours, expected, most) -> None:
    began = datetime.now(UTC) - timedelta(hours=hours)
    ended = (began + timedelta(hours=hours)).isoformat() if state == "completed" else None
    attempt = {"number": 1, "state": state, "started_at": began.isoformat(), "ended_at": ended}
    spec = {"expected_time": "8h", "max_time": "1d"}
    job = {"id": "j", "name": "train", "state": state, "spec": spec, "attempts": [attempt]}
    server.on("GET", "jobs/train", job)
    said = danlu("show", "train").out
    assert f"expected time  {expected}\n" in said
    assert f"maximum time   {most}\n" in said


def test_a_job_that_has_not_started_shows_its_times_alone(danlu, server) -> None:
    job = {"id": "j", "name": "train", "state": "queued", "spec": {"max_time": "1h30m"}}
    server.on("GET", "jobs/train", job)
    said = danlu("show", "train").out
    assert "maximum time  1h 30m\n" in said
    assert "expected time" not in said


def test_one_of_a_thing_is_told_in_the_singular(danlu, server) -> None:
    server.on("GET", "jobs/train", {"id": "j", "name": "train", "gpus": 1, "gpu_model": "A100", "cpus": 1})
    assert "1 A100 GPU, 1 CPU" in danlu("show", "train").out
