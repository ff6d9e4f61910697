"""What is held, asked for and used is added up exactly, each time once, whoever leads and however late news come."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane.view import ActiveView
from danlu.control.usage.busy import Busy
from danlu.control.usage.recorder import TICK, Recorder
from danlu.domain.errors import Unavailable
from danlu.domain.events import Placed, StartRequested, StopRequested, TaskEnded
from danlu.domain.job import Job, JobState, Task, Time
from danlu.domain.lifecycle import advance
from danlu.domain.node import Node, NodeState
from danlu.domain.reasons import ExitCode
from danlu.domain.resources import GpuGrant
from danlu.domain.words import same
from danlu.ports.governance import CapacityRow, HourRow
from danlu.ports.logs import LogKey
from danlu.ports.store import Changes
from danlu.ports.usage import GpuLines, Line, TimeWindow, Usage
from tests.fakes.builders import job, node
from tests.fakes.clock import START, FakeClock

HOUR = 3_600_000
BEGAN = START - START % HOUR
"""A full hour."""


class Kept:
    """The hours as a store would have summed them; `fail` loses the next answer, before or after it was written."""

    def __init__(self) -> None:
        self.sums: dict[tuple[Time, str, str, str, str], Counter[str]] = {}
        self.total: Counter[tuple[Time, str]] = Counter()
        self.until: Time | None = None
        self.fail = ""

    def add_hours(
        self, rows: Sequence[HourRow], capacity: Sequence[CapacityRow], until: Time | None = None
    ) -> None:
        fail, self.fail = self.fail, ""
        if fail == "before":
            raise Unavailable(same("the database does not answer"))
        for row in rows:
            sums = self.sums.setdefault(
                (row.hour, row.project, row.user, row.job_class, row.model), Counter()
            )
            for name in ("held", "queued", "busy", "measured", "starts", "waited", "ended", "failed"):
                sums[name] += getattr(row, name)
        for place in capacity:
            self.total[place.hour, place.model] += place.total
        self.until = until
        if fail == "after":
            raise Unavailable(same("the answer was lost"))

    def begin_recording(self, at: Time) -> None:
        self.began = at

    def recorded_until(self) -> Time | None:
        return self.until

    def of(self, name: str, model: str = "A100", hour: Time | None = None) -> int:
        return sum(
            sums[name] for (at, *_, one), sums in self.sums.items() if one == model and hour in (None, at)
        )


class Jobs:
    """What a view reads: the jobs that are there when it begins, and then whatever changed."""

    def __init__(self, *there: Job) -> None:
        self.there = there
        self.changed: tuple[Job, ...] = ()
        self.gone: tuple[str, ...] = ()

    def active(self) -> Changes:
        return Changes(self.there, (), 1)

    def changes(self, after: int, held: Mapping[str, int] = {}) -> Changes:
        changed, gone = self.changed, self.gone
        self.changed, self.gone = (), ()
        return Changes(changed, gone, after + 1)


class Place:
    """A leader's recorder on a clock that stands still."""

    def __init__(
        self, *there: Job, kept: Kept | None = None, clock: FakeClock | None = None, busy: Busy | None = None
    ) -> None:
        self.clock = clock or FakeClock(BEGAN)
        self.kept, self.jobs = kept or Kept(), Jobs(*there)
        self.nodes: tuple[Node, ...] = (node("a", 8, cpus=64),)
        self.view = ActiveView(self.jobs)  # type: ignore[arg-type]
        self.recorder = Recorder(self.kept, self.view, lambda: self.nodes, self.clock, busy)  # type: ignore[arg-type]
        self.view.refresh()
        self.recorder.tick()

    def take(self, *jobs: Job) -> None:
        self.view.take(jobs)

    def passes(self, millis: int) -> None:
        """Time passes, with ticks as they are due."""
        end = self.clock.now() + millis
        while self.clock.now() < end:
            self.clock.advance(min(TICK, end - self.clock.now()))
            self.recorder.tick()


def queued(at: Time, name: str = "train", **size: Any) -> Job:
    return _after(job(name, **{"gpus": 2, "gpu": "A100", **size}), StartRequested("lin"), at)


def started(waiting: Job, at: Time, cards: int = 2, milli: int = 1000) -> Job:
    grants = tuple(GpuGrant(index, milli) for index in range(cards))
    task = Task("worker", 0, "a", "10.0.0.1", grants, "A100" if cards else None, at)
    return _after(waiting, Placed(waiting.attempts + 1, (task,)), at)


