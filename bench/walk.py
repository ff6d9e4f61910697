"""`./dev bench walk`: a job's whole way, from submit to its last log line, on this machine.

CPU time is what counts on a shared machine; wall times are of this run. `others` are figures that were seen on a
machine of this size, not of this run, unless they say so."""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import psutil

from bench.peers import slurm
from bench.table import Table, spread
from danlu.domain.events import JobCreated
from danlu.domain.ids import make_id
from danlu.domain.job import Job, JobState
from danlu.files.reading import read_job_file
from danlu.ports.store import JobChange
from danlu.sdk import Client
from danlu.store.sql import SqlStore
from tests.live import LiveServer, eventually, live_server, training

SMALL = {"cpus": 0.1, "memory": "64MiB"}
_NO_SLURM = "Slurm is not installed: apt-get install slurmctld slurmd slurm-client"
ENDED = ["completed", "failed", "stopped"]


def main() -> int:
    table = Table("./dev bench walk")
    sections: dict[str, Callable[[Table], None]] = {
        "start": start, "latency": latency, "throughput": throughput, "simulated": simulated,
        "listing": listing, "logs": logs, "cli": cli,
    }  # fmt: skip
    for name in sys.argv[1:] or sections:
        print(f"{name} …", flush=True)
        sections[name](table)
    print("\n" + table.render())
    return 0


def start(table: Table) -> None:
    """How soon Danlu is ready, and how much memory it takes doing nothing."""
    with server() as live:
        live.interrupt()
        took = []
        for _ in range(3):
            began = time.monotonic()
            live.start()
            took.append(time.monotonic() - began)
            memory = psutil.Process(live.pid).memory_info().rss / 2**20
            cpu = sum(psutil.Process(live.pid).cpu_times()[:2])
            live.interrupt()
        live.start()
        table.add("server start, data there", f"{statistics.median(took):.1f} s ({cpu:.1f} s CPU)", "3 s")
        table.add("memory idle", f"{memory:.0f} MB", "120 MB")


def latency(table: Table) -> None:
    """submit → running on the local engine, one job at a time on an idle server."""
    with server() as live, live.client() as client:
        took = []
        for number in range(110):
            began = time.time()
            client.submit(training(f"lat-{number:04d}", "sleep 0.3"))
            done = client.wait(f"lat-{number:04d}")
            assert done.started_at is not None
            took.append((_moment(client, done.id) - began) * 1000)
        table.add("submit → running, local engine", spread(took[10:]), "p50 60 ms", _slurm_latency())


def _slurm_latency() -> str:
    if not slurm.available():
        return _NO_SLURM
    with slurm_running() as peer:
        took = []
        for number in range(25):
            began = time.time()
            peer.submit(f"lat-{number:04d}", "sleep 0.1")
            took.append((peer.started(f"lat-{number:04d}") - began) * 1000)
            time.sleep(0.3)
    return f"Slurm, tuned, this run: {spread(took[5:])}"


def _moment(client: Client, job_id: str) -> float:
    """When the task ran, by the supervisor's clock, to the millisecond."""
    started = client.http.json("GET", f"/api/v1/jobs/{job_id}")["started_at"]
    return datetime.fromisoformat(started.replace("Z", "+00:00")).timestamp()


def throughput(table: Table) -> None:
    """Real jobs per second: submitted by four clients, run, recorded."""
    count = 400
    with server() as live:
        cpu, began = _machine_cpu(), time.monotonic()
        own = time.process_time()
        _submit_all(live, count, "true")
        wall = time.monotonic() - began
        spent = _machine_cpu() - cpu - (time.process_time() - own)
        ours = f"{count / wall:.0f} ({spent / count * 1000:.1f} ms CPU each)"
        table.add("real jobs per second", ours, "60", _slurm_throughput(count))


def _slurm_throughput(count: int) -> str:
    if not slurm.available():
        return _NO_SLURM
    with slurm_running() as peer:
        cpu, began = _machine_cpu(), time.monotonic()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: peer.submit(f"job-{number:05d}", "true"), range(count)))
        eventually(lambda: peer.count_started() == count, 300)
        wall, spent = time.monotonic() - began, _machine_cpu() - cpu
    return f"Slurm, tuned, this run: {count / wall:.0f} ({spent / count * 1000:.1f} ms CPU each)"


def simulated(table: Table) -> None:
    """API + store + cycle, nothing really run."""
    count = 2_000
    with server("--engine", "simulated", "--virtual-nodes", "100x8xA100") as live:
        process = psutil.Process(live.pid)
        cpu, began = sum(process.cpu_times()[:2]), time.monotonic()
        _submit_all(live, count, "true")
        wall = time.monotonic() - began
        spent = sum(process.cpu_times()[:2]) - cpu
        table.add(
            "simulated jobs per second", f"{count / wall:.0f} ({spent / count * 1000:.1f} ms CPU each)", "300"
        )


def _submit_all(live: LiveServer, count: int, command: str) -> None:
    def submit(part: int) -> None:
        with live.client() as client:
            for number in range(part, count, 4):
                client.submit(training(f"job-{number:05d}", command, resources=SMALL))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(submit, range(4)))
    with live.client() as client:
        eventually(lambda: _total(client, ENDED) == count, 300)


def _total(client: Client, states: list[str]) -> int:
    return int(client.http.json("GET", "/api/v1/jobs", {"limit": 1, "state": states})["total"])


