"""A signed-in person before the console; any error on the page fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response

from tests.live import LiveServer, training

NAME, PASSWORD = "lin", "a long enough password"


@dataclass(frozen=True)
class Console:
    """The console of one server, and jobs to look at in it."""

    server: LiveServer

    def at(self, path: str) -> str:
        return f"{self.server.url}{path}"

    def submit(self, name: str, command: str, **keys: Any) -> str:
        """Submit a job as the first administrator; its id."""
        with self.server.client() as client:
            return str(client.submit(training(name, command, **keys)).id)


@pytest.fixture(scope="session")
def base_url(danlu_server: LiveServer) -> str:
    return danlu_server.url


@pytest.fixture(scope="session")
def console(danlu_server: LiveServer) -> Console:
    with danlu_server.client() as client:
        client.create_user(NAME, "administrator", password=PASSWORD, display_name="Lin Yue")
    return Console(danlu_server)


@pytest.fixture(scope="session")
def signed_in(console: Console, browser: Browser) -> Any:
    """What a browser keeps of a signed-in person: signing in once is enough for all tests."""
    context = browser.new_context(locale="en")
    page = context.new_page()
    page.goto(console.at("/sign-in"))
    page.get_by_label("User name").fill(NAME)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/jobs")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, Any], request: pytest.FixtureRequest
) -> dict[str, Any]:
    """English and light, signed in; a test marked `stranger` begins before the sign-in."""
    look = {"locale": "en", "color_scheme": "light", "viewport": {"width": 1360, "height": 850}}
    if "stranger" in request.fixturenames:
        return {**browser_context_args, **look}
    return {**browser_context_args, **look, "storage_state": request.getfixturevalue("signed_in")}


@pytest.fixture
def stranger() -> None:
    """Nobody is signed in."""


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """Fails on whatever goes wrong inside the page, unless the test says that it expects it."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("console", lambda said: wrong.extend(complaint(said)))
    page.on("response", lambda answer: wrong.extend(breakdown(answer)))
    yield page
    assert wrong == []


def complaint(said: ConsoleMessage) -> list[str]:
    # The browser itself reports refusals and lost connections; the page shows those to people.
    own = said.type in ("error", "warning") and not said.text.startswith(
        ("Failed to load resource", "WebSocket")
    )
    return [f"{said.type}: {said.text}"] if own else []


def breakdown(answer: Response) -> list[str]:
    return [f"{answer.status} {answer.url}"] if answer.status >= 500 else []