def ended(running: Job, at: Time, code: int = 0, noticed: Time | None = None) -> Job:
    reason = ExitCode("worker-0", code) if code else None
    event = TaskEnded(running.attempt_id, "worker-0", at, reason, code)
    return _after(running, event, at if noticed is None else noticed)


def _after(before: Job, event: object, now: Time) -> Job:
    return replace(advance(before, event, now).job, version=before.version + 1)  # type: ignore[arg-type]


def test_what_was_held_and_asked_for_is_summed_to_the_millisecond() -> None:
    place = Place()
    waiting = queued(BEGAN + 1_000)
    place.clock.advance(1_000)
    place.take(waiting)
    place.passes(40_000)
    running = started(waiting, BEGAN + 41_000)
    place.take(running)
    place.passes(100_000)
    place.take(ended(running, BEGAN + 123_456))
    place.passes(60_000)

    assert place.kept.of("queued") == 2_000 * 40_000
    assert place.kept.of("held") == 2_000 * (123_456 - 41_000)
    assert (place.kept.of("starts"), place.kept.of("waited")) == (1, 40_000)
    assert (place.kept.of("ended"), place.kept.of("failed")) == (1, 0)
    assert place.kept.until == place.clock.now()


def test_what_begins_and_ends_between_two_ticks_counts_too() -> None:
    place = Place()
    waiting = queued(BEGAN + 100)
    running = started(waiting, BEGAN + 300)
    place.clock.advance(2_000)
    place.take(waiting)
    place.take(running)
    place.take(ended(running, BEGAN + 1_300, code=1))
    place.passes(TICK)

    assert (place.kept.of("queued"), place.kept.of("held")) == (2_000 * 200, 2_000 * 1_000)
    assert [place.kept.of(name) for name in ("starts", "waited", "ended", "failed")] == [1, 200, 1, 1]


def test_an_end_that_becomes_known_late_takes_back_what_was_counted_too_much() -> None:
    place = Place()
    running = started(queued(BEGAN), BEGAN)
    place.take(queued(BEGAN))
    place.take(running)
    place.passes(HOUR + 10 * TICK)
    place.take(ended(running, BEGAN + 5_000, noticed=place.clock.now()))
    place.passes(TICK)

    assert place.kept.of("held") == 2_000 * 5_000
    assert place.kept.of("held", hour=BEGAN + HOUR) == 0


def test_a_begin_that_becomes_known_late_counts_from_when_it_was() -> None:
    place = Place()
    place.passes(TICK)
    waiting = queued(BEGAN + 20_000)
    place.take(waiting)
    place.take(started(waiting, BEGAN + 25_000))
    place.passes(TICK)

    assert place.kept.of("queued") == 2_000 * 5_000
    assert place.kept.of("held") == 2_000 * (2 * TICK - 25_000)


def test_hours_are_told_apart() -> None:
    place = Place(clock=FakeClock(BEGAN - 10_000))
    waiting = queued(BEGAN - 10_000)
    place.take(waiting)
    place.take(started(waiting, BEGAN - 5_000))
    place.passes(TICK)

    assert place.kept.of("held", hour=BEGAN - HOUR) == 2_000 * 5_000
    assert place.kept.of("held", hour=BEGAN) == 2_000 * 20_000
    assert place.kept.total[BEGAN - HOUR, "A100"] == 8_000 * 10_000
    assert place.kept.total[BEGAN, "cpu"] == 64_000 * 20_000


def test_what_has_no_gpus_counts_cpus() -> None:
    place = Place()
    waiting = queued(BEGAN, gpus=0, gpu=None, cpus=3)
    place.take(waiting)
    place.passes(1_000)
    place.take(started(waiting, BEGAN + 1_000, cards=0))
    place.passes(1_000)

    assert (place.kept.of("queued", "cpu"), place.kept.of("held", "cpu")) == (3_000 * 1_000, 3_000 * 1_000)
    assert (place.kept.of("starts", "cpu"), place.kept.of("held", "A100")) == (1, 0)


def test_each_sort_of_jobs_has_a_row_of_its_own() -> None:
    place = Place()
    mine = queued(BEGAN)
    place.take(mine, replace(mine, id="other", owner="wang"))
    place.take(replace(mine, id="notes", spec=replace(mine.spec, project="nlp")))
    place.passes(1_000)

    assert {key[1:] for key in place.kept.sums} == {
        ("public", "lin", "single", "A100"),
        ("public", "wang", "single", "A100"),
        ("nlp", "lin", "single", "A100"),
    }


