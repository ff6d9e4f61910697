"""`./dev bench training [section…]`: what Danlu adds to a training, beside bare torchrun on the same script in one run.

Two tasks of one process each on two virtual nodes, gloo on CPUs. CPU of Danlu is that of its server, launcher and
supervisors while the steps run."""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from bench.table import Table
from danlu.ports import reports, supervision
from danlu.ports.reports import ReportedPoint
from danlu.sdk import Client
from tests.live import LiveServer, eventually, live_server, training
from tools.dev.environments import torch_environment
from tools.dev.places import ROOT

SCRIPT = ROOT / "bench" / "train"
STEPS, ROUNDS, TASKS = 150, 5, 8
POINTS = 1_000_000


def main() -> int:
    sections: dict[str, Callable[[Table, Path], None]] = {
        "steps": steps,
        "metrics": metrics,
        "failures": failures,
    }
    parser = argparse.ArgumentParser(prog="./dev bench training", description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], default=[])
    options = parser.parse_args()
    table = Table("./dev bench training")
    with tempfile.TemporaryDirectory(prefix="danlu-bench-") as folder:
        for name in options.sections or sections:
            print(f"{name} … (load {os.getloadavg()[0]:.1f})", flush=True)
            root = Path(folder, name)
            root.mkdir()
            sections[name](table, root)
    print("\n" + table.render())
    return 0


# ── steps and start-up ───────────────────────────────────────────────────────────────────────────────


def steps(table: Table, root: Path) -> None:
    """Bare and with Danlu by turns, so that a busy machine is as unfair to both."""
    options = ("--virtual-nodes", "2x1xA100", "--python", str(torch_environment()))
    bare, ours = [], []
    with live_server(root, *options) as live:
        client = live.client()
        for number in range(ROUNDS):
            bare.append(run_bare(root / f"bare-{number}"))
            ours.append(run_ours(live, client, f"bench-{number}"))
    step_bare, step_ours = median(bare, "step_cpu"), median(ours, "step_cpu")
    added = median(ours, "danlu_cpu")
    table.add("CPU of a step, both ranks: bare; with Danlu", f"{ms(step_bare)}; {ms(step_ours)}")
    table.add("CPU of Danlu per step, with one metric logged per rank and step", ms(added))
    table.add("the same, of the step's", f"{100 * added / step_ours:.2f} %", "1 %")
    table.add(
        "wall time of a step: bare; with Danlu", f"{ms(median(bare, 'step'))}; {ms(median(ours, 'step'))}"
    )
    start_bare, start_ours = median(bare, "start"), median(ours, "start")
    table.add(
        "from asking to the script's first line: bare; with Danlu", f"{start_bare:.2f} s; {start_ours:.2f} s"
    )
    table.add("start-up that Danlu adds", f"{start_ours - start_bare:.2f} s", "1 s")


