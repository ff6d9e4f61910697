"""How a training goes: which tries count, how fast its steps are, and what seems to hold it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from danlu.control.jobs.hints import MEASURED_FOR, Load, hint
from danlu.control.jobs.metrics import MOST_TASKS, RECENT, Going, TrainingMetrics, runs_of
from danlu.domain.job import Attempt, Job, JobState, Saved, Task, TaskState
from danlu.domain.resources import GpuGrant
from danlu.ports.logs import LogKey
from danlu.ports.metrics import MetricName, Metrics, Pace, Point, Run, WantedMetrics
from danlu.ports.usage import GpuLines, Line, TimeWindow, Usage
from danlu.telemetry import curves
from tests.fakes.builders import job
from tests.fakes.clock import FakeClock

NOW = 1_000_000_000
WORKER = Task(
    "worker", 0, "n1", "a", gpus=(GpuGrant(0, 1000),), state=TaskState.RUNNING, started_at=NOW - 600_000
)


class Told:
    """A pace that the test decides."""

    def __init__(self, pace: Pace | None = None, **last: float) -> None:
        self.known, self.last = pace, last
        self.window: int | None = -1

    def read(self, runs: Sequence[Run], wanted: WantedMetrics) -> Metrics:
        return Metrics(
            tuple(MetricName(name, ("worker-0",), Point(7, NOW, value)) for name, value in self.last.items()),
            (),
        )

    def pace(self, runs: Sequence[Run], window: int | None) -> Pace | None:
        self.window = window
        return self.known

    def points(self, runs: Sequence[Run], names: Sequence[str]) -> Iterator[list[tuple[Run, str, Point]]]:
        return iter(())


class Used:
    """Tasks that use what the test decides: percent of a GPU, and cores."""

    def __init__(self, gpu: float | None = None, cpus: float = 0) -> None:
        self.gpu, self.cpus = gpu, cpus
        self.asked: list[tuple[LogKey, TimeWindow]] = []

    def of_task(self, key: LogKey, span: TimeWindow) -> Usage:
        self.asked.append((key, span))
        times, nothing = [NOW - 2 * MEASURED_FOR, NOW], Line([], [])
        cards = () if self.gpu is None else (GpuLines(0, Line([self.gpu, None], []), nothing),)
        return Usage(times, Line([self.cpus] * 2, []), nothing, cards)

    def of_node(self, name: str, span: TimeWindow) -> Usage:
        return curves.NOTHING


def resumed(step: int | None) -> Saved:
    return Saved("/checkpoints/a", step, 1, 1)


def trained(*tasks: Task, ended: bool = False) -> tuple[Job, Attempt]:
    attempt = Attempt(1, tasks or (WORKER,), 0, NOW if ended else None)
    return replace(job(gpus=1, cpus=4), state=JobState.RUNNING, attempt=attempt, attempts=1), attempt


def going(told: Told, used: Used | None = None, *, ended: bool = False) -> Going:
    task = replace(WORKER, state=TaskState.SUCCEEDED, ended_at=NOW) if ended else WORKER
    one, attempt = trained(task, ended=ended)
    return TrainingMetrics(told, used or Used(), FakeClock(NOW)).of_job(one, [attempt], WantedMetrics())


def test_what_counts_of_an_attempt_ends_where_any_later_one_went_on():
    attempts = [
        Attempt(1, (WORKER,), 0),
        Attempt(2, (WORKER,), 0, resumed=resumed(500)),
        Attempt(3, (WORKER,), 0, resumed=resumed(100)),
        Attempt(4, (WORKER,), 0, resumed=resumed(None)),
        Attempt(5, (WORKER,), 0),
    ]
    runs = runs_of("job1", attempts)
    assert [(run.key, run.until) for run in runs] == [
        (LogKey("job1", 1, "worker-0"), 100),
        (LogKey("job1", 2, "worker-0"), 100),
        (LogKey("job1", 3, "worker-0"), None),
        (LogKey("job1", 4, "worker-0"), None),
        (LogKey("job1", 5, "worker-0"), None),
    ]


def test_a_task_that_was_started_again_has_a_run_for_each_time():
    again = replace(WORKER, index=1, tries=2)
    runs = runs_of("job1", [Attempt(1, (WORKER, again), 0)])
    assert [(run.key.task, run.task) for run in runs] == [
        ("worker-0", "worker-0"), ("worker-1", "worker-1"), ("worker-1-r1", "worker-1"), ("worker-1-r2", "worker-1"),
    ]  # fmt: skip
    assert [run.key.task for run in runs_of("job1", [Attempt(1, (WORKER, again), 0)], "worker-0")] == [
        "worker-0"
    ]


def test_of_a_large_gang_the_first_tasks_are_looked_at():
    crowd = tuple(replace(WORKER, index=at) for at in range(300))
    assert len(runs_of("job1", [Attempt(1, crowd, 0)])) == MOST_TASKS


@pytest.mark.parametrize(
    ("last_step_ago", "rate", "over"),
    [(1_000, 2.0, 60_000), (RECENT, 2.0, 60_000), (RECENT + 1, 0.0, RECENT + 1)],
)
def test_a_running_job_that_tells_nothing_any_more_stands_still(last_step_ago: int, rate: float, over: int):
    last = NOW - last_step_ago
    told = Told(Pace(Point(0, last - 60_000, 1.0), Point(120, last, 1.0)))
    found = going(told).throughput
    assert (found.steps_per_second, found.over) == (rate, over)
    assert told.window == RECENT


@pytest.mark.parametrize(
    ("told", "total"),
    [(6_000.0, 6_000), (0.0, None), (float("nan"), None), (float("inf"), None), (1e300, None)],
)
def test_the_number_of_steps_is_what_the_training_told_if_it_is_one(told: float, total: int | None):
    assert going(Told(total_steps=told)).total_steps == total
    assert going(Told(loss=told)).total_steps is None


def test_slow_steps_are_no_standstill():
    told = Told(Pace(Point(0, NOW - 3_000_000, 1.0), Point(1, NOW - 1_200_000, 1.0)))
    assert going(told).throughput.steps_per_second == pytest.approx(1 / 1_800)


def test_of_what_has_ended_the_whole_counts():
    told = Told(Pace(Point(0, 0, 1.0), Point(100, 50_000, 1.0)))
    assert going(told, ended=True).throughput.steps_per_second == 2.0
    assert told.window is None


@pytest.mark.parametrize(
    "pace",
    [None, Pace(Point(5, NOW, 1.0), Point(6, NOW, 1.0)), Pace(Point(9, NOW - 9, 1.0), Point(5, NOW, 1.0))],
)
def test_a_pace_that_nobody_knows_is_not_made_up(pace: Pace | None):
    assert going(Told(pace)).throughput.steps_per_second is None


def test_gpus_are_judged_over_the_last_minutes_and_over_all_of_what_has_ended():
    used = Used(80.0)
    assert going(Told(), used).busy == 80.0
    assert going(Told(), used, ended=True).busy == 80.0
    (_, running), (_, whole) = used.asked
    assert (running.window, running.end, whole.window) == (RECENT, NOW, 600_000)


def test_where_no_gpu_is_measured_nothing_is_said_of_it():
    found = going(Told(), Used(None, cpus=4))
    assert (found.busy, found.hint) == (None, None)


def test_what_has_ended_gets_no_advice():
    assert going(Told(), Used(10.0, cpus=4)).hint is not None
    assert going(Told(), Used(10.0, cpus=4), ended=True).hint is None


LONG = MEASURED_FOR


@pytest.mark.parametrize(
    ("gpu", "cpu", "says"),
    [
        (90.0, 0.99, ""),
        (50.0, 0.99, ""),
        (49.9, 0.85, "more CPUs"),
        (5.0, 0.99, "more CPUs"),
        (40.0, 0.5, "data-loader workers"),
        (5.0, 0.5, "data-loader workers"),
        (40.0, 0.05, "data-loader workers"),
        (14.9, 0.14, "network"),
        (20.0, None, ""),
        (None, 0.99, ""),
    ],
)
def test_a_hint_follows_from_gpus_and_cpus(gpu: float | None, cpu: float | None, says: str):
    found = hint([Load(gpu, cpu, LONG)])
    assert (says in found.en) if found else not says


def test_the_idlest_task_decides_and_one_just_started_does_not():
    assert hint([Load(95.0, 0.5, LONG), Load(20.0, 0.9, LONG)]) is not None
    assert hint([Load(95.0, 0.5, LONG), Load(20.0, 0.9, LONG - 1)]) is None
    found = hint([Load(20.4, 0.9, LONG)])
    assert found is not None
    assert "20 %" in found.en
    assert "20%" in found.zh
