"""`./dev bench --quick`: within two minutes what Danlu costs, in CPU time and memory alone.

Compares with the last run in bench/figures.jsonl and says what moved; `--record` keeps this run there. A word, not a
gate: the exit code is 0 whatever the figures say."""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.client
import os
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from bench.figures import RECORD, Figure, Yardstick, append, beside, last, story, this_run
from bench.scheduler import World, timed
from bench.walk import SMALL, server
from danlu.ports import supervision
from tests.live import LiveServer, eventually, training

ROOT = Path(__file__).parents[1]
JOBS = 150
PAGES = 150
Figures = dict[str, Figure]


def main() -> int:
    # With it every start would compile every module, which no installation does.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    figures: Figures = {}
    yardstick = Yardstick()
    sections: list[Callable[[Figures, Yardstick], None]] = [start, jobs, scheduler, console]
    for section in sections:
        print(f"{section.__name__} …", flush=True)
        section(figures, yardstick)
    now, then = this_run(ROOT, figures, yardstick.median_ms), last(RECORD)
    print(f"\n{now.commit}, Python {now.python}, {now.cores} cores, yardstick {now.yardstick_ms:.1f} ms")
    compared = {one.what: one for one in beside(now, then)} if then else {}
    for name, figure in figures.items():
        known = compared.get(name)
        was = f"   (at {then.commit}: {known.then.shown()})" if then and known else ""
        print(f"  {name}: {figure.shown()}{was}")
    print("\n" + "\n".join(story(now, then)))
    if "--record" in sys.argv[1:]:
        append(RECORD, now)
        print(f"Recorded in {RECORD.relative_to(ROOT)}.")
    return 0


def start(figures: Figures, yardstick: Yardstick) -> None:
    """`danlu up` on a data directory that is there, and the command line beside it."""
    with server() as live:
        resting: list[float] = []

        def once() -> float:
            live.interrupt()
            live.start()
            cpu = cpu_of(live.pid)
            resting.append(memory(live.pid))
            return cpu

        figures["danlu up to ready"] = yardstick.cpu(once, 5)
        figures["memory of an idle server"] = _megabytes(statistics.median(resting))
        figures["memory of its launcher"] = _megabytes(memory(_launcher(live)))
        for words in ("version", "ls"):
            figures[f"danlu {words}"] = yardstick.cpu(functools.partial(_cli, live, words), 7)


def jobs(figures: Figures, yardstick: Yardstick) -> None:
    """Simulated jobs from submit to their end, and a page of their list: API, store and cycle."""
    with server("--engine", "simulated", "--virtual-nodes", "20x8xA100") as live:
        batches = iter(range(100))

        def batch() -> float:
            began, done = cpu_of(live.pid), next(batches)
            _submit(live, done)
            return (cpu_of(live.pid) - began) / JOBS

        batch()  # what the first job loads is not each job's
        figures["a simulated job, submit to finished"] = yardstick.cpu(batch, 4)
        figures[f"memory with {5 * JOBS} jobs"] = _megabytes(memory(live.pid))
        _pages(live, 20)
        figures["a page of 50 jobs"] = yardstick.cpu(lambda: _pages(live, PAGES), 5)


def scheduler(figures: Figures, yardstick: Yardstick) -> None:
    """The decision alone, with 300 nodes and 3,000 who wait."""
    world = World.full(300, 3_000).settled()
    decision = world.decide()
    figures["full cycle, 300 nodes, 3,000 pending"] = yardstick.cpu(lambda: timed(world.decide)[0] / 1000, 9)

    def later() -> float:
        nonlocal decision
        world.apply(decision.plan)
        took, decision = timed(world.later)
        return took / 1000

    figures["next cycle after 100 changes"] = yardstick.cpu(later, 9)


def console(figures: Figures, _: Yardstick) -> None:
    """What a browser fetches before it can show anything, where the console is built."""
    built = ROOT / "console" / "dist"
    page = built / "index.html"
    if not page.exists():
        print("  the console is not built: left out")
        return
    named = re.findall(r'(?:src|href)="[./]*([^"]+\.(?:js|css))"', page.read_text("utf-8"))
    sizes = [len(gzip.compress(file.read_bytes())) for file in [page, *(built / name for name in named)]]
    figures["console, what the first page names, compressed"] = Figure(round(sum(sizes) / 1000, 1), "kB")


def cpu_of(pid: int) -> float:
    """CPU seconds of all threads of a process, ended ones too, by the kernel's own clock of it."""
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid: int) -> float:
    return float(psutil.Process(pid).memory_info().rss)


def _megabytes(size: float) -> Figure:
    return Figure(round(size / 2**20, 1), "MB")


def _launcher(live: LiveServer) -> int:
    (answer,) = supervision.ask_launcher(str(live.data / "runs"), {"ping": True})
    return int(answer["pid"])


def _cli(live: LiveServer, *words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(Path(sys.executable).with_name("danlu")), *words]
    subprocess.run(command, env=live.env(), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _submit(live: LiveServer, batch: int) -> None:
    def part(offset: int) -> None:
        with live.client() as own:
            for number in range(offset, JOBS, 4):
                own.submit(training(f"job-{batch}-{number:05d}", "true", resources=SMALL))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(part, range(4)))
    # Asked of the file, not of the server: on a busy machine answering would cost more than the jobs.
    with contextlib.closing(sqlite3.connect(live.data / "danlu.db")) as database:
        ended = "SELECT count(*) FROM jobs WHERE ended_at IS NOT NULL"
        eventually(lambda: database.execute(ended).fetchone()[0] == JOBS * (batch + 1), 300)


def _pages(live: LiveServer, count: int) -> float:
    """CPU seconds of the server for each."""
    connection = http.client.HTTPConnection("127.0.0.1", live.port)
    headers = {"Authorization": f"Bearer {live._token()}"}
    began = cpu_of(live.pid)
    for _ in range(count):
        connection.request("GET", "/api/v1/jobs?limit=50", headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
    connection.close()
    return (cpu_of(live.pid) - began) / count


if __name__ == "__main__":
    sys.exit(main())
