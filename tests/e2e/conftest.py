"""A real server and a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.live import PATIENCE, LiveServer, live_server

# Five seconds are not much for a page on a busy machine; waiting longer costs nothing where all is well.
expect.set_options(timeout=PATIENCE * 1000)

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several workers (`--dist loadgroup`) a file stays on one of them, and those that share a governed Danlu too."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            governed = item.path.parent.name == "governance"
            item.add_marker(pytest.mark.xdist_group("governance" if governed else item.path.stem))
            if item.get_closest_marker("timeout") is None:
                item.add_marker(
                    pytest.mark.timeout(3 * PATIENCE)
                )  # whatever it waits for in vain is told before


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS}


@pytest.fixture(scope="session")
def danlu_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A Danlu that poses as two nodes with eight A100s each."""
    folder: Path = tmp_path_factory.mktemp("danlu")
    with live_server(folder, "--virtual-nodes", "2x8xA100") as server:
        yield server
