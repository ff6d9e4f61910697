"""A block volume has one writer or any number of readers; who waits for one holds nothing else."""

from __future__ import annotations

import pytest

from danlu.domain.reasons import NotEnoughGpus, VolumeBusy
from danlu.domain.rules import Project
from danlu.scheduler import FOREVER, Pending, Running
from tests.fakes.queue import HOUR, NOW, State, node, nodes, run, started, wait

TOGETHER: dict[str, tuple[Running, Pending, bool]] = {
    "a reader beside a reader": (run("r", "n1", mounts="v"), wait("j", mounts="v"), True),
    "a writer beside a reader": (run("r", "n1", mounts="v"), wait("j", mounts="v!"), False),
    "a reader beside a writer": (run("r", "n1", mounts="v!"), wait("j", mounts="v"), False),
    "a writer beside a writer": (run("r", "n1", mounts="v!"), wait("j", mounts="v!"), False),
    "writers of two volumes": (run("r", "n1", mounts="v!"), wait("j", mounts="w!"), True),
    "one of two volumes is taken": (run("r", "n1", mounts="v!"), wait("j", mounts="w! v"), False),
    "the same volume twice is written to if once": (run("r", "n1", mounts="v! v"), wait("j", mounts="v"), False),
    "a writer that is leaving is still there": (run("r", "n1", mounts="v!", leaving=True), wait("j", mounts="v"), False),
    "a pinned job waits too": (run("r", "n1", mounts="v!"), wait("j", mounts="v", pinned=1), False),
    "no volume at all": (run("r", "n1", mounts="v!"), wait("j"), True),
}  # fmt: skip


@pytest.mark.parametrize(("holder", "job", "starts"), TOGETHER.values(), ids=TOGETHER.keys())
def test_beside_a_job_that_runs(holder: Running, job: Pending, starts: bool) -> None:
    plan = State(nodes("n1 n2"), [holder, job]).decide()
    assert started(plan) == (["j"] if starts else [])
    assert starts or isinstance(plan.waiting["j"], VolumeBusy)


QUEUES: dict[str, tuple[list[Pending], list[str]]] = {
    "of two writers the first starts": ([wait("a", mounts="v!"), wait("b", mounts="v!")], ["a"]),
    "of two writers in two lanes too": ([wait("a", mounts="v!"), wait("b", 0, mounts="v!")], ["a"]),
    "readers start together": ([wait("a", mounts="v"), wait("b", mounts="v")], ["a", "b"]),
    "readers before a writer": ([wait("a", mounts="v"), wait("b", mounts="v!"), wait("c", 2)], ["a", "c"]),
    "readers behind a writer that waits do not pass it": (
        [wait("a", mounts="v"), wait("b", mounts="v!"), wait("c", mounts="v")],
        ["a"],
    ),
    "equal asks without the volume are not kept back": (
        [wait("a", mounts="v!"), wait("b", mounts="v!"), wait("c")],
        ["a", "c"],
    ),
}


@pytest.mark.parametrize(("jobs", "starts"), QUEUES.values(), ids=QUEUES.keys())
def test_within_one_decision(jobs: list[Pending], starts: list[str]) -> None:
    assert started(State(nodes("n1 n2"), jobs).decide()) == starts


def test_who_waits_for_a_volume_reserves_no_nodes() -> None:
    jobs = [run("r", "n1", 4, mounts="v!"), wait("big", 8, mounts="v!"), wait("s", 4)]
    assert started(State(nodes("n1"), jobs).decide()) == ["s"]


def test_who_waits_for_a_volume_evicts_nobody() -> None:
    others = [run("w", "n2", 1, mounts="v!", project="gold"), run("r", "n1", 8)]
    state = State(nodes("n1 n2"), [*others, wait("j", 8, mounts="v!", project="gold", priority="high")])
    state.projects = [Project("gold", 10, guarantee={"A100": 16_000})]
    without = State(state.nodes, [*others, wait("j", 8, project="gold", priority="high")], state.projects)
    assert [one.job_id for one in without.decide().evictions] == ["r"]
    assert state.decide().evictions == ()


def test_a_promise_keeps_the_volume_as_it_keeps_the_room() -> None:
    others = [run("r", "n1", 8), run("q", "n2", 7)]
    state = State([*nodes("n1 n2"), node("n3", 1)], [*others, wait("j", 8, mounts="v!", project="gold")])
    state.projects = [Project("gold", 10, guarantee={"A100": 16_000})]
    plan = state.decide()
    assert [start.after for start in plan.starts] == [("q",)]
    promised = state.told(plan).plus(wait("late", 1, mounts="v!", at=0))
    after = promised.decide()
    assert started(after) == []
    assert isinstance(after.waiting["late"], VolumeBusy)
    assert started(promised.left().decide()) == ["j"]


def test_a_head_that_lacks_room_keeps_its_volume_from_those_behind_it() -> None:
    jobs = [run("r", "n1", 4), wait("head", 8, mounts="v!"), wait("s", 1, mounts="v!"), wait("t", 1, "T4")]
    plan = State([node("n1"), node("n2", 2, "T4"), node("n3", 2)], jobs).decide()
    assert started(plan) == ["t"]
    assert isinstance(plan.waiting["head"], NotEnoughGpus)
    assert plan.waiting["s"] == VolumeBusy("v", True, "ann", "head", ahead=True)


UNTIL: dict[str, tuple[Running, int | None]] = {
    "nothing tells": (run("r", "n1", owner="ann", mounts="v!"), None),
    "its maximum": (run("r", "n1", owner="ann", mounts="v!", max_time=2 * HOUR), NOW + HOUR),
    "what is expected": (
        run("r", "n1", owner="ann", mounts="v!", max_time=9 * HOUR, expected=3 * HOUR),
        NOW + 2 * HOUR,
    ),
    "its maximum once it took longer than expected": (
        run("r", "n1", owner="ann", mounts="v!", max_time=9 * HOUR, expected=HOUR // 2),
        NOW + 8 * HOUR,
    ),
}


@pytest.mark.parametrize(("holder", "until"), UNTIL.values(), ids=UNTIL.keys())
def test_it_is_told_who_has_the_volume_and_until_when(holder: Running, until: int | None) -> None:
    plan = State(nodes("n1 n2"), [holder, wait("j", mounts="v")]).decide()
    assert plan.waiting["j"] == VolumeBusy("v", True, "ann", "r", until)


def test_of_somebody_elses_job_only_the_owner_is_told() -> None:
    plan = State(nodes("n1 n2"), [run("r", "n1", owner="bob", mounts="v"), wait("j", mounts="v!")]).decide()
    assert plan.waiting["j"] == VolumeBusy("v", False, "bob")
    assert plan.waiting["j"].text().en == "volume v is read by a job of bob"


def test_the_sentence_names_the_job_and_the_time() -> None:
    told = VolumeBusy("v1", True, "ann", "x", 1_800_000_000_000).text()
    assert told.en == "volume v1 is written by job x until about 2027-01-15 08:00 UTC"
    assert told.zh == "存储卷 v1 正由任务 x 写入，预计到 2027-01-15 08:00 UTC"


def test_once_the_writer_has_left_the_next_one_starts() -> None:
    state = State(nodes("n1 n2"), [run("r", "n1", mounts="v!", max_time=FOREVER), wait("j", mounts="v!")])
    assert started(state.decide()) == []
    assert started(state.without("r").decide()) == ["j"]
