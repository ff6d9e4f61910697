"""A real S3 server for tests and benches: OpenStack Swift with its S3 API, on loopback, storing in a temporary
directory. It tells a wrong secret from a right one, and who may write from who may only read."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tools.dev.environments import environment

REGION = "us-east-1"
_PROGRAM = Path(__file__).with_name("swift_server.py")
_PATIENCE_S = 110


class S3Login(NamedTuple):
    key: str
    secret: str


@dataclass
class S3Server:
    """A running server. `owner` may do everything, `reader` only read what is in buckets made with `readable`."""

    place: Path
    process: subprocess.Popen[bytes]
    owner: S3Login
    reader: S3Login
    port: int = 0
    region: str = REGION
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def bucket(self, *, readable: bool = True) -> str:
        """Make a fresh, empty bucket; returns its name."""
        name = f"test-{os.getpid()}-{next(self._numbers)}"
        acl = {"x-amz-acl": "public-read"} if readable else {}
        self.ask("PUT", f"/{name}", acl)
        return name

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b"") -> bytes:
        """One signed request of the owner's, by the rules of AWS Signature 4: no client stands in between. The path is
        quoted already."""
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        host = f"127.0.0.1:{self.port}"
        digest = hashlib.sha256(body).hexdigest()
        signed = {**(headers or {}), "host": host, "x-amz-content-sha256": digest, "x-amz-date": now}
        names = ";".join(sorted(signed))
        lines = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
        canonical = f"{method}\n{path}\n\n{lines}\n{names}\n{digest}"
        scope = f"{now[:8]}/{REGION}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key = f"AWS4{self.owner.secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        who = f"AWS4-HMAC-SHA256 Credential={self.owner.key}/{scope}, SignedHeaders={names}, Signature={signature}"
        request = urllib.request.Request(
            self.endpoint + path, data=body or None, method=method, headers={**signed, "Authorization": who}
        )
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer:
            found: bytes = answer.read()
        return found

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.place, ignore_errors=True)


def start_s3(home: Path | None = None) -> S3Server:
    """Make and start a server; the caller stops it. `home` is the environment with Swift in it."""
    python = (home or environment("swift")) / "bin" / "python"
    place = Path(tempfile.mkdtemp(prefix="danlu-s3-"))
    owner = S3Login("danlu:owner", secrets.token_hex(16))
    reader = S3Login("danlu:reader", secrets.token_hex(16))
    env = {**os.environ, "S3_OWNER_SECRET": owner.secret, "S3_READER_SECRET": reader.secret}
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            # Isolated, or modules beside the program would hide those of the standard library.
            [python, "-I", _PROGRAM, place / "swift"],
            stdout=log,
            stderr=log,
            env=env,
            cwd=place,
            start_new_session=True,
        )
    server = S3Server(place, process, owner, reader)
    try:
        _wait_until_it_answers(server)
    except BaseException:
        server.stop()
        raise
    return server


def _wait_until_it_answers(server: S3Server) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    port = server.place / "swift" / "port"
    while True:
        if port.exists():
            server.port = int(port.read_text())
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{server.endpoint}/healthcheck"):
                return
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(0.05)
        if server.process.returncode is not None or time.monotonic() > deadline:
            raise RuntimeError(f"Swift did not start:\n{(server.place / 'log').read_text()}")
