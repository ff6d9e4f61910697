"""Two servers behind one address serve one console, and it goes on when one of them dies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.console.conftest import LOOK, NAME, PASSWORD, watched
from tests.halves import Half, Halves, halves
from tests.lines import Line
from tests.live import eventually, training

SMALL = {"cpus": 0.1, "memory": "64MiB"}


@pytest.fixture
def them(tmp_path: Path, postgres_url: str) -> Iterator[Halves]:
    with halves(tmp_path, postgres_url) as started:
        yield started


@pytest.fixture
def replicas(them: Halves) -> list[Half]:
    made = [them.server("server_1"), them.server("server_2")]
    them.controller("controller_1")
    them.client(made[0]).people.create(NAME, "administrator", password=PASSWORD)
    return made


@pytest.fixture
def front(replicas: list[Half]) -> Iterator[Line]:
    """What people call: every connection goes to the next server in turn."""
    ends = [("127.0.0.1", int(half.url.rpartition(":")[2])) for half in replicas]
    line = Line(("127.0.0.1", 0), *ends)
    yield line
    line.close()


def address(front: Line) -> str:
    return f"http://127.0.0.1:{front.address[1]}"


@pytest.fixture
def page(front: Line, browser: Browser) -> Iterator[Page]:
    """Somebody who signed in at whichever server it was."""
    context = browser.new_context(**LOOK)
    with watched(context.new_page()) as opened:
        opened.goto(f"{address(front)}/sign-in")
        opened.get_by_label("User name").fill(NAME)
        opened.get_by_role("textbox", name="Password").fill(PASSWORD)
        opened.get_by_role("button", name="Sign in").click()
        expect(opened).to_have_url(re.compile(r"/$"))
        yield opened
    context.close()


def row(page: Page, name: str) -> Any:
    return page.get_by_role("row", name=re.compile(f"{name}\\b"))


def test_one_console_is_served_by_two_servers_and_outlives_one(
    them: Halves, replicas: list[Half], front: Line, page: Page
) -> None:
    first, second = (them.client(half) for half in replicas)
    page.goto(f"{address(front)}/jobs")
    eventually(lambda: first.machines.nodes.list() and second.machines.nodes.list())
    first.submit(training("at-the-first", "sleep 1", resources=SMALL))
    second.submit(training("at-the-second", "sleep 1", resources=SMALL))
    for name in ("at-the-first", "at-the-second"):
        expect(row(page, name)).to_contain_text("Completed")

    # Whichever server a connection led to, the next one leads to the other, and nothing is shown twice or lost.
    for name in ("turn-one", "turn-two"):
        front.hang_up()
        first.submit(training(name, "sleep 1", resources=SMALL))
        expect(row(page, name)).to_contain_text("Completed")
    assert all(front.counts), f"one of them was never asked: {front.counts}"

    replicas[0].kill()
    second.submit(training("afterwards", "sleep 1", resources=SMALL))
    expect(row(page, "afterwards")).to_contain_text("Completed")
    page.get_by_role("link", name="afterwards").click()
    expect(page.get_by_role("heading", name=re.compile("afterwards.*Completed"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("afterwards.*Completed"))).to_be_visible()
