"""`./dev bench console [section…] [--minutes N]`: the console in a real browser on this machine.

CPU time of the page's main thread is what counts on a shared machine; wall times are of this run."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, ViewportSize

from bench.browser import Watched, chromium, until
from bench.peers import mlflow
from bench.table import Table
from bench.walk import fill_jobs
from danlu.sdk import Client
from tests.live import LiveServer, eventually, live_server, training

NAME, PASSWORD = "bench", "a long enough password"
VIEW: ViewportSize = {"width": 1360, "height": 850}
ROWS = 10_000
MILLION = 1_000_000
SMALL = {"cpus": 0.1, "memory": "64MiB"}


def main() -> int:
    sections: dict[str, Callable[[Table, Browser, int], None]] = {
        "first": first, "table": table_of_jobs, "log": log, "scroll": scroll, "live": live,
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="./dev bench console", description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], default=[])
    parser.add_argument("--minutes", type=int, default=10, help="how long live updates are watched")
    options = parser.parse_args()
    table = Table("./dev bench console")
    with chromium() as browser:
        for name in options.sections or sections:
            print(f"{name} …", flush=True)
            sections[name](table, browser, options.minutes)
    print("\n" + table.render())
    return 0


PAGES = (("/sign-in", "Sign in", "sign-in"), ("/", "Hello", "overview"), ("/jobs", "Jobs", "jobs"))


def first(table: Table, browser: Browser, _: int) -> None:
    """The first page with nothing in the cache: bytes, time until it can be used, work of its thread."""
    peer = {"transferred": "", "usable": "", "cpu": ""}
    with mlflow.running() as url:
        loads = [load(browser.new_context(viewport=VIEW), url, "") for _ in range(5)]
        peer = {key: f"MLflow {text}" for key, text in told(loads).items()}
    with server() as live_one:
        for path, heading, words in PAGES:
            loads = []
            for _try in range(5):
                with signed_in(browser, live_one, path != "/sign-in") as context:
                    loads.append(load(context, f"{live_one.url}{path}", heading))
            ours = told(loads)
            table.add(f"{words}: transferred, cold cache", ours["transferred"], "200 kB", peer["transferred"])
            table.add(f"{words}: usable after, median of 5", ours["usable"], "1.5 s", peer["usable"])
            table.add(f"{words}: main-thread CPU", ours["cpu"], "300 ms", peer["cpu"])


class Load(NamedTuple):
    seconds: float
    cpu: float
    received: int


def load(context: BrowserContext, url: str, heading: str) -> Load:
    """One visit: until the heading is there and nothing is loading any more."""
    seen = Watched(context)
    began = time.perf_counter()
    seen.page.goto(url, wait_until="commit")
    seen.page.get_by_role("heading", name=heading or None).first.wait_for(timeout=60_000)
    seen.page.get_by_role("status", name="Loading").first.wait_for(state="detached")
    took = time.perf_counter() - began
    seen.page.wait_for_timeout(1500)
    found = Load(took, seen.cpu(), seen.received)
    seen.close()
    return found


def told(loads: list[Load]) -> dict[str, str]:
    return {
        "transferred": f"{statistics.median(one.received for one in loads) / 1000:,.0f} kB",
        "usable": f"{statistics.median(one.seconds for one in loads):.2f} s",
        "cpu": f"{statistics.median(one.cpu for one in loads) * 1000:,.0f} ms",
    }


def table_of_jobs(table: Table, browser: Browser, _: int) -> None:
    """Ten thousand rows, walked from the first to the last."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with live_server(Path(folder)) as made:
            made.interrupt()
        fill_jobs(Path(folder) / "data" / "danlu.db", ROWS)
        with live_server(Path(folder)) as live_one, signed_in(browser, live_one) as context:
            seen = Watched(context)
            seen.page.goto(f"{live_one.url}/jobs")
            region = seen.page.get_by_role("region", name="Jobs")
            region.wait_for()
            scroller = "document.querySelector('[role=region] table').closest('[role=region]')"
            # First all pages are fetched: the walk that is measured is over rows that are there.
            until(lambda: at_end(seen, scroller), 120, 0.05)
            seen.long_tasks()
            seen.value(f"{scroller}.scrollTop = 0")
            seen.page.wait_for_timeout(500)
            frames = 240
            before = seen.cpu()
            height = seen.value(f"{scroller}.scrollHeight")
            seen.value(walk(scroller, frames))
            spent = (seen.cpu() - before) / frames * 1000
            long = seen.long_tasks()
            table.add(
                f"scroll through {int(height / 36):,} rows",
                f"{spent:.1f} ms CPU per frame, {len(long)} long tasks {long[:5] or ''}".rstrip(),
                "14 ms; no task over 50 ms",
            )
            table.add("elements on the page meanwhile", f"{seen.elements():,.0f}")


def at_end(seen: Watched, scroller: str) -> bool:
    """Whether all rows are there; scrolls on."""
    loaded = seen.value(f"{scroller}.scrollTop = {scroller}.scrollHeight, {scroller}.scrollHeight")
    return bool(loaded >= ROWS * 36)


def walk(scroller: str, frames: int) -> str:
    """Scrolls from top to bottom in so many frames."""
    return f"""new Promise((done) => {{
      const box = {scroller};
      const step = (box.scrollHeight - box.clientHeight) / {frames};
      let frame = 0;
      const next = () => {{
        box.scrollTop = Math.round(step * ++frame);
        if (frame < {frames}) requestAnimationFrame(next); else done(true);
      }};
      requestAnimationFrame(next);
    }})"""


