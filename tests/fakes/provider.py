"""A real OpenID Connect provider, in a process of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.live import eventually


@dataclass(frozen=True)
class RunningProvider:
    issuer: str
    process: subprocess.Popen[bytes]

    def knows(self, sub: str, **claims: Any) -> None:
        httpx.put(f"{self.issuer}/users/{sub}", json={"sub": sub, **claims}).raise_for_status()

    def approve(self, address: str, sub: str) -> str:
        """Sign in at the page that a browser was sent to; the address it is sent back to."""
        answer = httpx.post(address, data={"sub": sub})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)


@contextmanager
def provider() -> Iterator[RunningProvider]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "oidc_provider_mock",
        "--port",
        str(port),
        "--require-nonce",
        "true",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    running = RunningProvider(f"http://127.0.0.1:{port}", process)
    try:
        eventually(lambda: _answers(running.issuer))
        yield running
    finally:
        running.end()


def _answers(issuer: str) -> bool:
    try:
        about = httpx.get(f"{issuer}/.well-known/openid-configuration", timeout=2)
    except httpx.TransportError:
        return False
    return bool(json.loads(about.text)["issuer"] == issuer)


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
