"""What the console may weigh."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console
from tools.dev.node import ensure_node

ROOT = Path(__file__).parents[3]
FIRST_LOAD = [("/", "Hello", 200_000), ("/jobs", "Jobs", 218_000)]
"""What a first visit may transfer, in bytes."""


@pytest.mark.parametrize(("path", "heading", "most"), FIRST_LOAD)
def test_the_first_page_is_light(console: Console, page: Page, path: str, heading: str, most: int) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    files: set[str] = set()
    received: list[int] = []

    def began(event: Any) -> None:
        if "/api/" not in event["request"]["url"]:
            files.add(event["requestId"])

    def ended(event: Any) -> None:
        if event["requestId"] in files:
            received.append(int(event["encodedDataLength"]))

    session.on("Network.requestWillBeSent", began)
    session.on("Network.loadingFinished", ended)
    page.goto(console.at(path))
    expect(page.get_by_role("heading", name=heading).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sum(received) <= most


def test_every_page_keeps_to_its_budget() -> None:
    """By the build itself: what a first visit to each page fetches, compressed."""
    node = str(ensure_node() / "bin" / "node")
    measured = subprocess.run(
        [node, "build/size.mjs"], cwd=ROOT / "console", capture_output=True, text=True, check=False
    )
    assert measured.returncode == 0, measured.stdout + measured.stderr
    assert measured.stdout.count("ok ") >= 10