def test_one_that_takes_any_model_counts_with_the_one_most_nodes_have_until_it_leaves() -> None:
    place = Place()
    waiting = queued(BEGAN, gpu=None)
    place.take(waiting)
    place.passes(10_000)
    place.nodes = (node("h", 8, "H100"), node("i", 8, "H100"), *place.nodes)
    place.take(_after(waiting, StopRequested("lin"), place.clock.now()))
    place.passes(TICK)

    assert (place.kept.of("queued", "A100"), place.kept.of("queued", "H100")) == (2_000 * 10_000, 0)
    assert place.kept.of("ended") + place.kept.of("ended", "H100") == 1


def test_a_requeued_job_waits_anew_and_starts_again() -> None:
    place = Place()
    waiting = queued(BEGAN, on={"task_failed": "requeue"}, restarts=3)
    first = started(waiting, BEGAN + 1_000)
    again = ended(first, BEGAN + 2_000, code=1)
    assert again.state is JobState.QUEUED
    second = started(again, BEGAN + 5_000)
    for one in (waiting, first, again, second, ended(second, BEGAN + 6_000)):
        place.take(one)
    place.passes(TICK)

    assert (place.kept.of("starts"), place.kept.of("waited")) == (2, 1_000 + 3_000)
    assert (place.kept.of("held"), place.kept.of("queued")) == (2_000 * 2_000, 2_000 * 4_000)
    assert (place.kept.of("ended"), place.kept.of("failed")) == (1, 0)


def test_a_job_that_is_deleted_or_only_edited_ends_no_second_time() -> None:
    place = Place()
    waiting = queued(BEGAN)
    place.take(waiting)
    stopped = _after(waiting, StopRequested("lin"), BEGAN + 1_000)
    place.take(stopped)
    place.jobs.changed = (replace(stopped, version=stopped.version + 1),)
    place.view.refresh()
    place.jobs.gone = (stopped.id,)
    place.view.refresh()
    place.passes(TICK)

    assert (place.kept.of("ended"), place.kept.of("queued")) == (1, 2_000 * 1_000)


def test_a_job_that_vanishes_holds_nothing_any_more() -> None:
    place = Place()
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.passes(1_000)
    place.jobs.gone = (waiting.id,)
    place.view.refresh()
    place.passes(TICK)

    assert place.kept.of("held") == 2_000 * 1_000


def test_a_new_leader_goes_on_where_the_last_one_was() -> None:
    first = Place()
    waiting = queued(BEGAN)
    running = started(waiting, BEGAN + 1_000)
    others = queued(BEGAN + 500, name="other")
    for one in (waiting, running, others):
        first.take(one)
    first.passes(10_000)

    first.clock.advance(7_000)  # nobody leads
    second = Place(running, others, kept=first.kept, clock=first.clock)
    second.passes(3_000)

    assert first.kept.of("held") == 2_000 * (20_000 - 1_000)
    assert first.kept.of("queued") == 2_000 * (1_000 + 20_000 - 500)
    assert (first.kept.of("starts"), first.kept.of("waited")) == (1, 1_000)
    assert first.kept.total[BEGAN, "A100"] == 8_000 * 20_000


def test_a_start_after_the_last_record_of_a_crashed_leader_is_counted_by_the_next() -> None:
    first = Place()
    waiting = queued(BEGAN)
    first.take(waiting)
    first.passes(10_000)
    running = started(waiting, BEGAN + 12_000)  # written to the store, and then it crashed

    first.clock.advance(5_000)
    second = Place(running, kept=first.kept, clock=first.clock)
    second.passes(5_000)

    assert (first.kept.of("starts"), first.kept.of("waited")) == (1, 12_000)
    assert first.kept.of("held") == 2_000 * (20_000 - 12_000)
    assert first.kept.of("queued") == 2_000 * 10_000  # of the last moments in the queue nobody told


def test_of_a_long_pause_nobody_knows_which_nodes_there_were() -> None:
    first = Place()
    first.passes(TICK)
    first.clock.advance(100 * HOUR)
    Place(kept=first.kept, clock=first.clock)

    assert sum(total for (_, model), total in first.kept.total.items() if model == "A100") == (
        8_000 * (TICK + HOUR)
    )


