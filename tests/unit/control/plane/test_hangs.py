"""When a job counts as hung, and when not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.plane.hangs import EVERY_MS, Hangs
from danlu.domain.events import JobHung
from danlu.domain.job import Attempt, Job, JobState, Task, TaskState
from danlu.domain.node import Node, NodeState
from danlu.ports.logs import LogKey
from tests.fakes import builders
from tests.fakes.clock import START, FakeClock

MINUTE = 60_000
LIMIT = 10 * MINUTE


def running(*, tasks: int = 2, hang_after: str = "10m", began: int = START, **keys: Any) -> Job:
    job = builders.job("train", hang_after=hang_after, nodes=tasks, **keys)
    names = [(job.spec.roles[0].name, index) for index in range(tasks)]
    placed = tuple(
        Task(
            role, index, f"n{index}", "127.0.0.1", placed_at=began, state=TaskState.RUNNING, started_at=began
        )
        for role, index in names
    )
    return replace(
        job, state=JobState.RUNNING, attempts=1, attempt=Attempt(1, placed, began), started_at=began
    )


class Bench:
    """A watch over jobs whose signs of work are said."""

    def __init__(self, *jobs: Job) -> None:
        self.clock, self.jobs = FakeClock(), list(jobs)
        self.nodes = [Node(f"n{index}", "127.0.0.1", 1000, 2**30) for index in range(4)]
        self.signs: dict[LogKey, int] = {}
        self.looked_into: list[str] = []
        self.asked = 0
        self.on_look: Callable[[Job], object] = lambda job: None
        self.told: list[tuple[str, JobHung]] = []
        self.boot()

    def boot(self) -> None:
        """A fresh Danlu on what is there."""
        self.hangs = Hangs(
            lambda: self.jobs, lambda: self.nodes, self, self._look_into, self._tell, self.clock,
            lambda work: work(),
        )  # fmt: skip

    def last(self, task: LogKey, since: int) -> int | None:
        self.asked += 1
        moment = self.signs.get(task, 0)
        return moment if moment > since else None

    def sign(self, task: str = "worker-0", job: str = "train", attempt: int = 1) -> None:
        self.signs[LogKey(job, attempt, task)] = self.clock.now()

    def pass_time(self, millis: int) -> None:
        for _ in range(millis // EVERY_MS):
            self.clock.advance(EVERY_MS)
            self.hangs.look()

    def _look_into(self, job: Job) -> None:
        self.looked_into.append(job.attempt_id)
        self.on_look(job)

    def _tell(self, job_id: str, event: Any) -> None:
        self.told.append((job_id, event))


def test_a_job_without_any_sign_for_its_time_is_looked_into_and_told_once() -> None:
    bench = Bench(running())
    bench.pass_time(LIMIT - EVERY_MS)
    assert bench.told == []
    bench.pass_time(5 * MINUTE)
    assert bench.looked_into == ["train-1"]
    assert bench.told == [("train", JobHung("train-1", LIMIT))]


def test_a_sign_of_any_task_keeps_a_job_alive() -> None:
    bench = Bench(running())
    for _ in range(6):
        bench.pass_time(9 * MINUTE)
        bench.sign("worker-1")
    assert bench.told == []
    bench.pass_time(11 * MINUTE)
    assert [event.quiet for _, event in bench.told] == [LIMIT]


def test_a_job_that_never_hangs_is_never_asked_for_signs() -> None:
    bench = Bench(running(hang_after="0s"))
    bench.pass_time(10 * LIMIT)
    assert (bench.told, bench.asked) == ([], 0)


def test_a_workspace_is_left_alone_unless_its_file_says_so() -> None:
    workspace = running(tasks=1, kind="workspace", hang_after="0s")
    bench = Bench(workspace)
    bench.pass_time(2 * LIMIT)
    assert bench.told == []
    limited = replace(workspace, spec=replace(workspace.spec, hang_after=LIMIT))
    bench.jobs = [limited]
    bench.pass_time(2 * LIMIT)
    assert len(bench.told) == 1


@pytest.mark.parametrize("state", [JobState.STARTING, JobState.STOPPING])
def test_only_what_runs_can_hang(state: JobState) -> None:
    bench = Bench(replace(running(), state=state))
    bench.pass_time(2 * LIMIT)
    assert bench.told == []


def test_after_a_restart_of_danlu_the_silence_counts_from_the_last_sign_but_is_watched_first() -> None:
    bench = Bench(running())
    bench.pass_time(5 * MINUTE)
    bench.sign()
    bench.clock.advance(20 * MINUTE)  # nobody looked
    bench.boot()
    bench.hangs.look()
    assert bench.told == [], "nothing is called hung at the first look"
    bench.pass_time(EVERY_MS)
    assert [event.quiet for _, event in bench.told] == [20 * MINUTE + EVERY_MS]


def test_a_job_that_spoke_while_danlu_was_away_is_not_hung_after_its_restart() -> None:
    bench = Bench(running())
    bench.clock.advance(20 * MINUTE)
    bench.sign()
    bench.clock.advance(5 * MINUTE)
    bench.boot()
    bench.pass_time(4 * MINUTE)
    assert bench.told == []


def test_a_job_that_moves_while_it_is_looked_into_is_not_hung_and_watched_on() -> None:
    bench = Bench(running())
    bench.on_look = lambda _: bench.sign()
    bench.pass_time(LIMIT + MINUTE)
    assert (bench.looked_into, bench.told) == (["train-1"], [])
    bench.on_look = lambda _: None
    bench.pass_time(LIMIT + MINUTE)
    assert len(bench.told) == 1


def test_a_job_that_cannot_be_looked_into_is_told_of_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    def fails(_: Job) -> None:
        raise OSError("no more processes")

    bench = Bench(running())
    bench.on_look = fails
    bench.pass_time(LIMIT + MINUTE)
    assert len(bench.told) == 1
    assert "its stacks could not be taken" in caplog.text


def test_what_runs_on_a_node_out_of_sight_is_not_judged_and_watched_anew_when_it_is_back() -> None:
    bench = Bench(running())
    bench.nodes[1] = replace(bench.nodes[1], state=NodeState.UNREACHABLE)
    bench.pass_time(3 * LIMIT)
    assert bench.told == []
    bench.nodes[1] = replace(bench.nodes[1], state=NodeState.READY)
    bench.pass_time(EVERY_MS)
    assert bench.told == [], "its files may not have caught up yet"
    bench.pass_time(EVERY_MS)
    assert len(bench.told) == 1


def test_a_task_that_waits_for_its_restart_is_given_until_then() -> None:
    job = running()
    assert job.attempt is not None
    held = replace(
        job.attempt.tasks[0],
        state=TaskState.PENDING,
        started_at=None,
        tries=1,
        not_before=START + 8 * MINUTE,
    )
    bench = Bench(replace(job, attempt=replace(job.attempt, tasks=(held, *job.attempt.tasks[1:]))))
    bench.pass_time(17 * MINUTE)
    assert bench.told == []
    bench.pass_time(2 * MINUTE)
    assert len(bench.told) == 1


def test_the_next_attempt_is_watched_for_itself() -> None:
    bench = Bench(running())
    bench.pass_time(LIMIT + MINUTE)
    again = running(began=bench.clock.now())
    assert again.attempt is not None
    bench.jobs = [replace(again, attempts=2, attempt=replace(again.attempt, number=2))]
    bench.pass_time(LIMIT - MINUTE)
    assert len(bench.told) == 1
    bench.pass_time(2 * MINUTE)
    assert [event.attempt_id for _, event in bench.told] == ["train-1", "train-2"]
