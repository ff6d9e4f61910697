"""A real Chromium to measure in: what a page fetches, how long its thread works, which tasks are long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS

_LONG_TASKS = """
globalThis.danluLongTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.danluLongTasks.push(Math.round(entry.duration));
}).observe({ type: 'longtask', buffered: true });
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, "--js-flags=--expose-gc"]
        )
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page with a hand on its pulse."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.page.add_init_script(_LONG_TASKS)
        self.cdp: CDPSession = context.new_cdp_session(self.page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.cdp.send("Network.enable")
        self.received = 0
        self._files: set[str] = set()
        self.cdp.on("Network.requestWillBeSent", self._began)
        self.cdp.on("Network.loadingFinished", self._ended)

    def value(self, code: str) -> Any:
        """Past the content security policy, which forbids the page itself to evaluate text."""
        asked = {"expression": code, "awaitPromise": True, "returnByValue": True}
        return self.cdp.send("Runtime.evaluate", asked)["result"].get("value")

    def cpu(self) -> float:
        """Seconds the page's main thread has worked."""
        return self._metric("TaskDuration")

    def heap(self) -> float:
        """Bytes in use after a collection."""
        self.cdp.send("HeapProfiler.collectGarbage")
        return self._metric("JSHeapUsedSize")

    def elements(self) -> float:
        return self._metric("Nodes")

    def long_tasks(self) -> list[int]:
        """Their lengths in milliseconds, since the last time this was asked."""
        found: list[int] = self.value("globalThis.danluLongTasks.splice(0)") or []
        return found

    def close(self) -> None:
        self.page.close()

    def _metric(self, name: str) -> float:
        metrics = self.cdp.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == name))

    def _began(self, event: Any) -> None:
        if "/api/" not in event["request"]["url"]:
            self._files.add(event["requestId"])

    def _ended(self, event: Any) -> None:
        if event["requestId"] in self._files:
            self.received += int(event["encodedDataLength"])


def until(check: Any, seconds: float, pause: float = 0.1) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        if time.monotonic() > deadline:
            raise TimeoutError(f"did not come true within {seconds} s")
        time.sleep(pause)
