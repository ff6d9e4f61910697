"""A Danlu of its own, since governing it changes what everybody may do; its people may come through a provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from danlu.sdk import Client
from tests.e2e.console.conftest import NAME, Console, peopled, state_of
from tests.fakes.provider import RunningProvider, provider
from tests.live import live_server

NODES = "2x8xA100,1x4xT4"


@pytest.fixture(scope="session")
def organisation() -> Iterator[RunningProvider]:
    """Where people have accounts already."""
    with provider() as running:
        yield running


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory, organisation: RunningProvider) -> Iterator[Console]:
    sign_in = {
        "name": "corp",
        "title": "Corp",
        "issuer": organisation.issuer,
        "client_id": "danlu",
        "client_secret": "s3cret",
    }
    folder = tmp_path_factory.mktemp("governed")
    with live_server(folder, "--virtual-nodes", NODES, DANLU_OIDC=json.dumps([sign_in])) as server:
        yield peopled(server)


@pytest.fixture(scope="session")
def base_url(console: Console) -> str:
    """Its own, so that the other Danlu is not started for nothing."""
    return console.server.url


@pytest.fixture(scope="session")
def signed_in(console: Console, browser: Browser) -> Any:
    return state_of(browser, console, NAME)


@pytest.fixture
def admin(console: Console) -> Iterator[Client]:
    """Whoever governs, past the browser."""
    with console.server.client() as client:
        yield client
