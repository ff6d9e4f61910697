"""A server whose answers the test decides, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk import Client
from tests.fakes.http_server import FakeServer


@pytest.fixture(autouse=True)
def nobodys_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DANLU_CONFIG_DIR", str(tmp_path / "config"))
    for name in ("DANLU_URL", "DANLU_TOKEN", "DANLU_DEBUG", "LANG", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    found = FakeServer()
    yield found
    found.close()


@pytest.fixture
def client(server: FakeServer) -> Iterator[Client]:
    with Client(url=server.url, token="danlu_secret", timeout=5) as found:
        yield found
