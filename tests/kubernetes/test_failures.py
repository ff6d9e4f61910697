"""What goes wrong on a cluster ends in the right state, with the right words, and leaves nothing behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.domain.events import TaskDelayed, TaskEnded, TaskEvent, TaskStarting
from danlu.domain.node import NodeState
from danlu.domain.quantity import MIB
from danlu.domain.reasons import (
    DeletedElsewhere,
    ImagePullFailed,
    NodeLost,
    NotAdmitted,
    OutOfMemory,
    Signal,
    VolumeMissing,
)
from danlu.domain.resources import Resources
from danlu.engines.kubernetes import KubernetesEngine
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from tests.contracts.engine.harness import ended, running, watch
from tests.kubernetes.harness import KubernetesHarness, harness_on
from tests.kubernetes.kube import GONE_WITHIN_S, Kube
from tests.kubernetes.places import Place
from tools.cluster.cluster import Cluster

pytestmark = [pytest.mark.own_cluster, pytest.mark.timeout(300)]

ADMISSION_MS, LOST_MS, KEPT_MS = 5_000, 2_000, 1_000
SIZE = Resources(50, 64 * MIB)
GPU = "nvidia.com/gpu"


@pytest.fixture
def harness(kube: Kube, place: Place, tmp_path: Path) -> Iterator[KubernetesHarness]:
    """With all the patience that people have by default: what is slow here is only slow."""
    with harness_on(kube, place, tmp_path) as made:
        made.kept_ms = KEPT_MS
        yield made


@pytest.fixture
def hasty(harness: KubernetesHarness) -> KubernetesHarness:
    """For what ends by waiting too long."""
    harness.rule = replace(harness.rule, admission_time=ADMISSION_MS, lost_time=LOST_MS)
    return harness


def attempt(
    command: str | Sequence[str], nodes: Sequence[str] = ("a100-0",), size: Resources = SIZE, **order: Any
) -> AttemptOrder:
    """One task on each of the nodes, all running the same."""
    argv = command if isinstance(command, str) else tuple(command)
    tasks = tuple(
        TaskOrder(f"worker-{rank}", "worker", node, "", (), size, argv, {"DANLU_RANK": str(rank)}, False)
        for rank, node in enumerate(nodes)
    )
    return replace(AttemptOrder("job-1", "job", 1, "lin", "host", None, tasks), **order)


def ends(events: Sequence[TaskEvent]) -> dict[str, TaskEnded]:
    return {event.task: event for event in events if isinstance(event, TaskEnded)}


def end_of(harness: KubernetesHarness, engine: KubernetesEngine) -> TaskEnded:
    return ends(watch(harness, engine, ended()))["worker-0"]


def until(
    holds: Callable[[], bool], look: Callable[[], object] = str, seconds: float = GONE_WITHIN_S
) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"still not so: {look()}"
        time.sleep(0.1)


def nothing_is_left(harness: KubernetesHarness, engine: KubernetesEngine) -> None:
    """Once its end is recorded, every trace of the attempt goes."""
    engine.forget("job-1")
    until(lambda: harness.pods() == [] and harness.services() == [], harness.pods)


def foreign_pod(kube: Kube, place: Place, gpus: int) -> None:
    """Somebody else's, on a100-1."""
    limits = {"limits": {GPU: str(gpus)}}
    kube.run("foreign", place.busybox, ["sleep", "600"], node="a100-1", resources=limits)
    kube.wait_pod("foreign", "Running")


def foreign_gpus(engine: KubernetesEngine) -> dict[str, int]:
    return {node.name: node.foreign.gpus for node in engine.inventory()}


def remove_foreign_pod(kube: Kube) -> None:
    """Gone from its node too, so that the next test finds the room."""
    kube.delete("pods", "foreign", grace_s=1)
    until(
        lambda: not any(pod["metadata"]["name"] == "foreign" for pod in kube.get(kube.path("pods"))["items"])
    )


@pytest.fixture
def restartable(kube: Kube, place: Place, cluster: Cluster) -> Iterator[Cluster]:
    """A cluster whose API server a test restarts: it is handed on when its scheduler has found back to it too."""
    yield cluster
    cluster.restart("scheduler")
    kube.run("probe", place.busybox, ["true"])
    kube.wait_pod("probe", "Succeeded")


def test_a_task_over_its_memory_limit_is_told_so(harness: KubernetesHarness, place: Place):
    engine = harness.engine()
    small = replace(SIZE, memory=32 * MIB)
    eat = ("python3", "-c", "b = bytearray(200 << 20); print(len(b))")
    engine.start(attempt(eat, size=small, image=place.python))
    assert end_of(harness, engine).reason == OutOfMemory("worker-0", 32 * MIB)
    nothing_is_left(harness, engine)


