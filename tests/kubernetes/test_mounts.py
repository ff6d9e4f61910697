"""Datasets and buckets on a real cluster: pods fetch them, read what they should, and say why where they cannot."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.domain.events import TaskEnded, TaskEvent
from danlu.domain.quantity import MIB
from danlu.domain.reasons import DatasetNotCopied, Reason
from danlu.domain.resources import Resources
from danlu.ports.engine import AttemptOrder, MountOrder, TaskOrder
from danlu.sdk import Client
from tests.contracts.engine.harness import watch
from tests.kubernetes.beside import DanluBeside
from tests.kubernetes.harness import harness_on
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tools.cluster.cluster import Cluster
from tools.cluster.sockets import listen_in
from tools.testing.s3 import S3Server

pytestmark = [pytest.mark.own_cluster, pytest.mark.timeout(300)]
SMALL = {"cpus": 0.05, "memory": "48MiB"}
LARGE = os.urandom(12 * MIB)
READ = """
set -e
test "$(cat /data/many/0.txt /data/many/999.txt)" = 0999
test "$(ls /data/many | wc -l)" = 1000
test "$(readlink /data/link)" = many/0.txt
test -x /data/run.sh
test "$(wc -c < /data/large)" = 12582912
test "$(cat /pool/one /pool/deep/two)" = alphabeta
test ! -e /pool/beside && test ! -e /data/new
if echo x 2>/dev/null > /data/new || echo x 2>/dev/null > /pool/new; then exit 9; fi
if rm -f /data/large 2>/dev/null || chmod 777 /pool/one 2>/dev/null; then exit 8; fi
env | grep -q secret-of && exit 7
sha256sum /data/large
"""
LOAD = """
import danlu
data = danlu.dataset("cifar")
assert data.path == "/data", data.path
print("total", sum(int(one.data) for one in data if one.path.endswith(".txt")))
"""


@pytest.fixture
def s3_nearby(cluster: Cluster, s3: S3Server) -> Iterator[str]:
    """The S3 server's address on the cluster's network, as an address of another machine."""
    guest = cluster.guest("s3")
    try:
        listening = listen_in(Path(f"/run/netns/{guest.namespace}"), guest.address)
        with relayed(listening, s3.port):
            yield f"http://{guest.address}:{listening.getsockname()[1]}"
    finally:
        guest.leave()


@contextmanager
def relayed(listening: socket.socket, port: int) -> Iterator[None]:
    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=relay, args=(listening.accept()[0], port), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def relay(near: socket.socket, port: int) -> None:
    with near, socket.create_connection(("127.0.0.1", port)) as far:
        back = threading.Thread(target=pass_on, args=(far, near), daemon=True)
        back.start()
        pass_on(near, far)
        back.join()


def pass_on(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            to.sendall(data)
    with suppress(OSError):
        to.shutdown(socket.SHUT_WR)


def dataset(danlu: DanluBeside, client: Client, name: str) -> None:
    """A first version of a folder of a volume."""
    made = client.volumes.create(f"raw-{name}", "1GiB")
    folder = danlu.data / "volume-data" / made.id / "files"
    (folder / "many").mkdir(parents=True)
    for number in range(1000):
        (folder / "many" / f"{number}.txt").write_text(f"{number}")
    (folder / "large").write_bytes(LARGE)
    (folder / "link").symlink_to("many/0.txt")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    client.datasets.create(name)
    client.datasets.snapshot(name, f"raw-{name}:/")


def submit(client: Client, name: str, image: str, command: Any, *mounts: dict[str, Any]) -> None:
    file = {"kind": "training", "name": name, "image": image, "command": command, "resources": SMALL}
    client.submit({**file, "mounts": list(mounts)})


def test_a_job_reads_a_version_and_a_part_of_a_bucket(
    danlu: DanluBeside, place: Place, s3: S3Server, s3_nearby: str, bucket: str
) -> None:
    for key, content in (("set/one", b"alpha"), ("set/deep/two", b"beta"), ("beside", b"no")):
        s3.ask("PUT", f"/{bucket}/{key}", {}, content)
    key, secret = s3.owner
    with danlu.client() as client:
        client.volumes.attach("pool", f"s3://{bucket}", s3_nearby, key=key, secret=secret)
        dataset(danlu, client, "cifar")
        data, pool = {"dataset": "cifar", "path": "/data"}, {"bucket": "pool/set", "path": "/pool"}
        submit(client, "reads", place.busybox, READ.replace("secret-of", secret), data, pool)
        submit(client, "trains", place.python, ["python3", "-c", LOAD], data)
        for name in ("reads", "trains"):
            job, said = client.wait(name), danlu.cli("logs", name).stdout
            assert job.state == "completed", (job.reason, said, danlu.cli("events", name).stdout)
        assert "fetching" in danlu.cli("events", "reads").stdout
        assert f"total {sum(range(1000))}" in danlu.cli("logs", "trains").stdout
        damaged(danlu, client, place, data)


def damaged(danlu: DanluBeside, client: Client, place: Place, data: dict[str, Any]) -> None:
    """What is not what the version holds is never read by anybody, and the job says what it is."""
    stored = (path for path in (danlu.data / "datasets" / "objects").rglob("*") if path.is_file())
    [large] = [path for path in stored if path.read_bytes() == LARGE]
    large.chmod(0o600)
    large.write_bytes(bytes(len(LARGE)))
    submit(client, "harmed", place.busybox, "true", data)
    job = client.wait("harmed")
    assert job.reason is not None
    assert (job.state, job.reason.code) == ("failed", "dataset_not_copied")
    assert "is damaged: 'large'" in job.reason.text["en"]


def test_where_danlu_cannot_be_reached_or_a_disk_is_too_small_the_reason_says_so(
    kube: Kube, place: Place, cluster: Cluster, tmp_path: Path
) -> None:
    """Something answers, and every connection breaks off."""
    listening = cluster.listen()
    asked = threading.Event()

    def cut_off() -> None:
        with suppress(OSError):
            while True:
                with listening.accept()[0] as near:
                    near.recv(10)
                    asked.set()

    threading.Thread(target=cut_off, daemon=True).start()
    address, port = listening.getsockname()
    url = f"http://{address}:{port}"
    cut = MountOrder("/data", True, tree="ab" * 32, title="lin:x@v1")
    try:
        with harness_on(kube, place, tmp_path, admission_time=4_000) as harness:
            engine = harness.engine()
            engine.start(mounting("cut", url, cut))
            engine.start(mounting("large", url, replace(cut, size=1 << 50, files=3)))
            events = watch(harness, engine, lambda seen: len(ends(seen)) == 2)
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
    assert asked.is_set()
    lost, large = ends(events)["cut-1"], ends(events)["large-1"]
    assert isinstance(lost, DatasetNotCopied)
    assert (lost.why, lost.dataset) == ("unreachable", "lin:x@v1")
    assert f"{url} broke" in lost.said
    assert isinstance(large, DatasetNotCopied)
    assert (large.why, large.size > 1 << 50, large.bound > 0) == ("too_large", True, True)


def mounting(job: str, url: str, mount: MountOrder) -> AttemptOrder:
    env = {"DANLU_URL": url, "DANLU_TASK_TOKEN": "t"}
    task = TaskOrder("w-0", "w", "a100-0", "", (), Resources(50, 64 * MIB), "true", env, False)
    return AttemptOrder(f"{job}-1", job, 1, "lin", "host", None, (task,), (mount,))


def ends(events: list[TaskEvent]) -> dict[str, Reason | None]:
    return {one.attempt_id: one.reason for one in events if isinstance(one, TaskEnded)}
