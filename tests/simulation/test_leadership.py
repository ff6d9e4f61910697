"""Two controllers contest the lead: paused, cut off and killed at any call, never do two of them act."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.control.plane.controller import Controller
from danlu.control.plane.guarded import Guarded
from danlu.control.plane.leadership import LIFE_MS, Leadership
from danlu.control.plane.ledger import Ledger
from danlu.control.plane.planner import Planner
from danlu.control.plane.view import ActiveView
from danlu.domain.errors import Conflict, NotLeader, Unavailable
from danlu.domain.words import same
from danlu.engines.simulated import SimulatedEngine
from danlu.store.sql import SqlStore
from tests.databases import sqlite_at
from tests.effort import chance_of, rounds
from tests.simulation.test_crashes import EXPECTED, assert_sound, outcome, populate
from tests.simulation.world import LIN, Crashed, World

TURN_MS = 500
RENEW_MS = 2_500
ACTS = frozenset({"start", "stop", "forget", "sweep"})
WRITES = frozenset({"save", "set_waiting", "keep_nodes"})
Hook = Callable[["Process", str], None]


def nothing(_: Process, __: str) -> None:
    """All goes well."""


class Hooked:
    """A port of one process: `hook` is passed before and after every call."""

    def __init__(self, port: Any, hook: Callable[[str], None]) -> None:
        self._port, self._hook = port, hook

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._port, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self._hook(f"before {name}")
            result = inner(*args, **kwargs)
            self._hook(f"after {name}")
            return result

        return call


class Judged:
    """A port whose every act is judged by the row in the database: whose epoch is it at that very moment?"""

    def __init__(self, port: Any, acts: frozenset[str], epoch: int, contest: Contest) -> None:
        self._port, self._acts, self._epoch, self._contest = port, acts, epoch, contest

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._port, name)
        if name not in self._acts:
            return inner

        def act(*args: Any, **kwargs: Any) -> Any:
            result = inner(*args, **kwargs)
            leads = self._contest.store.lease()
            assert leads is not None
            assert leads.epoch == self._epoch, f"{name} by epoch {self._epoch} while {leads.epoch} led"
            self._contest.acted += 1
            return result

        return act


class Process:
    """A controller: a candidate and, while it leads, a control plane."""

    def __init__(self, contest: Contest, name: str, hook: Hook) -> None:
        self.name, self._contest = name, contest
        self._hook = lambda point: hook(self, point)
        self.cut_off_until = 0
        store: Any = Hooked(contest.store, self._hook)
        self.leadership = Leadership(store, name, clock=lambda: contest.world.clock.now() / 1000)
        self.controller: Controller | None = None
        self._renewed_at = 0

    def turn(self) -> None:
        """What its threads would do by now."""
        try:
            self._turn()
        except Unavailable:
            return
        except NotLeader:
            self._stand_down_if_told()

    def _turn(self) -> None:
        now = self._contest.world.clock.now()
        if self.controller is None:
            epoch = self.leadership.take()
            if epoch is not None:
                self._begin(epoch)
        elif now - self._renewed_at >= RENEW_MS and not self.leadership.renew():
            self.controller = None
        if self.controller is not None:
            self._renewed_at = now
            self.controller.step()

    def _stand_down_if_told(self) -> None:
        try:
            if not self.leadership.renew():
                self.controller = None
        except Unavailable:
            return

    def _begin(self, epoch: int) -> None:
        contest, world = self._contest, self._contest.world
        judged = Judged(contest.store.fenced(epoch), WRITES, epoch, contest)
        store: Any = Hooked(judged, self._hook)
        engine = SimulatedEngine(world.cluster, world.clock)
        acting: Any = Judged(engine, ACTS, epoch, contest)
        guarded: Any = Hooked(Guarded(acting, self.leadership.valid), self._hook)
        view, ledger = ActiveView(store), Ledger(store, world.policy.score_time)
        planner = Planner(view, world.registry, ledger, guarded.inventory, world.clock, world.policy)
        self.controller = Controller(store, guarded, world.clock, planner, view)


class Contest:
    """A world with two candidates, whose turns come one after the other."""

    def __init__(self, folder: Path, hook: Hook = nothing) -> None:
        self.world = World(folder)
        self.store = SqlStore.open(sqlite_at(folder / "danlu.db"), now=self.world.clock.now)
        self.hook, self.acted, self.born = hook, 0, 0
        self.paused: set[Process] = set()
        self.processes = [self.bear(), self.bear()]

    def bear(self) -> Process:
        self.born += 1
        return Process(self, f"controller-{self.born}", self.hook)

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.world.clock.advance(TURN_MS)
            for place, process in enumerate(self.processes):
                if process in self.paused:
                    continue
                try:
                    process.turn()
                except Crashed:
                    self.paused.discard(process)
                    self.processes[place] = self.bear()

    def pause(self, process: Process, turns: int) -> None:
        """The process stands still in the middle of whatever it does; the world goes on."""
        self.paused.add(process)
        try:
            self.turns(turns)
        finally:
            self.paused.discard(process)

    def leaders(self) -> list[Process]:
        return [process for process in self.processes if process.leadership.valid()]

    def settle(self, limit: int = 400) -> None:
        for _ in range(limit):
            self.turns(1)
            live = any(job.active or job.live_tasks for job in self.store.active().jobs)
            if not live and self.world.cluster.attempts() == set():
                return
        raise AssertionError(f"still active: {outcome(self.world)}")

    def live_out(self) -> None:
        populate(self.world)
        self.turns(8)
        self.world.jobs.act(LIN, "stopped", "stop")
        self.settle()

    def close(self) -> None:
        self.store.close()
        self.world.store.close()


def test_one_leads_and_the_other_stands_by(tmp_path: Path) -> None:
    contest = Contest(tmp_path)
    contest.live_out()
    assert_sound(contest.world)
    assert [process.name for process in contest.leaders()] == ["controller-1"]
    assert contest.store.lease().epoch == 1  # type: ignore[union-attr]
    contest.close()


def test_a_standby_leads_within_the_life_of_the_lease_of_a_dead_leader(tmp_path: Path) -> None:
    contest = Contest(tmp_path)
    contest.turns(4)
    contest.processes.pop(0)
    contest.turns(LIFE_MS // TURN_MS + 1)
    assert [process.name for process in contest.leaders()] == ["controller-2"]
    contest.close()


def test_a_leader_that_ends_its_lease_is_followed_at_once(tmp_path: Path) -> None:
    contest = Contest(tmp_path)
    contest.turns(4)
    contest.processes.pop(0).leadership.end()
    contest.turns(1)
    assert [process.name for process in contest.leaders()] == ["controller-2"]
    contest.close()


def test_a_paused_leader_knows_by_itself_that_its_time_is_up_and_stands_by(tmp_path: Path) -> None:
    contest = Contest(tmp_path)
    contest.turns(4)
    first, second = contest.processes
    contest.pause(first, 40)
    assert (first.leadership.valid(), second.leadership.valid()) == (False, True)
    contest.turns(10)
    assert first.controller is None
    assert contest.leaders() == [second]
    contest.close()


def test_a_leader_cut_off_while_nobody_takes_over_leads_on_with_its_epoch(tmp_path: Path) -> None:
    contest = Contest(tmp_path)
    contest.processes.pop()
    contest.turns(4)
    (only,) = contest.processes
    contest.pause(only, 60)
    assert not only.leadership.valid()
    contest.live_out()
    assert_sound(contest.world)
    assert only.leadership.epoch == 1
    contest.close()


def test_whoever_insists_is_refused_by_a_leader_that_lives_and_waits_for_one_that_died(
    tmp_path: Path,
) -> None:
    contest = Contest(tmp_path)
    contest.turns(4)
    clock = contest.world.clock
    third = Leadership(contest.store, "up:elsewhere", clock=lambda: clock.now() / 1000)
    with pytest.raises(Conflict, match="another Danlu already uses this database"):
        third.insist(pause=lambda seconds: contest.turns(int(seconds * 1000) // TURN_MS))
    contest.processes.clear()
    assert third.insist(pause=lambda seconds: clock.advance(int(seconds * 1000))) == 2
    contest.close()


POINTS = [
    f"{when} {call}"
    for call in (
        "save",
        "set_waiting",
        "start",
        "stop",
        "forget",
        "sweep",
        "events",
        "changes",
        "renew_lease",
    )
    for when in ("before", "after")
]


@pytest.mark.parametrize("wanted", [1, 2, 4])
@pytest.mark.parametrize("point", POINTS)
def test_a_leader_paused_past_its_lease_at_any_call_neither_writes_nor_acts_afterwards(
    tmp_path: Path, point: str, wanted: int
) -> None:
    passed = 0

    def hook(process: Process, now: str) -> None:
        nonlocal passed
        passed += now == point
        if now == point and passed == wanted:
            contest.pause(process, 3 * LIFE_MS // TURN_MS)
            assert contest.leaders() == [other for other in contest.processes if other is not process]

    contest = Contest(tmp_path, hook)
    contest.live_out()
    assert_sound(contest.world)
    assert passed < wanted or contest.store.lease().epoch == 2  # type: ignore[union-attr]
    contest.close()


@pytest.mark.parametrize("number", range(rounds(12, 40)))
def test_pauses_partitions_and_deaths_at_random_never_make_two_act(tmp_path: Path, number: int) -> None:
    chance = chance_of(number)
    calm = False

    def hook(process: Process, point: str) -> None:
        now = contest.world.clock.now()
        if now < process.cut_off_until and not point.endswith(
            tuple(ACTS | {"events", "inventory", "listen"})
        ):
            raise Unavailable(same("the database does not answer"))
        if calm or point.endswith("listen") or chance.random() > 0.03:
            return
        what = chance.random()
        if what < 0.6:
            contest.pause(process, chance.randint(1, 60))
        elif what < 0.85:
            process.cut_off_until = now + chance.randint(1_000, 30_000)
        else:
            raise Crashed(point)

    contest = Contest(tmp_path, hook)
    populate(contest.world)
    contest.turns(60)
    contest.world.jobs.act(LIN, "stopped", "stop")
    contest.turns(60)
    calm = True
    contest.settle()
    assert outcome(contest.world) == EXPECTED
    assert_sound(contest.world)
    assert contest.acted > 0
    assert contest.store.lease().epoch > 1  # type: ignore[union-attr]
    contest.close()
