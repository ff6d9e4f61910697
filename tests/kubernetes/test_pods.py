"""Danlu's pods on a real API server with real kubelets: accepted, run, read and told of each other."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from danlu.domain.job import Code
from danlu.domain.quantity import MIB
from danlu.domain.reasons import (
    CodeFailed,
    CommandNotFound,
    ImagePullFailed,
    OutOfMemory,
    Reason,
    Signal,
    VolumeMissing,
)
from danlu.domain.rules import KubernetesCluster
from danlu.engines.kubernetes.objects.names import pod_name
from danlu.engines.kubernetes.objects.pods import pod_of, service_of, tombstone_of
from danlu.engines.kubernetes.objects.rendezvous import addresses_patch
from danlu.engines.kubernetes.tasks.conditions import SeenPod, seen
from danlu.engines.kubernetes.watch.inventory import nodes_of
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from tests.fakes.pods import attempt_order, task_order
from tests.kubernetes.kube import Json, Kube, wait_for
from tests.kubernetes.places import Place
from tools.cluster.cluster import Cluster

MEMORY = 64 * MIB
GIT = Code(git="https://example.com/x.git", ref="main", subdir="src")


@pytest.fixture
def here(kube: Kube, place: Place) -> KubernetesCluster:
    return KubernetesCluster(
        "here", namespace=kube.namespace, image=place.busybox, helper=place.python, dns=False
    )


def small(name: str = "worker-0", **keys) -> TaskOrder:
    return task_order(name, **{"cpu_milli": 20, "memory": MEMORY, **keys})


def launch(kube: Kube, here: KubernetesCluster, order: AttemptOrder) -> list[str]:
    """One pod on each node in turn; their names."""
    nodes = sorted(kube.nodes())
    for index, task in enumerate(order.tasks):
        kube.create("pods", pod_of(here, order, task, node=nodes[index % len(nodes)]))
    return [pod_name(order.attempt_id, task.name) for task in order.tasks]


def see(kube: Kube, name: str) -> SeenPod:
    events = kube.get(kube.path("events"), fieldSelector=f"involvedObject.name={name}")["items"]
    return seen(kube.pod(name), "worker-0", MEMORY, events)


def end_of(kube: Kube, here: KubernetesCluster, task: TaskOrder) -> tuple[Reason | None, int | None]:
    [name] = launch(kube, here, attempt_order(task))
    wait_for(lambda: {"seen": str(see(kube, name))}, lambda _: see(kube, name).ended is not None, 60)
    ended = see(kube, name).ended
    assert ended is not None
    return ended.reason, ended.exit_code


VARIANTS = {
    "plain": attempt_order(),
    "gpus": attempt_order(small(gpu_milli=8000)),
    "rdma": attempt_order(small(gpu_milli=1000, rdma=True)),
    "shm": attempt_order(small(shm=MIB)),
    "mounts": attempt_order(
        mounts=(
            MountOrder("/data", True, claim="data"),
            MountOrder("/out", False, claim="out"),
            MountOrder("/o", True, claim="out"),
        )
    ),
    "fetched": attempt_order(
        code=GIT,
        mounts=(
            MountOrder("/set", True, title="lin:x@v1", tree="ab" * 32, size=MIB, files=9),
            MountOrder("/pool", True, volume="v1", title="lin:pool", bucket=True, number=1, size=MIB),
        ),
    ),
    "archive": attempt_order(code=Code(archive="ab" * 32)),
    "git": attempt_order(code=GIT),
    "image": attempt_order(image="10.0.0.5:5000/team/train@sha256:" + "0" * 64),
    "gang": attempt_order(small("worker-0"), small("worker-1")),
    "longest": attempt_order(*(small(f"{'w' * 56}-{index}") for index in range(2)), owner="lin@example.com"),
    "hard to write": attempt_order(small(command=("a b", "$(x)", "'"), env={"A": '$(B) "\n'})),
}


@pytest.mark.parametrize("dns", [True, False], ids=["dns", "no-dns"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_api_server_accepts_every_pod(kube: Kube, here: KubernetesCluster, variant: str, dns: bool):
    cluster = replace(here, dns=dns, pull_secrets=("registry",), pull_policy="Always")
    order = VARIANTS[variant]
    for task in order.tasks:
        for body in (
            pod_of(cluster, order, task, node="any"),
            pod_of(cluster, order, task, node="any", gpu_resource="amd.com/gpu", counts_disk=True),
            tombstone_of(cluster, order, task),
        ):
            answer = kube.http.post(kube.path("pods"), json=body, params={"dryRun": "All"})
            assert answer.is_success, answer.text
    answer = kube.http.post(kube.path("services"), json=service_of(cluster, order), params={"dryRun": "All"})
    assert answer.is_success, answer.text


def test_a_task_runs_as_written_and_is_read_as_it_went(kube: Kube, here: KubernetesCluster):
    command = 'echo "$GREETING" $(echo sub) $((1 + 1)); test $$ != 1; exit 3'
    [name] = launch(kube, here, attempt_order(small(command=command, env={"GREETING": "$(HOME) $$"})))
    kube.wait_pod(name, "Failed")
    assert kube.log(name) == "$(HOME) $$ sub 2\n"
    found = see(kube, name)
    assert found.ended is not None
    assert (found.ended.exit_code, found.node) == (3, sorted(kube.nodes())[0])
    assert found.started_at is not None
    assert found.created_at <= found.started_at <= found.ended.at


def test_tasks_without_dns_start_once_they_are_told_addresses(kube: Kube, here: KubernetesCluster):
    command = "echo $DANLU_MASTER_ADDR; cat $DANLU_HOSTS; grep worker- /etc/hosts | tail -n 2"
    order = attempt_order(small("worker-0", command=command), small("worker-1", command=command))
    names = launch(kube, here, order)
    addresses = {}
    for task, name in zip(order.tasks, names, strict=True):
        addresses[task.name] = kube.wait_pod(name, "Running")["status"]["podIP"]
    for name in names:
        answer = kube.http.patch(
            kube.path("pods", name),
            json=addresses_patch(order, addresses),
            headers={"content-type": "application/merge-patch+json"},
        )
        assert answer.is_success, answer.text
    for name in names:
        kube.wait_pod(name, "Succeeded")
        hosts = f"{addresses['worker-0']} worker-0\n{addresses['worker-1']} worker-1\n"
        assert kube.log(name) == f"{addresses['worker-0']}\n{hosts}{hosts}"


def test_a_task_that_is_deleted_may_save_before_it_leaves(kube: Kube, here: KubernetesCluster):
    command = "trap 'echo saved; exit 0' TERM; echo ready; while :; do sleep 0.1; done"
    [name] = launch(kube, here, attempt_order(small(command=command)))
    wait_for(lambda: {"log": _log(kube, name)}, lambda read: "ready" in read["log"], 60)
    with kube.http.stream("GET", kube.path("pods", name, "log"), params={"follow": "true"}) as lines:
        kube.delete("pods", name, grace_s=20)
        assert see(kube, name).terminating
        assert "saved" in "".join(lines.iter_text())


def test_a_tombstone_never_runs_and_keeps_the_real_pod_out(kube: Kube, here: KubernetesCluster):
    order = attempt_order(small(command="true"), small("worker-1", command="true"))
    kube.create("pods", tombstone_of(here, order, order.tasks[0]))
    names = launch(
        kube, here, attempt_order(order.tasks[1])
    )  # scheduled later than the stone would have been
    kube.wait_pod(names[0], "Succeeded")
    late = kube.http.post(kube.path("pods"), json=pod_of(here, order, order.tasks[0], node="any"))
    assert late.status_code == 409
    stone = see(kube, pod_name(order.attempt_id, "worker-0"))
    assert (stone.tombstone, stone.scheduled, stone.started_at, stone.ended) == (True, False, None, None)


# ── ends as real kubelets and schedulers tell them ───────────────────────────────────────────────────


def test_memory_over_the_limit(kube: Kube, here: KubernetesCluster, place: Place):
    eat = ("python3", "-c", "b = bytearray(200 << 20); print(len(b))")
    reason, _ = end_of(kube, replace(here, image=place.python), small(command=eat))
    assert reason == OutOfMemory("worker-0", MEMORY)


def test_a_program_that_is_not_in_the_image(kube: Kube, here: KubernetesCluster):
    reason, code = end_of(kube, here, small(command=("pyhton", "train.py")))
    assert (reason, code) == (CommandNotFound("worker-0", "command not found: pyhton"), 127)


def test_a_task_that_ends_by_a_signal(kube: Kube, here: KubernetesCluster):
    assert end_of(kube, here, small(command="kill -SEGV $$")) == (Signal("worker-0", "SIGSEGV"), None)


def test_an_image_that_is_not_there(kube: Kube, here: KubernetesCluster):
    reason, _ = end_of(kube, replace(here, image="no.such/image:1", pull_policy="Never"), small())
    assert isinstance(reason, ImagePullFailed)
    assert reason.image == "no.such/image:1"


def test_a_registry_that_does_not_answer(kube: Kube, here: KubernetesCluster):
    [name] = launch(kube, replace(here, image="registry.invalid/x:1"), attempt_order(small()))
    wait_for(lambda: {"seen": str(see(kube, name))}, lambda _: see(kube, name).stuck is not None, 60)
    found = see(kube, name)
    assert found.step.startswith("pulling: ")
    assert isinstance(found.stuck, ImagePullFailed)


def test_a_claim_that_does_not_exist(kube: Kube, here: KubernetesCluster):
    order = attempt_order(small(), mounts=(MountOrder("/data", True, claim="no-such-claim"),))
    [name] = launch(kube, here, order)
    wait_for(lambda: {"seen": str(see(kube, name))}, lambda _: see(kube, name).ended is not None, 60)
    ended = see(kube, name).ended
    assert ended is not None
    assert isinstance(ended.reason, VolumeMissing)
    assert (ended.reason.volume, ended.lingers) == ("no-such-claim", True)


def test_code_that_cannot_be_fetched(kube: Kube, here: KubernetesCluster):
    code = Code(git="https://git.invalid/x.git")
    [name] = launch(kube, here, attempt_order(small(), code=code))
    wait_for(lambda: {"seen": str(see(kube, name))}, lambda _: see(kube, name).ended is not None, 60)
    ended = see(kube, name).ended
    assert ended is not None
    assert isinstance(ended.reason, CodeFailed)
    assert ended.reason.message.startswith("Git could not fetch HEAD of https://git.invalid/x.git: ")


@pytest.mark.own_cluster
def test_code_is_there_when_the_task_begins(kube: Kube, here: KubernetesCluster, cluster: Cluster):
    archive = _packed("src/main.sh", "echo $((6 * 7))")
    digest = hashlib.sha256(archive).hexdigest()
    with _danlu(cluster, {f"/api/v1/code/{digest}": archive}) as url:
        env = {"DANLU_URL": url, "DANLU_TASK_TOKEN": "danlu_task_x"}
        task = small(command="sh src/main.sh > src/out; cat src/out; pwd", env=env)
        [name] = launch(kube, here, attempt_order(task, code=Code(archive=digest)))
        kube.wait_pod(name, "Succeeded")
    assert kube.log(name) == "42\n/danlu/code\n"


@pytest.mark.own_cluster
def test_more_than_a_node_has_is_refused_in_the_schedulers_words(kube: Kube, here: KubernetesCluster):
    [name] = launch(kube, here, attempt_order(small(gpu_milli=9000)))
    kube.wait_condition(name, "PodScheduled")
    assert "Insufficient nvidia.com/gpu" in see(kube, name).refusal


@pytest.mark.own_cluster
@pytest.mark.cards
def test_nodes_are_counted_with_what_others_hold(kube: Kube, here: KubernetesCluster, place: Place):
    kube.run("foreign", place.busybox, ["sleep", "1000"], resources={"limits": {"nvidia.com/gpu": "3"}})
    node = kube.wait_pod("foreign", "Running")["spec"]["nodeName"]

    def count(ours: set[str]) -> tuple[int, int]:
        pods: list[Json] = kube.get(kube.path("pods"))["items"]
        found = {one.name: one for one in nodes_of(here, kube.nodes().values(), pods, ours)}
        assert found[node].gpu_model == "A100"
        return len(found[node].gpus), found[node].foreign.gpus

    assert (count(set()), count({"foreign"})) == ((8, 3), (8, 0))


def _log(kube: Kube, name: str) -> str:
    return kube.http.get(kube.path("pods", name, "log")).text


def _packed(name: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        info = tarfile.TarInfo(name)
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


@contextmanager
def _danlu(cluster: Cluster, content: dict[str, bytes]) -> Iterator[str]:
    """Something that answers in Danlu's place, where pods reach it."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = content.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None:
            pass

    listener = cluster.listen()
    server = HTTPServer(listener.getsockname(), Answers, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    host, port = listener.getsockname()[:2]
    try:
        yield f"http://{host}:{port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