def log(table: Table, browser: Browser, _: int) -> None:
    """A program that prints ten thousand lines a second, watched live."""
    seconds = 20
    program = (
        "import sys, time\n"
        "time.sleep(4)\n"
        f"for tick in range({seconds} * 20):\n"
        "    began = time.time()\n"
        "    sys.stdout.write(''.join(f'step {tick * 500 + n} loss 0.123456 lr 3e-4\\n' for n in range(500)))\n"
        "    sys.stdout.flush()\n"
        "    time.sleep(max(0, 0.05 - (time.time() - began)))\n"
        "print('that was all')\n"
    )
    with server() as live_one, live_one.client() as client, signed_in(browser, live_one) as context:
        job = client.submit(training("chatter", ["python3", "-c", program], resources=SMALL)).id
        seen = Watched(context)
        seen.page.goto(f"{live_one.url}/jobs/{job}")
        seen.page.get_by_role("log").wait_for()
        eventually(lambda: client.get(job).state == "running")
        seen.page.wait_for_timeout(2500)
        seen.long_tasks()
        before, began = seen.cpu(), time.monotonic()
        seen.page.get_by_text("that was all").first.wait_for(timeout=120_000)
        took = time.monotonic() - began
        spent, long = seen.cpu() - before, seen.long_tasks()
        lines = seconds * 10_000
        table.add(
            "log view, live lines",
            f"{lines / took:,.0f} lines/s taken, {spent / took * 100:.0f} % of a core, "
            f"longest task {max(long, default=0)} ms",
            "10,000 lines/s",
        )


def scroll(table: Table, browser: Browser, _: int) -> None:
    """A log of a million lines, scrolled."""
    with server() as live_one, live_one.client() as client, signed_in(browser, live_one) as context:
        command = f"seq -f 'step %.0f loss 0.123456 accuracy 0.654321 lr 0.0003' 1 {MILLION}"
        job = client.submit(training("million", command, resources=SMALL)).id
        eventually(lambda: client.get(job).state == "completed", 120)
        seen = Watched(context)
        began = time.monotonic()
        seen.page.goto(f"{live_one.url}/jobs/{job}")
        seen.page.get_by_text(f"step {MILLION} loss").first.wait_for(timeout=60_000)
        table.add("log of a million lines: its end on screen", f"{time.monotonic() - began:.2f} s")
        seen.page.wait_for_timeout(1000)
        box = "document.querySelector('[role=log]')"
        frames = 240
        seen.long_tasks()
        before = seen.cpu()
        seen.value(walk(box, frames))
        spent, long = (seen.cpu() - before) / frames * 1000, seen.long_tasks()
        table.add(
            "… scrolled from end to end",
            f"{spent:.1f} ms CPU per frame, longest task {max(long, default=0)} ms",
            "8 ms",
        )
        table.add("… heap", f"{seen.heap() / 2**20:.0f} MB")


def live(table: Table, browser: Browser, minutes: int) -> None:
    """Memory and work of an open page while jobs come and go."""
    with (
        server("--engine", "simulated", "--virtual-nodes", "20x8xA100") as live_one,
        live_one.client() as client,
        signed_in(browser, live_one) as context,
    ):
        coming = Coming(client)
        for path in ("/jobs", "/", "/queue"):
            seen = Watched(context)
            seen.page.goto(f"{live_one.url}{path}")
            seen.page.get_by_role("heading").first.wait_for()
            coming.more(40)
            seen.page.wait_for_timeout(3000)
            heaps, elements = [seen.heap()], seen.elements()
            cpu, began = seen.cpu(), time.monotonic()
            share = minutes * 60 / 3
            while time.monotonic() - began < share:
                coming.more(10)
                if time.monotonic() - began > len(heaps) * share / 10:
                    heaps.append(seen.heap())
            spent = (seen.cpu() - cpu) / (time.monotonic() - began) * 100
            table.add(
                f"{path} over {share / 60:.1f} minutes of jobs that come and go",
                f"heap {heaps[0] / 2**20:.1f} → {heaps[-1] / 2**20:.1f} MB (most {max(heaps) / 2**20:.1f}), "
                f"elements {elements:,.0f} → {seen.elements():,.0f}, {spent:.0f} % of a core",
                "stable",
            )
            seen.close()


class Coming:
    """Jobs that come and go: each runs for a few seconds."""

    def __init__(self, client: Client) -> None:
        self._client, self._count = client, 0

    def more(self, count: int) -> None:
        for _ in range(count):
            self._count += 1
            name = f"churn-{self._count:06d}"
            wanted = {"gpus": 1, "gpu": "A100"}
            self._client.submit(training(name, "true", env={"SIMULATED_RUN_FOR": "3s"}, resources=wanted))
            time.sleep(0.15)


@contextmanager
def server(*options: str) -> Iterator[LiveServer]:
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        live_server(Path(folder), *options) as made,
    ):
        yield made


@contextmanager
def signed_in(browser: Browser, live_one: LiveServer, really: bool = True) -> Iterator[BrowserContext]:
    """A browser without a cache, as an administrator."""
    context = browser.new_context(locale="en", viewport=VIEW)
    try:
        if really:
            _have_account(live_one)
            answer = context.request.post(
                f"{live_one.url}/api/v1/session",
                data={"username": NAME, "password": PASSWORD},
                headers={"Origin": live_one.url},
            )
            assert answer.ok, answer.text()
        yield context
    finally:
        context.close()


def _have_account(live_one: LiveServer) -> None:
    with live_one.client() as client:
        if NAME not in {user.name for user in client.people.list()}:
            client.people.create(NAME, "administrator", password=PASSWORD)


if __name__ == "__main__":
    sys.exit(main())
