"""What a task writes for TensorBoard reaches Danlu over the network: a real process, real files, a real HTTP server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.live import PATIENCE
from tools.dev.places import ROOT

WRITTEN = ROOT / "tests/unit/runtime/training/tensorboard/torch.tfevents"
PROGRAM = [sys.executable, "-m", "danlu.runtime.report_files"]


class Danlu(ThreadingHTTPServer):
    """Takes what it is told, after so many refusals."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.tokens: set[str] = set()
        self.refuse: list[int] = []
        super().__init__(("127.0.0.1", 0), _Desk)

    @property
    def points(self) -> list[list[Any]]:
        return [point for body in self.told for point in body["metrics"]]


class _Desk(BaseHTTPRequestHandler):
    server: Danlu

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        code = self.server.refuse.pop(0) if self.server.refuse else 204
        if code == 204:
            assert self.path == "/api/v1/task/reports"
            self.server.told.append(body)
            self.server.tokens.add(self.headers["Authorization"])
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def danlu() -> Iterator[Danlu]:
    with Danlu() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def reporter(folder: Path, danlu: Danlu, task: str = "", **env: str) -> Iterator[subprocess.Popen[bytes]]:
    told = {
        "DANLU_URL": f"http://127.0.0.1:{danlu.server_port}",
        "DANLU_TASK_TOKEN": "danlu_task_x",
        "DANLU_RUN": "worker-1-r1",
        "DANLU_ATTEMPT": "3",
        **env,
    }
    process = subprocess.Popen([*PROGRAM, task or str(os.getpid())], cwd=folder, env={**os.environ, **told})
    try:
        until(lambda: listens(process.pid) or process.poll() is not None)
        yield process
    finally:
        process.kill()
        process.wait()


def listens(pid: int) -> bool:
    """Whether it would survive SIGUSR1."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = int(next(line for line in lines if line.startswith("SigCgt")).split()[1], 16)
    return bool(caught >> (signal.SIGUSR1 - 1) & 1)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def write(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    shutil.copy(WRITTEN, folder / "events.out.tfevents.1.host")


def test_the_last_numbers_are_told_when_the_task_is_over(tmp_path: Path, danlu: Danlu) -> None:
    with reporter(tmp_path, danlu) as process:
        write(tmp_path / "runs")
        process.send_signal(signal.SIGUSR1)
        assert process.wait(PATIENCE) == 0
    assert [(step, values) for _, step, values in danlu.points][:2] == [
        (0, {"loss/train": 1.0}),
        (1, {"loss/train": 0.5}),
    ]
    assert danlu.points[-1][2] == {"loss/train": "nan"}
    assert {(body["task"], body["attempt"]) for body in danlu.told} == {("worker-1-r1", 3)}
    assert danlu.tokens == {"Bearer danlu_task_x"}


def test_a_task_that_was_over_already_is_told_of_at_once(tmp_path: Path, danlu: Danlu) -> None:
    write(tmp_path)
    with reporter(tmp_path, danlu, task="4194305") as process:
        assert process.wait(PATIENCE) == 0
    assert len(danlu.points) == 6


def test_a_task_that_is_asked_to_leave_is_looked_at_at_once_and_until_it_has(
    tmp_path: Path, danlu: Danlu
) -> None:
    kept = tmp_path / "kept"
    with reporter(tmp_path, danlu, DANLU_CHECKPOINT_DIR=str(kept)) as process:
        write(kept)
        process.send_signal(signal.SIGTERM)
        until(lambda: len(danlu.points) == 6)
        assert process.poll() is None
        process.send_signal(signal.SIGUSR1)
        assert process.wait(PATIENCE) == 0
    assert len(danlu.points) == 6


def test_what_danlu_could_not_take_is_told_again(tmp_path: Path, danlu: Danlu) -> None:
    danlu.refuse = [503]
    with reporter(tmp_path, danlu) as process:
        write(tmp_path)
        process.send_signal(signal.SIGTERM)
        until(lambda: not danlu.refuse)
        assert danlu.points == []
        process.send_signal(signal.SIGUSR1)
        assert process.wait(PATIENCE) == 0
    assert len(danlu.points) == 6


def test_whoever_is_told_to_go_away_does(tmp_path: Path, danlu: Danlu) -> None:
    danlu.refuse = [401, 204]
    with reporter(tmp_path, danlu) as process:
        write(tmp_path)
        process.send_signal(signal.SIGTERM)
        until(lambda: danlu.refuse == [204])
        write(tmp_path / "more")
        process.send_signal(signal.SIGUSR1)
        assert process.wait(PATIENCE) == 0
    assert danlu.points == []


@pytest.mark.parametrize(("folder", "env"), [("/", {}), (".", {"DANLU_TASK_TOKEN": ""})])
def test_without_a_folder_or_a_way_to_danlu_it_ends_at_once(
    tmp_path: Path, danlu: Danlu, folder: str, env: dict[str, str]
) -> None:
    with reporter(tmp_path / folder, danlu, **env) as process:
        assert process.wait(PATIENCE) == 0