def run_bare(folder: Path) -> dict[str, float]:
    """torchrun on this machine, one agent for each of two nodes, as one would by hand."""
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    agent = [str(torch_environment() / "bin" / "torchrun"), "--nnodes=2", "--nproc-per-node=1"]
    script = [str(SCRIPT / "ddp.py"), str(STEPS), str(folder), "0"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    asked = time.time()
    agents = [
        subprocess.Popen(
            [*agent, f"--node-rank={rank}", "--master-addr=127.0.0.1", f"--master-port={port}", *script],
            env=env,
        )
        for rank in range(2)
    ]
    for one in agents:
        if one.wait(timeout=300):
            raise RuntimeError("bare torchrun failed")
    return figures(asked, told_by(folder))


def run_ours(live: LiveServer, client: Client, name: str) -> dict[str, float]:
    folder = live.data / "volumes" / "admin" / name
    folder.mkdir(parents=True)
    command = f'python ddp.py {STEPS} "$DANLU_PERSONAL_DIR/{name}" 2'
    size = {"cpus": 1, "memory": "2GiB", "gpus": 1}
    file = training(name, command, framework="pytorch", nodes=2, resources=size, code={"path": str(SCRIPT)})
    asked = time.time()
    job = client.submit(file)
    eventually(lambda: client.get(job.id).state == "running", 60)
    danlu = processes(live, job.id)
    # Metrics tell that the first steps are done; from then on Danlu's counters are its own work for the steps.
    eventually(lambda: client.metrics(job.id, ["loss"]).latest_step is not None, 120)
    before, since = cpu(danlu), time.time()
    eventually(lambda: len(list(folder.glob("*.json"))) == 2, 300)
    used, until = cpu(danlu) - before, time.time()
    told = told_by(folder)
    found = figures(asked, told)
    eventually(lambda: client.get(job.id).state == "completed", 60)
    seen = STEPS * (until - since) / (told[0]["last"] - told[0]["first"])
    return {**found, "danlu_cpu": used / max(1.0, seen)}


def told_by(folder: Path) -> list[dict[str, float]]:
    return [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]


def figures(asked: float, told: list[dict[str, float]]) -> dict[str, float]:
    return {
        "start": max(one["began"] for one in told) - asked,
        "step": (told[0]["last"] - told[0]["first"]) / STEPS,
        "step_cpu": sum(one["cpu"] for one in told) / STEPS,
    }


def processes(live: LiveServer, job_id: str) -> list[psutil.Process]:
    """The server, its launcher and the supervisors of a job."""
    found = [psutil.Process(live.pid)]
    for folder in sorted((live.data / "runs").glob(f"{job_id}-*/*/")):
        records, _ = supervision.read_status(str(folder))
        supervisor = psutil.Process(next(one["supervisor"] for one in records if "supervisor" in one))
        found.append(supervisor)
        launcher = supervisor.parent()
        if launcher is not None and launcher not in found and launcher.pid != 1:
            found.append(launcher)
    return found


def cpu(of: list[psutil.Process]) -> float:
    total = 0.0
    for process in of:
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


# ── metrics ──────────────────────────────────────────────────────────────────────────────────────────


def metrics(table: Table, root: Path) -> None:
    """Points into the file by `danlu.log`, and out of it through the server."""
    folder = root / "reports"
    folder.mkdir()
    code = (
        "import danlu, time\n"
        "began = time.process_time()\n"
        f"for step in range({POINTS // 5}): danlu.log(step, loss=0.5, lr=0.1)\n"
        "import atexit; atexit.register(lambda: print(time.process_time() - began))\n"
    )
    env = {
        **os.environ,
        "DANLU_REPORTS": str(folder),
        "DANLU_RUN": "worker-0",
        "PYTHONPATH": str(ROOT / "src"),
    }
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    spent = float(told.stdout)
    table.add("danlu.log with two metrics, per call", f"{1e6 * spent / (POINTS // 5):.1f} µs CPU")
    table.add("metric points logged per CPU-second", f"{POINTS // 5 * 2 / spent:,.0f}")
    with live_server(root) as live:
        client = live.client()
        job = client.submit(training("talkative", "true"))
        eventually(lambda: client.get(job.id).state == "completed")
        log = live.data / "logs" / job.id / "1" / "worker-0.log"
        place = Path(reports.reports_folder(str(log)))
        place.mkdir(exist_ok=True)
        with (place / reports.METRICS_FILE).open("wb") as file:
            for step in range(POINTS):
                file.write(
                    reports.point_line(
                        ReportedPoint(1_700_000_000_000 + step, step, {"loss": 1 / (step + 1)})
                    )
                )
        server = psutil.Process(live.pid)
        cold, warm = asked(client, job.id, server), [asked(client, job.id, server) for _ in range(20)]
        table.add(f"a chart of {POINTS:,} points, read for the first time", f"{cold:.2f} s CPU")
        table.add("metric points read per CPU-second", f"{POINTS / cold:,.0f}")
        table.add("the same chart again", f"{1000 * statistics.median(warm):.1f} ms CPU")


def asked(client: Client, job: str, server: psutil.Process) -> float:
    before = cpu([server])
    series = client.metrics(job, ["loss"]).series
    if not series or not series[0].steps:
        raise RuntimeError("no metrics came back")
    return cpu([server]) - before


# ── failures ─────────────────────────────────────────────────────────────────────────────────────────


def failures(table: Table, root: Path) -> None:
    """A gang on four nodes whose members stand still when one is killed."""
    command = "python3 -c 'import time; time.sleep(600)'"
    ends, again = [], []
    with live_server(root, "--virtual-nodes", "4x2xA100") as live:
        client = live.client()
        size = {"cpus": 0.1, "memory": "64MiB", "gpus": 1}
        keys: dict[str, Any] = {"on": {"task_failed": "restart_job"}, "restarts": 1000, "nodes": TASKS}
        job = client.submit(
            training("gang", command, resources=size, backoff={"first": "0s", "most": "0s"}, **keys)
        )
        for number in range(1, 2 * ROUNDS + 1):
            running = lambda: (found := client.get(job.id)).state == "running" and found  # noqa: E731
            eventually(running, 60)
            folders = sorted((live.data / "runs").glob(f"{job.id}-{number}/*/"))
            records, _ = supervision.read_status(str(folders[number % TASKS]))
            killed = time.time()
            os.kill(next(one["pid"] for one in records if "pid" in one), 9)
            eventually(lambda number=number: client.get(job.id).attempt == number + 1, 60)
            eventually(running, 60)
            again.append(time.time() - killed)
            records_of = (supervision.read_status(str(folder))[0] for folder in folders)
            times = [one["time"] for told in records_of for one in told if one["event"] == "exited"]
            if len(times) == TASKS:  # else its traces are gone already
                ends.append(max(times) / 1000 - killed)
            else:
                ended = [event for event in client.events(job.id) if event.kind == "task_ended"][-TASKS:]
                ends.append(_moment(ended[-1].time) - killed)
        client.stop(job.id)
    table.add(f"a worker killed → all {TASKS} ended, p50; worst", f"{middle(ends)}; {max(ends):.2f} s", "2 s")
    table.add(
        "→ the next attempt running (no wait asked for), p50; worst", f"{middle(again)}; {max(again):.2f} s"
    )


def _moment(text: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(text).timestamp()


def middle(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} s"


def median(runs: list[dict[str, float]], name: str) -> float:
    return statistics.median(run[name] for run in runs)


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    sys.exit(main())
