"""MLflow in an environment of its own, alone on loopback: a console that people know, to measure beside ours."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

VERSION = "3.17.2"


@contextlib.contextmanager
def running() -> Iterator[str]:
    """Its address; installed once per version, under the user's cache directory."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        bin_ = _installed() / "bin"
        command = [
            str(bin_ / "mlflow"),
            "server",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--workers",
            "1",
        ]
        env = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}", "DO_NOT_TRACK": "true"}
        with (Path(folder) / "log").open("wb") as log:
            store = ["--backend-store-uri", f"sqlite:///{folder}/mlflow.db"]
            server = subprocess.Popen(
                [*command, *store], env=env, cwd=folder, stdout=log, stderr=log, start_new_session=True
            )
        try:
            _await(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(timeout=20)


def _installed() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = cache / "danlu" / f"mlflow-{VERSION}"
    if not (place / "complete").exists():
        print(f"  installing MLflow {VERSION} into {place} …", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        install = [str(place / "bin" / "pip"), "install", "-q", "--no-input", f"mlflow=={VERSION}"]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        (place / "complete").touch()
    return place


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RuntimeError(f"MLflow ended with {server.returncode}")
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.5)
    raise TimeoutError("MLflow did not come up")
