"""What real pods print arrives in our logs, once, whatever is restarted meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from danlu.domain.job import Task
from danlu.engines.kubernetes.api.access import Credentials
from danlu.engines.kubernetes.api.api import Api
from danlu.engines.kubernetes.logs.logs import PodLogFollower
from danlu.ports.logs import LogKey
from danlu.telemetry.logs import FileLogs, log_path
from tests.kubernetes.kube import Kube
from tests.kubernetes.places import Place
from tests.kubernetes.tasks import access_to, farewells, make_task, name_of
from tests.unit.engines.kubernetes.logs.test_printed import records, text_of
from tools.cluster.cluster import Cluster

pytestmark = pytest.mark.anyio

KEY = LogKey("job-1", 1, "worker-0")


@pytest.fixture
async def api(kube: Kube) -> AsyncIterator[Api]:
    _, access = access_to(kube)
    api = Api(Credentials.load(access))
    yield api
    await api.close()
    await farewells()


@pytest.fixture
async def follower(api: Api, kube: Kube, tmp_path: Path) -> AsyncIterator[PodLogFollower]:
    follower = PodLogFollower(api, kube.namespace, lambda key: log_path(tmp_path, key))
    yield follower
    await follower.close()


def written(root: Path) -> bytes:
    return FileLogs(root).read(KEY, 0, 1 << 30).records


async def ended(kube: Kube, task: Task) -> None:
    await asyncio.to_thread(kube.wait_pod, name_of(task), "Succeeded", "Failed", seconds=120)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.05)


@pytest.mark.own_cluster
@pytest.mark.alone
async def test_ten_thousand_lines_arrive_once_while_the_api_server_and_danlu_restart(
    kube: Kube, place: Place, cluster: Cluster, api: Api, tmp_path: Path
) -> None:
    command = (
        "i=0; while [ $i -lt 10000 ]; do i=$((i+1)); echo line $i; [ $((i % 25)) = 0 ] && sleep 0.02; done"
    )
    task = make_task(kube, place.busybox, ["sh", "-c", command])
    follower = PodLogFollower(api, kube.namespace, lambda key: log_path(tmp_path, key))
    follower.follow(name_of(task), KEY)
    await until(lambda: b"line 500\n" in text_of(written(tmp_path)))
    await asyncio.to_thread(cluster.restart_api_server)
    await until(lambda: b"line 3000\n" in text_of(written(tmp_path)))
    await follower.close()
    path = log_path(tmp_path, KEY)
    with path.open("r+b") as torn:
        torn.truncate(path.stat().st_size - 7)
    follower = PodLogFollower(api, kube.namespace, lambda key: log_path(tmp_path, key))
    follower.follow(name_of(task), KEY)
    await asyncio.to_thread(cluster.restart_api_server)
    await asyncio.to_thread(cluster.wait_for_api_server)
    await ended(kube, task)
    await follower.finished(name_of(task), 30)
    assert text_of(written(tmp_path)) == b"".join(b"line %d\n" % number for number in range(1, 10_001))
    await follower.close()


async def test_a_log_outlives_its_pod_and_is_complete_when_its_end_is_known(
    kube: Kube, place: Place, follower: PodLogFollower, tmp_path: Path
) -> None:
    # A node may lose what is still in its pipes when a container exits: this one stays a moment.
    command = "seq 1 50000; printf 'no end'; sleep 0.5"
    task = make_task(kube, place.busybox, ["sh", "-c", command])
    follower.follow(name_of(task), KEY)
    await ended(kube, task)
    await follower.finished(name_of(task), 30)
    kube.delete("pods", name_of(task))
    follower.drop(name_of(task))
    assert text_of(written(tmp_path)) == b"".join(b"%d\n" % number for number in range(1, 50_001)) + b"no end"


async def test_long_lines_and_carriage_returns_are_kept_as_they_were_printed(
    kube: Kube, place: Place, follower: PodLogFollower, tmp_path: Path
) -> None:
    program = (
        "import sys, time\n"
        "for size in (16383, 16384, 16385, 40000, 200000): print('é' * (size // 2) + 'x' * (size % 2))\n"
        "for n in range(2000): print(f'\\r{n}% |#####', end='', flush=True)\n"
        "time.sleep(2)\n"
        "print(); print(); print('  done ')"
    )
    task = make_task(kube, place.python, ["python3.11", "-c", program])
    follower.follow(name_of(task), KEY)
    await ended(kube, task)
    await follower.finished(name_of(task), 30)
    lines = ["é" * (size // 2) + "x" * (size % 2) for size in (16383, 16384, 16385, 40000, 200000)]
    lines += ["".join(f"\r{number}% |#####" for number in range(2000)), "", "  done ", ""]
    assert text_of(written(tmp_path)) == "\n".join(lines).encode()
    assert any(not record.whole for record in records(written(tmp_path)))


async def test_a_pod_is_followed_from_before_it_starts_and_lines_come_soon(
    kube: Kube, place: Place, follower: PodLogFollower, tmp_path: Path
) -> None:
    task = make_task(kube, place.busybox, ["sh", "-c", "sleep 1; while :; do date +%s.; sleep 0.2; done"])
    follower.follow(name_of(task), KEY)
    await until(lambda: written(tmp_path).count(b"\n") > 5)
    *_, last = records(written(tmp_path))
    assert abs(time.time() - last.time_ms / 1000) < 2
    kube.delete("pods", name_of(task))
    await follower.finished(name_of(task), 30)