@pytest.mark.parametrize("lost", ["before", "after"])
def test_what_could_not_be_written_is_written_once(lost: str) -> None:
    place = Place()
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.clock.advance(TICK)
    place.kept.fail = lost
    with pytest.raises(Unavailable):
        place.recorder.tick()
    place.passes(TICK)

    assert place.kept.of("held") == 2_000 * 2 * TICK
    assert (place.kept.of("starts"), place.kept.total[BEGAN, "A100"]) == (1, 8_000 * 2 * TICK)


def test_a_clock_that_is_set_back_counts_no_time_twice() -> None:
    place = Place()
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.passes(10 * TICK)
    place.clock.advance(-5 * TICK)
    place.passes(7 * TICK)

    assert place.kept.of("held") == 2_000 * 12 * TICK


def test_a_clock_that_was_far_ahead_does_not_silence_the_recorder() -> None:
    ahead = Place(clock=FakeClock(BEGAN + 1_000 * HOUR))
    place = Place(kept=ahead.kept, clock=FakeClock(BEGAN))
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.passes(TICK)

    assert place.kept.of("held", hour=BEGAN) == 2_000 * TICK


def test_an_orderly_end_records_what_is_not_written_yet_and_trouble_ends_nothing() -> None:
    place = Place()
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    over = threading.Event()
    over.set()
    place.clock.advance(5_000)
    place.kept.fail = "after"
    place.recorder.run(over)
    place.clock.advance(1_000)
    place.recorder.run(over)

    assert place.kept.of("held") == 2_000 * 6_000


def test_capacity_is_what_is_there_and_not_off() -> None:
    place = Place()
    off = node("d", 2, state=NodeState.OFF)
    place.nodes = (node("a", 8), node("b", 4, state=NodeState.CORDONED), node("c", 2, "H100"), off)
    place.passes(1_000)

    assert (place.kept.total[BEGAN, "A100"], place.kept.total[BEGAN, "H100"]) == (
        12_000 * 1_000,
        2_000 * 1_000,
    )


def test_nothing_is_recorded_before_the_jobs_are_known() -> None:
    kept, clock = Kept(), FakeClock(BEGAN)
    recorder = Recorder(kept, ActiveView(Jobs()), tuple, clock)  # type: ignore[arg-type]
    recorder.tick()

    assert kept.until is None


def test_more_than_a_database_can_hold_is_bounded() -> None:
    place = Place()
    many = queued(BEGAN)
    roles = (replace(many.spec.roles[0], replicas=10**12),)
    place.take(replace(many, spec=replace(many.spec, roles=roles)))
    place.passes(HOUR)

    assert 2**61 < 24 * place.kept.of("queued") < 2**63


class Readings:
    """Samples of tasks, the same all the time."""

    def __init__(self, cpus: float | None = None, busy: Mapping[int, float] = {}) -> None:
        self._cpus, self._busy = cpus, busy

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage:
        assert key.task == "worker-0"
        end = span.end or 0
        line = lambda value: Line([value, None, value], [value] * 3)  # noqa: E731
        gpus = tuple(GpuLines(index, line(busy), line(0)) for index, busy in self._busy.items())
        return Usage([end - 2, end - 1, end], line(self._cpus), line(0), gpus)


def test_the_busy_share_of_what_was_measured_is_what_is_used() -> None:
    place = Place(busy=Busy(Readings(busy={0: 50.0, 5: 100.0})))  # type: ignore[arg-type]
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.passes(TICK)

    assert (place.kept.of("busy"), place.kept.of("measured")) == (500 * TICK, 1_000 * TICK)


def test_without_gpus_the_cpus_in_use_are_what_is_used() -> None:
    place = Place(busy=Busy(Readings(cpus=1.5)))  # type: ignore[arg-type]
    waiting = queued(BEGAN, gpus=0, gpu=None, cpus=3)
    place.take(waiting)
    place.take(started(waiting, BEGAN + 10_000, cards=0))
    place.passes(TICK)

    assert place.kept.of("busy", "cpu") == 1_500 * (TICK - 10_000)
    assert place.kept.of("measured", "cpu") == 3_000 * (TICK - 10_000)


def test_what_nobody_measured_is_not_taken_for_idle() -> None:
    place = Place(busy=Busy(Readings()))  # type: ignore[arg-type]
    waiting = queued(BEGAN)
    place.take(waiting)
    place.take(started(waiting, BEGAN))
    place.passes(TICK)

    assert (place.kept.of("held"), place.kept.of("measured")) == (2_000 * TICK, 0)
