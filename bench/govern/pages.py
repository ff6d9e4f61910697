"""The pages of governance in a real browser: until they can be used, with nothing in the cache."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser

from bench.browser import Watched
from bench.console import signed_in
from tests.live import LiveServer

PAGES = {
    "/panel": "text=A100",
    "/users": "text=user0000",
    "/groups": "text=team-00",
    "/projects": "text=project-00",
    "/requests": "text=for the next paper",
    "/nodes": "[data-node]",
    "/flavors": "text=a100-1-1",
    "/quotas": "table >> text=team-00",
    "/audit": "table >> text=admin",
}
"""Each with something of what it shows."""
_VISITS = 5


@dataclass(frozen=True)
class Visited:
    path: str
    seconds: float
    least: float
    cpu: float


def visit_all(browser: Browser, live: LiveServer) -> Iterator[Visited]:
    for path, something in PAGES.items():
        visits = [_visit(browser, live, path, something) for _ in range(_VISITS)]
        yield Visited(
            path,
            statistics.median(seconds for seconds, _ in visits),
            min(seconds for seconds, _ in visits),
            statistics.median(cpu for _, cpu in visits),
        )


def _visit(browser: Browser, live: LiveServer, path: str, something: str) -> tuple[float, float]:
    """Seconds until what it is about is there, and seconds of its thread's work until nothing loads any more."""
    with signed_in(browser, live) as context:
        seen = Watched(context)
        began = time.perf_counter()
        seen.page.goto(f"{live.url}{path}", wait_until="commit")
        main = seen.page.get_by_role("main")
        main.locator(something).first.wait_for(timeout=60_000)
        main.get_by_role("status", name="Loading").first.wait_for(state="detached", timeout=60_000)
        took = time.perf_counter() - began
        seen.page.wait_for_timeout(500)
        cpu = seen.cpu()
        seen.close()
        return took, cpu
