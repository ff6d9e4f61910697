"""A whole Danlu on this machine, and the command line as a person runs it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

Danlu = Callable[..., "subprocess.CompletedProcess[str]"]
COMMAND = [sys.executable, "-m", "danlu.cli.main"]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The environment in which a Danlu of two virtual nodes is up."""
    root = tmp_path_factory.mktemp("danlu")
    env = {key: value for key, value in os.environ.items() if not key.startswith("DANLU_")}
    env.update(DANLU_CONFIG_DIR=str(root / "config"), NO_COLOR="1", LC_ALL="C.UTF-8")
    said = root / "up.txt"
    words = [*COMMAND, "up", "--port", "0", "--data", str(root / "data"), "--virtual-nodes", "2x8xA100"]
    with said.open("w") as out:
        server = subprocess.Popen(words, env=env, stdout=out, stderr=subprocess.STDOUT, cwd=root)
    try:
        _wait_until(lambda: "ready at" in said.read_text() or server.poll() is not None, 60)
        assert server.poll() is None, said.read_text()
        yield env
    finally:
        # Whatever a failed test left running would outlive the server, and so would its launcher without a folder.
        listed = subprocess.run([*COMMAND, "ls", "-q", "--active"], env=env, capture_output=True, text=True)
        for job in listed.stdout.split():
            subprocess.run([*COMMAND, "rm", "--force", "-y", job], env=env, check=False, timeout=60)
        server.send_signal(signal.SIGINT)
        server.wait(30)
        shutil.rmtree(root)


@pytest.fixture
def danlu(place: Mapping[str, str], tmp_path: Path) -> Danlu:
    """Run one command line in a folder of the test's own."""

    def run(*args: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *args],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**place, **more},
        )

    return run


def _wait_until(true: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)
