"""The command line as a person runs it, at a whole Danlu on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.live import PATIENCE, LiveServer

Danlu = Callable[..., "subprocess.CompletedProcess[str]"]
COMMAND = [sys.executable, "-m", "danlu.cli.main"]


@pytest.fixture
def place(shared: LiveServer) -> Mapping[str, str]:
    """The environment in which a Danlu of two virtual nodes is up."""
    return {**shared.env(), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def danlu(place: Mapping[str, str], tmp_path: Path) -> Danlu:
    """Run one command line in a folder of the test's own."""

    def run(*args: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *args],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=tmp_path,
            env={**place, **more},
        )

    return run