def test_an_image_that_does_not_exist_fails_the_task_in_the_clusters_words(hasty: KubernetesHarness):
    engine = hasty.engine()
    engine.start(attempt("true", image="127.0.0.1:9/nothing:1"))
    reason = end_of(hasty, engine).reason
    assert isinstance(reason, ImagePullFailed)
    assert (reason.task, reason.image) == ("worker-0", "127.0.0.1:9/nothing:1")
    assert "failed to pull" in reason.message
    nothing_is_left(hasty, engine)


def test_a_missing_volume_fails_the_task_by_name(harness: KubernetesHarness):
    engine = harness.engine()
    engine.start(attempt("true", mounts=(MountOrder("/data", True, claim="nowhere"),)))
    reason = end_of(harness, engine).reason
    assert isinstance(reason, VolumeMissing)
    assert (reason.task, reason.volume) == ("worker-0", "nowhere")
    assert "not found" in reason.message
    nothing_is_left(harness, engine)


def test_a_pod_deleted_behind_our_back_is_told_as_that(harness: KubernetesHarness, kube: Kube):
    engine = harness.engine()
    engine.start(attempt("echo here; sleep 600"))
    watch(harness, engine, running())
    kube.delete("pods", "job-1-worker-0", grace_s=1)
    assert end_of(harness, engine).reason == DeletedElsewhere("worker-0")
    assert harness.log("job")[0] == "here"
    nothing_is_left(harness, engine)


def test_a_pod_removed_without_a_trace_is_told_as_deleted_too(harness: KubernetesHarness, kube: Kube):
    engine = harness.engine()
    engine.start(attempt("sleep 600"))
    watch(harness, engine, running())
    kube.delete("pods", "job-1-worker-0", grace_s=0)
    assert end_of(harness, engine).reason == DeletedElsewhere("worker-0")
    nothing_is_left(harness, engine)


@pytest.mark.cards
def test_what_a_foreign_pod_was_first_to_take_is_not_admitted_and_the_gang_is_released(
    hasty: KubernetesHarness, kube: Kube, place: Place
):
    foreign_pod(kube, place, gpus=8)
    engine = hasty.engine()
    gang = attempt("sleep 600", ("a100-0", "a100-1"), replace(SIZE, gpu_milli=8000))
    engine.start(gang)
    events = watch(hasty, engine, lambda seen: ended()(seen) and running()(seen))
    refused = ends(events)["worker-1"].reason
    assert isinstance(refused, NotAdmitted)
    assert (refused.task, refused.node) == ("worker-1", "a100-1")
    assert f"Insufficient {GPU}" in refused.message
    assert hasty.pods() == ["job-1-worker-0"], "what was not admitted must not be admitted later"
    engine.stop(gang, 0)
    both = ends(watch(hasty, engine, ended(2)))
    assert both["worker-1"].reason == refused
    assert isinstance(both["worker-0"].reason, Signal)
    nothing_is_left(hasty, engine)
    remove_foreign_pod(kube)


@pytest.mark.alone
def test_foreign_pods_are_no_free_room(harness: KubernetesHarness, kube: Kube, place: Place):
    foreign_pod(kube, place, gpus=5)
    engine = harness.engine()
    engine.start(attempt("sleep 600", ("a100-1",), replace(SIZE, gpu_milli=2000)))
    watch(harness, engine, running())
    # Pods of the tests before may just be leaving.
    until(lambda: foreign_gpus(engine) == {"a100-0": 0, "a100-1": 5}, lambda: foreign_gpus(engine))
    remove_foreign_pod(kube)
    until(lambda: foreign_gpus(engine) == {"a100-0": 0, "a100-1": 0})
    nothing_is_left(harness, engine)


def test_a_quota_refuses_with_the_clusters_words(harness: KubernetesHarness, kube: Kube):
    kube.create("resourcequotas", {"metadata": {"name": "few"}, "spec": {"hard": {"pods": "1"}}})
    until(lambda: "hard" in kube.get(kube.path("resourcequotas", "few")).get("status", {}))
    engine = harness.engine()
    engine.start(attempt("sleep 600", ("a100-0", "a100-1")))
    refused = next(iter(ends(watch(harness, engine, ended())).values())).reason
    assert isinstance(refused, NotAdmitted)
    assert "exceeded quota: few" in refused.message
    nothing_is_left(harness, engine)


