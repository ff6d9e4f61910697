"""The decision as a table: nodes and queue in, starts and reasons out."""

from __future__ import annotations

import pytest

from danlu.domain import reasons as why
from danlu.domain.job import JobSpec
from danlu.domain.node import Node, NodeState
from danlu.domain.resources import GpuGrant
from danlu.scheduler import Held, Pending, Plan, Snapshot, decide
from tests.fakes.builders import node, spec

GIB = 2**30


def plan(nodes: list[Node], *queue: JobSpec, held: tuple[Held, ...] = ()) -> Plan:
    """Decide for a queue in the order given."""
    pending = tuple(Pending(job.name, job, at) for at, job in enumerate(queue))
    return decide(Snapshot(0, tuple(nodes), held, pending))


def placed(result: Plan) -> dict[str, list[str]]:
    """job → node:card,card of each task."""
    return {
        start.job_id: [f"{t.node}:{','.join(str(gpu.index) for gpu in t.gpus)}" for t in start.tasks]
        for start in result.starts
    }


def test_a_job_that_fits_starts_on_exact_cards() -> None:
    assert placed(plan([node("n1", 8)], spec("job1", gpus=2))) == {"job1": ["n1:0,1"]}


def test_jobs_start_in_the_order_of_their_creation() -> None:
    result = plan([node("n1", 2)], spec("older", gpus=2), spec("newer", gpus=2))
    assert placed(result) == {"older": ["n1:0,1"]}
    assert result.waiting == {"newer": why.NotEnoughGpus(2000, "GPU", 1, 0)}


def test_a_gang_that_lacks_one_worker_takes_nothing() -> None:
    result = plan([node("n1", 8), node("n2", 4)], spec("gang", gpus=8, nodes=2), spec("solo", gpus=4))
    assert placed(result) == {"solo": ["n2:0,1,2,3"]}
    assert result.waiting == {"gang": why.NoSuchNode("2 task(s) of 8 × GPU, 1 CPUs, 2GiB")}


def test_a_gang_waits_whole_while_others_hold_its_room() -> None:
    held = (Held("n2", 1000, GIB, (GpuGrant(0),)),)
    result = plan([node("n1", 8), node("n2", 8)], spec("gang", gpus=8, nodes=2), held=held)
    assert result.waiting == {"gang": why.NotEnoughGpus(16000, "GPU", 2, 1)}


def test_an_elastic_gang_starts_with_what_fits_above_its_minimum() -> None:
    roles = [{"name": "w", "replicas": 4, "min": 2, "resources": {"gpus": 8}}]
    result = plan([node(f"n{n}", 8) for n in range(3)], spec("grow", roles=roles))
    assert placed(result)["grow"] == [f"n{n}:0,1,2,3,4,5,6,7" for n in range(3)]


def test_the_head_of_a_lane_is_not_passed_by_those_behind_it() -> None:
    held = (Held("n1", 1000, GIB, tuple(GpuGrant(n) for n in range(4))),)
    result = plan([node("n1", 8)], spec("large", gpus=8), spec("small", gpus=1), held=held)
    assert placed(result) == {}
    assert result.waiting["small"] == why.BehindOthers(1)


def test_jobs_for_different_models_do_not_hold_each_other_up() -> None:
    nodes = [node("a1", 8), node("r1", 8, "RTX3090")]
    held = (Held("a1", 1000, GIB, (GpuGrant(0),)),)
    result = plan(nodes, spec("want-a", gpus=8, gpu="A100"), spec("want-r", gpus=8, gpu="RTX3090"), held=held)
    assert list(placed(result)) == ["want-r"]


def test_a_job_nobody_could_hold_does_not_hold_up_others() -> None:
    result = plan([node("n1", 4)], spec("huge", gpus=8), spec("small", gpus=1))
    assert list(placed(result)) == ["small"]


def test_shares_of_a_gpu_fill_one_card_before_the_next() -> None:
    half = [spec(f"half{n}", gpus=0.5) for n in range(3)]
    result = placed(plan([node("n1", 2)], *half))
    assert [result[f"half{n}"] for n in range(3)] == [["n1:0"], ["n1:0"], ["n1:1"]]


def test_a_card_shared_by_one_is_not_whole_for_another() -> None:
    held = (Held("n1", 0, 0, (GpuGrant(0, 500),)),)
    assert placed(plan([node("n1", 2)], spec("whole", gpus=1), held=held)) == {"whole": ["n1:1"]}


def test_the_fullest_node_that_fits_is_taken_first() -> None:
    held = (Held("n2", 0, 0, tuple(GpuGrant(n) for n in range(6))),)
    assert placed(plan([node("n1", 8), node("n2", 8)], spec("job1", gpus=2), held=held)) == {
        "job1": ["n2:6,7"]
    }


@pytest.mark.parametrize("state", [NodeState.UNREACHABLE, NodeState.OFF, NodeState.CORDONED])
def test_a_node_out_of_service_takes_nobody(state: NodeState) -> None:
    assert placed(plan([node("n1", 8, state=state), node("n2", 8)], spec("job1", gpus=1))) == {
        "job1": ["n2:0"]
    }


def test_a_selector_chooses_among_nodes() -> None:
    nodes = [node("n1", 8), node("n2", 8, org="public")]
    assert placed(plan(nodes, spec("job1", gpus=1, node_selector={"org": "public"}))) == {"job1": ["n2:0"]}


def test_memory_and_processors_count_too() -> None:
    result = plan(
        [node("n1", 8, cpus=4, memory="8GiB")], spec("fits", memory="6GiB"), spec("waits", memory="6GiB")
    )
    assert list(placed(result)) == ["fits"]
    assert result.waiting == {"waits": why.NotEnoughRoom(1000, 6 * GIB, 1, 0)}


def test_an_oversubscribed_node_takes_nobody_and_breaks_nothing() -> None:
    held = (Held("n1", 100_000, 2**50, tuple(GpuGrant(n) for n in range(8))),)
    assert placed(plan([node("n1", 8)], spec("job1", gpus=1), held=held)) == {}


def test_what_runs_on_a_node_that_vanished_is_no_trouble() -> None:
    assert placed(plan([node("n1", 1)], spec("job1", gpus=1), held=(Held("gone", 1, 1),))) == {
        "job1": ["n1:0"]
    }
