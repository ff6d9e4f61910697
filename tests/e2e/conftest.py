"""A real server and a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live import LiveServer, live_server

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


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS}


@pytest.fixture(scope="session")
def danlu_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A Danlu that poses as two nodes with eight A100s each."""
    folder: Path = tmp_path_factory.mktemp("danlu")
    with live_server(folder, "--virtual-nodes", "2x8xA100") as server:
        yield server