TALK = """
import os, socket, time
hosts = dict(reversed(line.split()) for line in open(os.environ["DANLU_HOSTS"]))
assert os.environ["DANLU_MASTER_ADDR"] == hosts["worker-0"]
if os.environ["DANLU_RANK"] == "0":
    listener = socket.create_server(("", 8000))
    connection = listener.accept()[0]
    print(connection.recv(100).decode())
else:
    while True:
        try:
            socket.create_connection((hosts["worker-0"], 8000)).sendall(b"hello across")
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
"""


def test_a_gang_over_two_nodes_talks_and_tells_its_steps(harness: KubernetesHarness, place: Place):
    engine = harness.engine()
    engine.start(attempt(("python3", "-c", TALK), ("a100-0", "a100-1"), image=place.python))
    events = watch(harness, engine, ended(2))
    assert {task: end.reason for task, end in ends(events).items()} == {"worker-0": None, "worker-1": None}
    assert next(event.step for event in events if isinstance(event, TaskStarting)) == "scheduled"
    assert harness.log("job", "worker-0") == ["hello across"]
    nothing_is_left(harness, engine)


@pytest.mark.alone
def test_a_short_break_of_a_nodes_link_costs_nothing(
    harness: KubernetesHarness, kube: Kube, cluster: Cluster
):
    engine = harness.engine()
    engine.start(attempt("for i in $(seq 1 80); do echo $i; sleep 0.2; done", ("a100-1",)))
    watch(harness, engine, running())
    cluster.cut("a100-1")
    try:
        kube.wait_node("a100-1", "Unknown")
        until(lambda: engine.inventory()[1].state is NodeState.UNREACHABLE)
    finally:
        cluster.mend("a100-1")
    assert end_of(harness, engine).reason is None
    assert harness.log("job") == [str(number) for number in range(1, 81)]
    assert harness.launches("job-1") == 1
    nothing_is_left(harness, engine)


@pytest.mark.alone
def test_a_node_that_stays_away_loses_its_task_and_comes_back_clean(
    hasty: KubernetesHarness, kube: Kube, cluster: Cluster
):
    engine = hasty.engine()
    gang = attempt("sleep 600", ("a100-0", "a100-1"))
    engine.start(gang)
    watch(hasty, engine, running(2))
    cluster.cut("a100-1")
    try:
        assert ends(watch(hasty, engine, ended()))["worker-1"].reason == NodeLost("worker-1", "a100-1")
        engine.stop(gang, 0)
        both = ends(watch(hasty, engine, ended(2)))
        assert isinstance(both["worker-0"].reason, Signal)
        assert both["worker-1"].reason == NodeLost("worker-1", "a100-1")
        engine.forget("job-1")
        until(lambda: hasty.pods() == ["job-1-worker-1"])  # nobody can know that it does not run any more
    finally:
        cluster.mend("a100-1")
    until(lambda: hasty.pods() == [])
    until(lambda: all(node.state is NodeState.READY for node in engine.inventory()))
    assert hasty.launches("job-1") == 2


@pytest.mark.alone
def test_a_task_goes_on_over_a_restart_of_the_api_server(harness: KubernetesHarness, restartable: Cluster):
    engine = harness.engine()
    engine.start(attempt("for i in $(seq 1 40); do echo $i; sleep 0.2; done; exit 5"))
    watch(harness, engine, running())
    restartable.restart_api_server(after=1)
    end = end_of(harness, engine)
    assert end.exit_code == 5
    assert harness.log("job") == [str(number) for number in range(1, 41)]
    assert harness.launches("job-1") == 1
    nothing_is_left(harness, engine)


@pytest.mark.alone
def test_what_is_asked_while_the_api_server_is_away_is_done_when_it_is_back(
    harness: KubernetesHarness, restartable: Cluster
):
    engine = harness.engine()
    restartable.kill("apiserver")
    try:
        engine.start(attempt("echo done"))
        told = watch(harness, engine, lambda seen: any(isinstance(one, TaskDelayed) for one in seen))
        assert told[0].text().en.startswith("worker-0 is waiting: ")
    finally:
        restartable.restart("apiserver")
        restartable.wait_for_api_server()
    assert end_of(harness, engine).reason is None
    assert harness.launches("job-1") == 1
    nothing_is_left(harness, engine)


def test_leftovers_of_an_earlier_life_are_collected(harness: KubernetesHarness):
    engine = harness.engine()
    engine.start(attempt("sleep 600", ("a100-0", "a100-1")))
    engine.start(attempt("true", attempt_id="old-1", job_id="old"))
    engine.stop(attempt("true", attempt_id="never-1", job_id="never"), 0)
    watch(harness, engine, lambda seen: running(2)([one for one in seen if one.attempt_id == "job-1"]))
    again = harness.engine()
    assert len(harness.pods()) == 4
    again.sweep(())
    until(lambda: harness.pods() == [], harness.pods)
    assert again.events() == []
