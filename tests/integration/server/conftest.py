"""One served world per module, and clients that say who they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.server import World, served, world
from tests.live import PATIENCE

Ask = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world")) as made:
        yield made


@pytest.fixture(scope="module")
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=PATIENCE) as made:
        yield made


@pytest.fixture
def ask(client: httpx.Client, here: World) -> Ask:
    """A request as somebody: ask("eve", "GET", "jobs")."""

    def asked(name: str | None, method: str, path: str, **more: object) -> httpx.Response:
        headers = {**(here.bearer(name) if name else {}), **more.pop("headers", {})}  # type: ignore[dict-item]
        address = path if path.startswith("/") else f"/api/v1/{path}"
        return client.request(method, address, headers=headers, **more)  # type: ignore[arg-type]

    return asked


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    """A world of the test's own."""
    with world(tmp_path) as made:
        yield made
