"""The control plane dies at every call it makes; nothing starts twice and nothing is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from danlu.domain.job import JobState
from tests.effort import chance_of, rounds
from tests.simulation.world import LIN, World

CALLS = (
    "active",
    "changes",
    "save",
    "set_waiting",
    "events",
    "start",
    "stop",
    "forget",
    "sweep",
    "inventory",
)
POINTS = [f"{when} {call}" for call in CALLS for when in ("before", "after")]


def populate(world: World) -> None:
    world.submit("short", env={"SIMULATED_RUN_FOR": "3s"})
    world.submit("gang", nodes=2, resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "4s"})
    world.submit("fails", env={"SIMULATED_RUN_FOR": "2s", "SIMULATED_EXIT_CODE": "9"})
    world.submit("stopped", env={"SIMULATED_RUN_FOR": "1h"})
    world.submit("waits", nodes=2, resources={"gpus": 8}, env={"SIMULATED_RUN_FOR": "2s"})


def outcome(world: World) -> dict[str, JobState]:
    return {name: world.state(name) for name in ("short", "gang", "fails", "waits", "stopped")}


EXPECTED = {
    "short": JobState.COMPLETED,
    "gang": JobState.COMPLETED,
    "fails": JobState.FAILED,
    "waits": JobState.COMPLETED,
    "stopped": JobState.STOPPED,
}


def live_out(world: World) -> None:
    """Everything a day brings: work, a stop by hand, and the end of it all."""
    populate(world)
    world.steps(4)
    world.jobs.act(LIN, "stopped", "stop")
    world.settle()


def nth(point: str, wanted: int) -> Callable[[str], bool]:
    """True once: the wanted-th time this point is passed."""
    passed = 0

    def moment(now: str) -> bool:
        nonlocal passed
        passed += now == point
        return now == point and passed == wanted

    return moment


def assert_sound(world: World) -> None:
    assert outcome(world) == EXPECTED
    assert set(world.cluster.launches.values()) == {1}, "a task was launched twice"
    assert len(world.cluster.launches) >= 6, "a job was forgotten (the stopped one may never have begun)"
    assert world.cluster.attempts() == set(), "an attempt was left behind"


@pytest.mark.parametrize("wanted", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("point", POINTS)
def test_a_crash_at_any_point_loses_and_doubles_nothing(tmp_path: Path, point: str, wanted: int) -> None:
    world = World(tmp_path)
    world.boot(nth(point, wanted))
    live_out(world)
    assert world.crashes == 1 or wanted > 1
    world.boot()
    world.steps(2)
    assert_sound(world)
    world.store.close()


# An engine that raises from `events` keeps what it saw; only what it handed over is ours to lose.
@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
@pytest.mark.parametrize("point", [point for point in POINTS if point != "after events"])
def test_a_call_that_fails_once_strands_nobody(tmp_path: Path, point: str, wanted: int) -> None:
    """The same process goes on: whatever the failure cut short is taken up again by the next step."""
    world = World(tmp_path)
    world.boot(nth(point, wanted), OSError)
    live_out(world)
    world.steps(2)
    assert_sound(world)
    world.store.close()


@pytest.mark.parametrize("number", range(rounds(8, 25)))
def test_crashes_at_random_lose_and_double_nothing(tmp_path: Path, number: int) -> None:
    chance = chance_of(number)
    world = World(tmp_path)
    boot = world.boot

    def often(_: Callable[[str], bool] = lambda _: False) -> None:
        boot(lambda point: not point.endswith("listen") and chance.random() < 0.06)

    world.boot = often  # type: ignore[assignment,method-assign]
    world.boot()
    live_out(world)
    world.boot = boot  # type: ignore[method-assign]
    world.boot()
    world.steps(3)
    assert world.crashes > 0
    assert_sound(world)
    world.store.close()
