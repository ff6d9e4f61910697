"""A control plane that records what is used dies at any call: what is summed by the hour is what the ledger charged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.control.usage.recorder import Recorder
from danlu.domain.errors import NotLeader
from danlu.ports.governance import HourlyQuery
from danlu.store.sql import SqlStore
from tests.fakes.clock import START
from tests.simulation.test_crashes import nth, populate
from tests.simulation.world import LIN, Crashed, Crashing, World

TICK = 2_000
"""Much shorter than in life, as the jobs are."""
HELD = 2 * 16 * 1_000
"""All there is, in thousandths."""


class Recorded(World):
    """A world whose control plane records; one that `leads` begins a new epoch at every boot."""

    leads = False

    def boot(
        self, moment: Callable[[str], bool] = lambda _: False, error: type[BaseException] = Crashed
    ) -> None:
        super().boot(moment, error)
        store: Any = self.store
        if self.leads:
            lease = self.store.take_lease("me", 10_000)
            assert lease is not None
            store = self.store.fenced(lease.epoch)
        view = self.controller.view
        self.recorder = Recorder(
            Crashing(store, moment, error), view, self.controller.planner.nodes, self.clock
        )

    def step(self, millis: int = 0) -> None:
        super().step(millis)
        if (self.clock.now() - START) % TICK:
            return
        try:
            self.recorder.tick()
        except Crashed:
            self.crashes += 1
            self.boot()


def live_out(world: World) -> None:
    populate(world)
    world.steps(4)
    world.jobs.act(LIN, "stopped", "stop")
    world.settle()
    world.steps(2)


def charged(store: SqlStore) -> dict[str, int]:
    """Thousandths × milliseconds by model, as people were charged."""
    found: dict[str, int] = {}
    for row in store.charges("lin", None, 0, 1_000).rows:
        assert row.ended is not None
        found[row.model] = found.get(row.model, 0) + row.milli * (row.ended - row.began)
    return found


def summed(store: SqlStore, name: str = "held") -> dict[str, int]:
    hour = 3_600_000
    query = HourlyQuery(START - START % hour - hour, START + 24 * hour, hour, by="model")
    found: dict[str, int] = {}
    for row in store.trend(query):
        found[row.key] = found.get(row.key, 0) + getattr(row, name)
    return {model: amount for model, amount in found.items() if amount}


def test_what_is_summed_is_what_was_charged(tmp_path: Path) -> None:
    world = Recorded(tmp_path)
    live_out(world)

    assert summed(world.store) == charged(world.store)
    assert sum(summed(world.store, "starts").values()) == 5
    assert sum(summed(world.store, "ended").values()) == 5
    assert sum(summed(world.store, "failed").values()) == 1
    assert world.store.recorded_until() is not None
    world.store.close()


POINTS = [
    f"{when} {call}" for call in ("save", "changes", "add_hours", "start") for when in ("before", "after")
]


@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
@pytest.mark.parametrize("point", POINTS)
def test_of_a_crash_at_most_a_tick_is_lost_and_nothing_is_counted_twice(
    tmp_path: Path, point: str, wanted: int
) -> None:
    world = Recorded(tmp_path)
    world.boot(nth(point, wanted))
    live_out(world)

    known, paid = summed(world.store), charged(world.store)
    for model, amount in paid.items():
        lost = amount - known.get(model, 0)
        assert 0 <= lost <= world.crashes * 2 * TICK * HELD, f"{lost} of {amount} of {model} at {point}"
    assert known.keys() <= paid.keys()
    assert sum(summed(world.store, "starts").values()) <= 5
    assert sum(summed(world.store, "ended").values()) <= 5
    world.store.close()


class Led(Recorded):
    leads = True


def test_a_leader_that_was_followed_adds_nothing_more(tmp_path: Path) -> None:
    world = Led(tmp_path)
    populate(world)
    world.steps(2)
    former = world.recorder
    world.boot()
    world.steps(2)
    world.clock.advance(TICK)
    with pytest.raises(NotLeader):
        former.tick()
    world.jobs.act(LIN, "stopped", "stop")
    world.settle()
    world.steps(2)

    assert summed(world.store) == charged(world.store)
    world.store.close()
