"""Jobs with inputs: fetched once, whatever dies in between, and started when all are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.control.transfers.inputs import InputFetcher
from danlu.domain import reasons as why
from danlu.domain.job import JobState
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import Transfer, TransferProgress, TransferState
from tests.effort import rounds
from tests.simulation.world import LIN, Crashed, World

S = TransferState
RUN = {"SIMULATED_RUN_FOR": "5s"}
SET = {"from": "https://example.org/set.bin?signature=hidden", "to": "personal:/set/"}
MORE = {"from": "https://example.org/more.bin", "to": "personal:/more/"}


class Fetching(World):
    """The world with what fetches inputs; what transfers does as the test says."""

    def step(self, millis: int = 0) -> None:
        super().step(millis)
        try:
            self.fetcher.round()
        except Crashed:
            self.crashes += 1
            self.boot()

    def transfers(self) -> list[Transfer]:
        return sorted(self.store.transfers(None), key=lambda one: one.id)

    def carry(self, state: S = S.COMPLETED, **keys: Any) -> None:
        """Whatever is unfinished becomes this."""
        ends = {} if state is S.RUNNING else {"ended_at": self.clock.now()}
        for one in self.store.unfinished_transfers():
            self.store.edit_transfer(one.id, lambda it: _become(it, state, ends | keys), self.clock.now())

    def why(self, name: str) -> Any:
        return self.jobs.waiting(self.jobs.get(LIN, name))

    def kinds(self, name: str) -> list[str]:
        return [one.kind for one in self.jobs.events(LIN, name, 0, 100)]


def _become(one: Transfer, state: S, values: dict[str, Any]) -> Transfer:
    return replace(one, state=S.CANCELLED if one.cancelling else state, **values)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Fetching]:
    world = Fetching(tmp_path)
    yield world
    world.store.close()


def submit(world: Fetching, name: str, *inputs: dict[str, Any], **keys: Any) -> None:
    world.submit(name, **{"env": RUN, "inputs": list(inputs or (SET,)), **keys})


def test_a_job_waits_for_its_inputs_without_a_node_and_others_go_past_it(world: Fetching) -> None:
    submit(world, "needs", SET, MORE, nodes=2, resources={"gpus": 8})
    world.submit("passes", nodes=2, resources={"gpus": 8}, env=RUN)
    world.steps(3)
    assert (world.state("needs"), world.state("passes")) == (JobState.QUEUED, JobState.RUNNING)
    assert world.why("needs") == why.InputsPending(1, 2, "https://example.org/set.bin")
    assert [str(one.for_job and one.for_job.name) for one in world.transfers()] == ["needs#1", "needs#1"]
    world.carry()
    world.steps(20)
    assert world.state("needs") is JobState.COMPLETED
    assert world.kinds("needs").count("inputs_fetched") == 1


def test_why_tells_how_far_the_transfer_is_that_runs(world: Fetching) -> None:
    submit(world, "needs")
    world.steps(3)
    far = TransferProgress(bytes=400, bytes_total=1000, rate=4)
    world.carry(S.RUNNING, progress=far)
    world.steps(2)
    told = world.why("needs")
    assert (told.state, told.percent, told.left) == ("fetching", 40, 150_000)
    assert told.text().en == (
        "input 1 of 1 is being fetched: https://example.org/set.bin, 40 %, about 2m30s left"
    )
    assert told.text().zh.endswith("40%，约剩 2 分钟 30 秒")
    assert world.queue.why(LIN, "needs").reason == told
    world.carry(S.QUEUED, ended_at=None, problem=Problem("name_unknown", {"host": "example.org"}))
    world.steps(2)
    assert world.why("needs").text().en.endswith("40 %, no address is known of example.org")


def test_what_would_be_submitted_is_told_that_it_would_fetch_first(world: Fetching) -> None:
    world.steps(2)
    spec = world.jobs.create(LIN, {"kind": "training", "name": "later", "command": "true", "inputs": [SET]})
    found = world.queue.outlook(spec)
    assert (found.starts_now, found.reason) == (
        False,
        why.InputsPending(1, 1, "https://example.org/set.bin", "ahead"),
    )


def test_a_hundred_jobs_with_one_input_share_one_transfer(world: Fetching) -> None:
    for number in range(100):
        submit(world, f"job-{number}")
    world.steps(2)
    assert len(world.transfers()) == 1
    for number in range(99):
        world.jobs.act(LIN, f"job-{number}", "stop")
    world.steps(2)
    assert world.transfers()[0].state is S.QUEUED
    world.carry()
    world.steps(8)
    assert world.state("job-99") is JobState.COMPLETED


def test_an_input_that_fails_fails_the_job_and_its_next_start_goes_on_with_it(world: Fetching) -> None:
    submit(world, "needs", SET, MORE)
    world.steps(2)
    first, second = world.transfers()
    world.store.edit_transfer(
        second.id,
        lambda one: replace(
            one, state=S.FAILED, ended_at=1, problem=Problem("not_found_there", {"url": "x", "status": 404})
        ),
        1,
    )
    world.steps(3)
    reason = world.jobs.get(LIN, "needs").reason
    assert isinstance(reason, why.InputFailed)
    assert (reason.place, reason.count, reason.transfer, reason.problem) == (
        2,
        2,
        second.id,
        "not_found_there",
    )
    assert reason.text().zh.startswith("第 2 项输入（共 2 项）获取失败")
    assert world.state("needs") is JobState.FAILED
    assert world.store.transfer(first.id).state is S.CANCELLED  # type: ignore[union-attr]
    world.jobs.act(LIN, "needs", "start")
    world.steps(2)
    assert [(one.id, one.state) for one in world.transfers()] == [(first.id, S.QUEUED), (second.id, S.QUEUED)]
    world.carry()
    world.steps(8)
    assert world.state("needs") is JobState.COMPLETED


def test_a_transfer_that_somebody_cancels_fails_the_job(world: Fetching) -> None:
    submit(world, "needs")
    world.steps(2)
    world.carry(S.CANCELLED)
    world.steps(3)
    reason = world.jobs.get(LIN, "needs").reason
    assert isinstance(reason, why.InputFailed)
    assert reason.text().en.endswith("its transfer was cancelled")


@pytest.mark.parametrize("verb", ["stop", "reset", "delete"])
def test_a_job_that_is_taken_back_cancels_what_only_it_needs(world: Fetching, verb: str) -> None:
    submit(world, "needs", SET, MORE)
    submit(world, "other", MORE)
    world.steps(2)
    world.jobs.act(LIN, "needs", "stop" if verb == "delete" else verb)
    if verb == "delete":
        world.jobs.delete(LIN, "needs")
    world.steps(3)
    assert [one.state for one in world.transfers()] == [S.CANCELLED, S.QUEUED]


def test_an_eviction_or_trouble_does_not_fetch_again_and_a_restart_by_hand_does(world: Fetching) -> None:
    submit(world, "needs", env={"SIMULATED_RUN_FOR": "1h"}, on={"node_lost": "requeue"})
    world.steps(2)
    world.carry()
    world.steps(4)
    assert world.state("needs") is JobState.RUNNING
    attempt = world.jobs.get(LIN, "needs").attempt
    assert attempt is not None
    world.cluster.lose_node(attempt.tasks[0].node, world.clock.now())
    world.steps(30)
    assert world.jobs.get(LIN, "needs").attempts == 2
    assert len(world.transfers()) == 1
    world.jobs.act(LIN, "needs", "restart")
    world.steps(6)
    assert isinstance(world.why("needs"), why.InputsPending)
    assert [one.state for one in world.transfers()] == [S.COMPLETED, S.QUEUED]


def test_an_edit_of_what_is_fetched_gives_up_the_one_and_begins_the_other(world: Fetching) -> None:
    submit(world, "needs", SET, MORE)
    world.steps(2)
    file = {"kind": "training", "name": "needs", "command": "true", "env": RUN}
    world.jobs.edit(LIN, "needs", {**file, "inputs": [{**SET, "unpack": True}]})
    world.steps(3)
    found = [(one.wish.unpack, one.state) for one in world.transfers()]
    assert found == [(False, S.CANCELLED), (False, S.CANCELLED), (True, S.QUEUED)]
    world.jobs.edit(LIN, "needs", file)
    world.steps(8)
    assert world.state("needs") is JobState.COMPLETED


CALLS = ("open_inputs", "begin_input", "release_input", "save", "changes", "active")
POINTS = [f"{when} {call}" for call in CALLS for when in ("before", "after")]


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_at_any_call_makes_no_second_transfer_and_loses_none(tmp_path: Path, point: str) -> None:
    crashed = False
    for wanted in range(1, rounds(3, 6)):
        folder = tmp_path / str(wanted)
        folder.mkdir()
        world = Fetching(folder)
        world.boot(nth(point, wanted))
        submit(world, "needs", SET, MORE)
        submit(world, "stopped", SET, {**MORE, "to": "personal:/else/"})
        world.steps(4)
        world.jobs.act(LIN, "stopped", "stop")
        world.steps(3)
        assert [one.state for one in world.transfers()] == [S.QUEUED, S.QUEUED, S.CANCELLED]
        world.carry()
        world.steps(12)
        assert (world.state("needs"), world.kinds("needs").count("inputs_fetched")) == (JobState.COMPLETED, 1)
        assert len(world.transfers()) == 3
        crashed |= world.crashes > 0
        world.store.close()
    assert crashed


def nth(point: str, wanted: int) -> Callable[[str], bool]:
    passed = 0

    def now(at: str) -> bool:
        nonlocal passed
        passed += at == point
        return at == point and passed == wanted

    return now


def test_who_leads_next_takes_over_what_is_under_way(world: Fetching) -> None:
    submit(world, "needs")
    world.steps(2)
    world.boot()
    world.steps(2)
    assert len(world.transfers()) == 1
    world.carry()
    world.boot()
    world.steps(8)
    assert world.state("needs") is JobState.COMPLETED


def test_who_knows_no_jobs_yet_gives_up_nothing(world: Fetching) -> None:
    submit(world, "needs")
    world.steps(2)
    world.boot()
    world.fetcher.round()
    assert world.transfers()[0].state is S.QUEUED
    assert not world.store.open_inputs()[0].released


def test_the_steps_of_a_job_tell_of_its_transfers(world: Fetching) -> None:
    submit(world, "needs", SET, MORE)
    steps = world.jobs.inputs(world.jobs.get(LIN, "needs"))
    assert (steps[0].source, steps[0].state) == ("https://example.org/set.bin", "waiting")
    assert steps[0].transfer is None
    world.steps(2)
    world.carry(S.RUNNING, progress=TransferProgress(bytes=1, bytes_total=2))
    (first, _) = world.jobs.inputs(world.jobs.get(LIN, "needs"))
    assert (first.state, first.bytes, first.bytes_total, first.transfer) == (
        "running",
        1,
        2,
        world.transfers()[0].id,
    )
    world.carry()
    world.steps(8)
    world.store.forget_transfers(world.clock.now() + 1)
    assert [one.state for one in world.jobs.inputs(world.jobs.get(LIN, "needs"))] == [
        "completed",
        "completed",
    ]


def test_a_controller_that_is_busy_is_told_once(world: Fetching) -> None:
    submit(world, "needs")
    world.steps(2)
    told: list[str] = []
    view = world.controller.view
    fetcher = InputFetcher(world.store, view, lambda job, _: told.append(job), 100, world.clock, world.ids)
    submit(world, "late")
    view.refresh()
    fetcher.round()
    world.carry()
    for _ in range(5):
        fetcher.round()
    assert told == [world.jobs.get(LIN, "late").id]
    world.clock.advance(10_000)
    fetcher.round()
    assert len(told) == 2
