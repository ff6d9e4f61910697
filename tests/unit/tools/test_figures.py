"""Figures are kept with their commit, and what moved is told in words."""

from __future__ import annotations

import itertools
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from bench.figures import Figure, Run, Yardstick, append, commit, last, story

START, MEMORY = "danlu up to ready", "memory of an idle server"
THEN = Run(
    "abc1234", "2026-11-17", "3.11.7", 2, 10.0,
    {START: Figure(1000, "ms CPU", 100.0), MEMORY: Figure(90, "MB")},
)  # fmt: skip


def now(start: float = 1000, yardsticks: float = 100.0, memory: float = 90) -> Run:
    figures = {START: Figure(start, "ms CPU", yardsticks), MEMORY: Figure(memory, "MB")}
    return replace(THEN, commit="def5678", figures=figures)


def test_a_run_is_read_as_it_was_recorded_and_the_last_counts(tmp_path: Path) -> None:
    record = tmp_path / "figures.jsonl"
    append(record, now(memory=80))
    append(record, THEN)
    assert last(record) == THEN
    assert len(record.read_text().splitlines()) == 2


def test_the_first_run_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    assert last(tmp_path / "figures.jsonl") is None
    assert "--record" in story(THEN, None)[0]


def test_what_stayed_within_a_tenth_is_not_worth_a_word() -> None:
    assert story(now(start=1080, yardsticks=108.0, memory=84), THEN) == [
        "Nothing moved by more than a tenth since abc1234."
    ]


def test_what_moved_is_told_with_its_direction() -> None:
    assert story(now(start=1300, yardsticks=130.0, memory=72), THEN) == [
        "danlu up to ready: 1,300 ms CPU, 30% more than at abc1234 (1,000 ms CPU)",
        "memory of an idle server: 72 MB, 20% less than at abc1234 (90 MB)",
    ]


def test_a_slow_machine_is_no_slow_danlu() -> None:
    assert story(now(start=2000, yardsticks=100.0), THEN) == [
        "Nothing moved by more than a tenth since abc1234."
    ]


def test_a_slow_danlu_is_seen_on_a_fast_machine() -> None:
    (told,) = story(now(start=500, yardsticks=150.0), THEN)
    assert told == "danlu up to ready: 500 ms CPU, 50% more than at abc1234 (333 ms CPU)"


def test_figures_that_came_or_went_are_named() -> None:
    fewer = replace(THEN, figures={MEMORY: THEN.figures[MEMORY]})
    assert story(THEN, fewer) == ["danlu up to ready: measured for the first time"]
    assert story(fewer, THEN) == ["danlu up to ready: no longer measured"]


def test_another_python_or_machine_is_told() -> None:
    told = story(now(), replace(THEN, python="3.12.1", cores=8))
    assert told[-1] == "abc1234 was measured with Python 3.12.1 on 8 cores."


def test_one_measurement_that_was_disturbed_moves_nothing() -> None:
    taken = iter([0.1, 0.9, 0.1])
    figure = Yardstick(lambda: None).cpu(lambda: next(taken), 3)
    assert (figure.value, figure.unit) == (100, "ms CPU")


def test_the_yardstick_is_taken_around_every_measurement() -> None:
    count = itertools.count()
    yardstick = Yardstick(lambda: next(count))
    before = next(count)
    yardstick.cpu(lambda: 0.1, 4)
    assert next(count) - before > 4


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for words in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_changed_tree_is_marked(repository: Path) -> None:
    clean = commit(repository)
    (repository / "new").write_text("")
    assert commit(repository) == clean + "+"


def test_without_git_the_commit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit(tmp_path) == "unknown"
