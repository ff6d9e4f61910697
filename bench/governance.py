"""`./dev bench governance [section…] [--database postgres] [--keep FOLDER] [--quick]`: the lists and panels of a large
organisation, served by the real thing.

10,000 nodes, 100,000 jobs, 2,000 people and a history of three months are written to a database, and `danlu up` with
simulated nodes is started on it: its control plane decides and records while it is asked. Wall times are of this run;
the server's CPU is what one request adds to what it does anyway."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bench.browser import chromium
from bench.govern.asking import Asker, follow_chain, questions
from bench.govern.ground import Ground, ground
from bench.govern.pages import visit_all
from bench.govern.queries import queries, timed
from bench.govern.size import QUICK, Size
from bench.table import Table
from tests.live import LiveServer


def main() -> int:
    sections: dict[str, Callable[[Table, Place], None]] = {
        "store": store,
        "requests": requests,
        "pages": pages,
    }
    parser = argparse.ArgumentParser(prog="./dev bench governance", description=__doc__)
    parser.add_argument("sections", nargs="*", choices=[[], *sections], default=[])
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--keep", type=Path, help="a folder: filled the first time, used again after that")
    parser.add_argument(
        "--quick", action="store_true", help="a small organisation: whether it works, not how fast"
    )
    options = parser.parse_args()
    table = Table(f"./dev bench governance --database {options.database}")
    size = QUICK if options.quick else Size()
    print(f"{size.nodes:,} nodes, {size.jobs:,} jobs, {size.users:,} people …", flush=True)
    with ground(size, options.database, options.keep) as made, ExitStack() as stack:
        place = Place(made, stack)
        for name in options.sections or sections:
            print(f"{name} … (load {os.getloadavg()[0]:.1f})", flush=True)
            sections[name](table, place)
    print("\n" + table.render())
    return 0


class Place:
    """The organisation, and its server from when it is first needed."""

    def __init__(self, made: Ground, stack: ExitStack) -> None:
        self.made, self._stack = made, stack
        self._live: LiveServer | None = None

    @property
    def live(self) -> LiveServer:
        if self._live is None:
            self._live = self._stack.enter_context(self.made.server())
        return self._live


def store(table: Table, place: Place) -> None:
    """The store's own methods, in this process; with nobody else at the database, when it is the first section."""
    with place.made.store() as opened:
        for words, query in queries(opened, place.made.size, time.time_ns() // 1_000_000):
            found = timed(query)
            table.add(
                words, f"p50 {found.median:.1f} ms, p95 {found.p95:.1f} ms, {found.cpu:.1f} ms CPU", "50 ms"
            )


def requests(table: Table, place: Place) -> None:
    """Whole answers of the running server."""
    asker = Asker(place.made, place.live)
    table.add("server, nobody asks", f"{asker.idle * 100:.0f} % of a core, {asker.memory():.0f} MB")
    for question in questions(time.time_ns() // 1_000_000):
        found = asker.ask(question)
        table.add(
            f"{question.name}: {question.words.strip()}",
            f"p50 {found.median:.1f} ms, p95 {found.p95:.1f} ms, least {found.least:.1f} ms, "
            f"{found.cpu:.1f} ms CPU; first {found.first:.0f} ms, {found.size / 1000:.1f} kB",
            "1 s",
        )
    with place.live.client() as client:
        rate = follow_chain(client, place.made.size.audit)
    table.add("audit chain, entries verified per second", f"{rate:,.0f}")
    table.add("server memory after all that", f"{asker.memory():.0f} MB")


def pages(table: Table, place: Place) -> None:
    """The console as an administrator sees it, cold cache."""
    live = place.live
    with chromium() as browser:
        for seen in visit_all(browser, live):
            table.add(
                f"{seen.path}: usable after",
                f"{seen.seconds:.2f} s (least {seen.least:.2f} s), main thread {seen.cpu * 1000:.0f} ms",
                "1 s",
            )


if __name__ == "__main__":
    sys.exit(main())
