"""Tiers run in two lanes as soon as they have what they need, and can be interrupted as one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.dev import steps
from tools.dev.steps import StepFailed, Stop
from tools.testing import preparing
from tools.testing.lanes import Runner, run_in_lanes
from tools.testing.outcomes import Outcome, Took
from tools.testing.preparing import Preparation, Preparations
from tools.testing.tiers import Tier

FIRST, SECOND = Tier("first", 1), Tier("second", 1)
WAITS = Tier("waits", 1, waits=True)


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Preparation]]:
    """What the tiers need, by their names."""
    needs: dict[str, list[Preparation]] = {}
    monkeypatch.setattr(preparing, "preparations", lambda tier, own_cluster: needs.get(tier.name, []))
    return needs


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner(named_lines=True)
    yield made
    made.stop()


def good(tier: Tier) -> Outcome:
    return Outcome(tier, 1, 0, Took(0))


def test_a_tier_whose_needs_are_there_does_not_wait_for_the_one_before_it(
    wanted: dict[str, list[Preparation]], runner: Runner
):
    there = threading.Event()
    wanted["first"] = [Preparation("apt", "slow", there.wait)]
    order: list[str] = []

    def run(tier: Tier) -> Outcome:
        order.append(tier.name)
        there.set()
        return good(tier)

    outcomes = run_in_lanes([FIRST, SECOND], Preparations([FIRST, SECOND], own_cluster=True), run, runner)
    assert order == ["second", "first"]
    assert [one.tier.name for one in outcomes] == ["first", "second"]


def test_a_tier_that_waits_runs_beside_one_that_computes(
    wanted: dict[str, list[Preparation]], runner: Runner
):
    both = threading.Barrier(2)

    def run(tier: Tier) -> Outcome:
        both.wait(30)
        return good(tier)

    outcomes = run_in_lanes([FIRST, WAITS], Preparations([FIRST, WAITS], own_cluster=True), run, runner)
    assert all(one.good for one in outcomes)


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (Stop("Go is missing"), "not prepared: Go is missing"),
        (StepFailed("Build it"), "not prepared: 'Build it' failed"),
        (OSError("disk full"), "not prepared: disk full"),
    ],
)
def test_what_cannot_be_had_fails_its_tier_and_no_other(
    wanted: dict[str, list[Preparation]], runner: Runner, why: Exception, told: str
):
    def fail() -> None:
        raise why

    wanted["first"] = [Preparation("apt", "broken", fail)]
    first, second = run_in_lanes(
        [FIRST, SECOND], Preparations([FIRST, SECOND], own_cluster=True), good, runner
    )
    assert (first.trouble, first.failed, first.good) == (told, 1, False)
    assert second.good


def test_what_two_tiers_need_is_had_once(wanted: dict[str, list[Preparation]], runner: Runner):
    made: list[str] = []
    for tier in (FIRST, SECOND):
        wanted[tier.name] = [Preparation("console", "pages", lambda: made.append("pages"))]
    run_in_lanes([FIRST, SECOND], Preparations([FIRST, SECOND], own_cluster=True), good, runner)
    assert made == ["pages"]


def test_lines_stand_under_the_name_of_their_tier_and_in_its_log(
    runner: Runner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command = [sys.executable, "-c", "import sys; print('one'); print('last', end=''); sys.exit(3)"]
    code, took = runner.run("unit", command, cwd=tmp_path, env={}, log=tmp_path / "unit.log")
    assert code == 3
    assert took.cpu_s > 0
    assert capsys.readouterr().out == "unit        │ one\nunit        │ last\n"
    assert (tmp_path / "unit.log").read_text() == "one\nlast"


def test_an_interrupt_reaches_what_runs_and_nothing_starts_after_it(
    wanted: dict[str, list[Preparation]], runner: Runner, tmp_path: Path
):
    report = tmp_path / "cleaned-up"
    sleeper = (
        "import time\ntry:\n print('sleeps', flush=True); time.sleep(60)\n"
        f"except KeyboardInterrupt:\n open({str(report)!r}, 'w').close()"
    )
    ran = []

    def run(tier: Tier) -> Outcome:
        ran.append(tier.name)
        log = tmp_path / "log"
        threading.Thread(target=interrupt_once_it_sleeps, args=(log,)).start()
        runner.run(tier.name, [sys.executable, "-c", sleeper], cwd=tmp_path, env={}, log=log)
        return good(tier)

    def interrupt_once_it_sleeps(log: Path) -> None:
        while not log.exists() or "sleeps" not in log.read_text():
            threading.Event().wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_in_lanes([FIRST, SECOND], Preparations([FIRST, SECOND], own_cluster=True), run, runner)
    assert report.exists()
    assert ran == ["first"]


def test_an_interrupt_ends_the_steps_that_were_awaited(
    wanted: dict[str, list[Preparation]], runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(steps, "_running", steps._Running())

    def wait_long() -> None:
        threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
        steps.run_step("Wait long", ["sleep", "60"])

    wanted["first"] = [Preparation("apt", "long", wait_long), Preparation("apt", "never begun", print)]
    with pytest.raises(KeyboardInterrupt):
        run_in_lanes([FIRST], Preparations([FIRST], own_cluster=True), good, runner)


def test_a_mistake_in_a_lane_is_not_swallowed(wanted: dict[str, list[Preparation]], runner: Runner):
    def fail(tier: Tier) -> Outcome:
        raise RuntimeError("a mistake of ours")

    with pytest.raises(RuntimeError, match="a mistake of ours"):
        run_in_lanes([FIRST], Preparations([FIRST], own_cluster=True), fail, runner)