def listing(table: Table) -> None:
    """A page of 50 out of 100,000 jobs."""
    with tempfile.TemporaryDirectory() as folder:
        live = LiveServer(Path(folder))
        live.start()
        live.interrupt()
        fill_jobs(live.data / "danlu.db", 100_000)
        try:
            live.start()
            process = psutil.Process(live.pid)
            connection = http.client.HTTPConnection("127.0.0.1", live.port)
            headers = {"Authorization": f"Bearer {live._token()}"}
            kinds = {
                "": ("", "&state=failed", "&sort=name", "&owner=user7"),
                ", found by name": ("&search=-0999",),
            }
            for words, queries in kinds.items():
                took = []
                for number in range(230):
                    if number == 30:
                        cpu = sum(process.cpu_times()[:2])
                    began = time.perf_counter()
                    query = queries[number % len(queries)]
                    connection.request("GET", f"/api/v1/jobs?limit=50{query}", headers=headers)
                    assert len(json.loads(connection.getresponse().read())["items"]) == 50
                    took.append((time.perf_counter() - began) * 1000)
                spent = (sum(process.cpu_times()[:2]) - cpu) / 200 * 1000
                ours, aim = f"{spread(took[30:])}, {spent:.1f} ms CPU", "p99 20 ms, 2 ms CPU"
                table.add(f"list 50 of 100,000 jobs{words}", ours, aim, "dstack 90 ms CPU for 100 runs")
            table.add("memory with 100,000 jobs", f"{process.memory_info().rss / 2**20:.0f} MB")
        finally:
            live.clean_up()


def fill_jobs(database: Path, count: int) -> None:
    store = SqlStore.open(f"sqlite:///{database}")
    spec = read_job_file(training("train-0", "python train.py", resources={"gpus": 1})).result()
    states = [JobState.COMPLETED] * 7 + [JobState.FAILED] * 2 + [JobState.STOPPED]

    for number in range(count):
        at = 1_790_000_000_000 + number * 1000
        job = Job(
            id=make_id(at, number % 1000), owner=f"user{number % 50}", created_at=at, queued_at=at,
            started_at=at + 5, ended_at=at + 9000, state=states[number % 10], attempts=1,
            spec=replace(spec, name=f"train-{number:06d}"),
        )  # fmt: skip
        store.add(JobChange(job, (JobCreated(job.owner),), job.owner))
    store.close()


def logs(table: Table) -> None:
    """Lines from a task's pipe to two hundred readers."""
    lines = 300_000
    command = f"seq -f 'step %.0f loss 0.123456 accuracy 0.654321 lr 0.0003' 1 {lines}"
    with server() as live, live.client() as client:
        job = client.submit(training("chatter", "sleep 2; " + command, resources=SMALL))
        eventually(lambda: client.get(job.id).state == "running")
        process = psutil.Process(live.pid)
        cpu = sum(process.cpu_times()[:2])
        counts: list[int] = []
        readers = [threading.Thread(target=_follow, args=(live, job.id, counts)) for _ in range(200)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout=240)
        spent = sum(process.cpu_times()[:2]) - cpu
        assert counts == [lines] * 200, (len(counts), min(counts, default=0))
        table.add(
            "log lines per CPU-second, 200 followers",
            f"{lines * 200 / spent / 1e6:.1f} million ({spent:.1f} s CPU for {lines * 200 / 1e6:.0f} million)",
            "1 million",
        )


def _follow(live: LiveServer, job_id: str, counts: list[int]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=240)
    connection.request(
        "GET", f"/api/v1/jobs/{job_id}/logs?follow=true", headers={"Authorization": f"Bearer {live._token()}"}
    )
    stream = connection.getresponse()
    count = 0
    while line := stream.readline():
        if line.startswith(b"data: [["):
            count += line.count(b'"],[') + 1
        elif line.startswith(b"event: end"):
            break
    counts.append(count)


def cli(table: Table) -> None:
    """What a person waits for at the prompt."""
    with server() as live:
        for words in (["version"], ["ls"]):
            took, cpu = [], []
            for _ in range(15):
                began, before = time.perf_counter(), psutil.Process().cpu_times()
                subprocess.run(
                    [str(Path(sys.executable).with_name("danlu")), *words],
                    env=live.env(),
                    check=True,
                    capture_output=True,
                )
                after = psutil.Process().cpu_times()
                took.append((time.perf_counter() - began) * 1000)
                cpu.append(
                    (
                        after.children_user
                        + after.children_system
                        - before.children_user
                        - before.children_system
                    )
                    * 1000
                )
            table.add(
                f"danlu {' '.join(words)}",
                f"{spread(took[3:])}, {statistics.median(cpu[3:]):.0f} ms CPU",
                "150 ms",
                "dstack 1.1 s, SkyPilot 2-3 s",
            )


def _machine_cpu() -> float:
    """CPU seconds all processes have used since the machine started."""
    times = psutil.cpu_times()
    return float(times.user + times.system)


@contextmanager
def slurm_running() -> Iterator[slurm.Slurm]:
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        slurm.running(Path(folder)) as peer,
    ):
        yield peer


@contextmanager
def server(*options: str) -> Iterator[LiveServer]:
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        live_server(Path(folder), *options) as live,
    ):
        yield live


if __name__ == "__main__":
    sys.exit(main())
