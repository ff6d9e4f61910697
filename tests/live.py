"""A real `danlu up` for tests: its own data directory and port, killed and started again at will."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from danlu.ports import supervision
from danlu.sdk import Client

# How long a test waits for what must come: less than what pytest calls a hang. A busy machine is no defect, and where all
# is well nobody waits.
PATIENCE = 100.0
_READY = re.compile(r"Danlu is ready at (\S+)")
_LINK = re.compile(r"sign in once\s+(\S+)")


class LiveServer:
    """One data directory and the Danlu on it; `start` after `kill` comes back on the same port."""

    def __init__(self, root: Path, *options: str, **variables: str) -> None:
        self.root, self.data, self._options = root, root / "data", options
        self._variables = variables
        self.config = root / "config"
        self.port = 0
        self.url = ""
        self.sign_in_link: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: list[Client] = []

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def env(self) -> dict[str, str]:
        """The environment in which `danlu …` finds this server."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DANLU_")}
        return {**kept, "DANLU_CONFIG_DIR": str(self.config), "NO_COLOR": "1", **self._variables}

    def command(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "danlu.cli.main", *args]

    def start(self) -> None:
        command = self.command("up", "--data", str(self.data), "--port", str(self.port), *self._options)
        log = self.root / "up.log"
        began = len(log.read_text()) if log.exists() else 0
        with log.open("a") as output:
            self._process = subprocess.Popen(command, env=self.env(), stdout=output, stderr=subprocess.STDOUT)
        said = self._await_ready(began)
        self.url = _READY.search(said)[1]  # type: ignore[index]
        self.port = int(self.url.rpartition(":")[2])
        link = _LINK.search(said)
        self.sign_in_link = link[1] if link else None

    def kill(self) -> None:
        """As a power cut would, but for this process only."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def interrupt(self) -> int:
        """Ctrl-C, and how it exited."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(timeout=PATIENCE)

    def client(self) -> Client:
        """As the administrator that `danlu up` made a token for."""
        client = Client(url=self.url, token=self._token())
        self._clients.append(client)
        return client

    def cli(
        self, *args: str, cwd: Path | None = None, stdin: str = "", timeout: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*args), env=self.env(), cwd=cwd or self.root, input=stdin, capture_output=True,
            text=True, timeout=timeout,
        )  # fmt: skip

    def clean_up(self) -> None:
        """End everything this server started: its jobs, its launcher, itself."""
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(Exception):
                self._stop_jobs()
            self.interrupt()
        runs = self.data / "runs"
        for task in runs.glob("*/*/"):
            supervision.request_stop(str(task), 0, "test over")
        with contextlib.suppress(OSError):
            supervision.ask_launcher(str(runs), {"quit": True})
        for client in self._clients:
            client.close()

    def _stop_jobs(self) -> None:
        with self.client() as client:
            for job in list(client.jobs(state=["queued", "starting", "running"])):
                client.stop(job.id)

    def _token(self) -> str:
        return re.search(r'token = "(\S+)"', (self.config / "config.toml").read_text())[1]  # type: ignore[index]

    def _await_ready(self, began: int) -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            said = (self.root / "up.log").read_text()[began:]
            if "Ctrl-C stops Danlu" in said:
                return said
            assert self._process is not None
            if self._process.poll() is not None:
                raise AssertionError(f"danlu up ended with {self._process.returncode}:\n{said}")
            time.sleep(0.02)
        raise AssertionError(f"danlu up did not get ready:\n{said}")


@contextlib.contextmanager
def live_server(root: Path, *options: str, **variables: str) -> Iterator[LiveServer]:
    server = LiveServer(root, *options, **variables)
    try:
        server.start()
        yield server
    finally:
        server.clean_up()


def training(name: str, command: Any, **keys: Any) -> dict[str, Any]:
    return {"kind": "training", "name": name, "command": command, **keys}


def eventually(check: Any, seconds: float = PATIENCE) -> Any:
    """What `check` returns once it is true; at most so long."""
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"did not come true within {seconds} s; last: {result!r}")
        time.sleep(0.05)
