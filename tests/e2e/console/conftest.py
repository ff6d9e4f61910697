"""Signed-in people before the console; any error on a page fails the test."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response

from danlu.sdk import Client
from tests.live import PATIENCE, LiveServer, training

NAME, PASSWORD = "lin", "a long enough password"
ENGINEER, OTHER = "sara", "wang"
LOOK: Any = {"locale": "en", "color_scheme": "light", "viewport": {"width": 1360, "height": 850}}
PEOPLE = {
    NAME: ("administrator", "Lin Yue"),
    ENGINEER: ("engineer", "Sara Novak"),
    OTHER: ("engineer", "Wang Hao"),
}


@dataclass(frozen=True)
class Console:
    """The console of one server, and jobs to look at in it."""

    server: LiveServer

    def at(self, path: str) -> str:
        return f"{self.server.url}{path}"

    def submit(self, name: str, command: str | list[str], **keys: Any) -> str:
        """Submit a job as the first administrator; its id."""
        with self.server.client() as client:
            return str(client.submit(training(name, command, **keys)).id)

    def newcomer(self, display_name: str = "") -> str:
        """An engineer who has done nothing yet; their name."""
        name = f"new-{secrets.token_hex(4)}"
        with self.server.client() as client:
            client.people.create(name, "engineer", password=PASSWORD, display_name=display_name)
        return name

    def client(self, name: str) -> Client:
        """As one of the people, by a token that they make for themselves."""
        with httpx.Client(
            base_url=f"{self.server.url}/api/v1", headers={"Origin": self.server.url}, timeout=PATIENCE
        ) as http:
            session = http.post("/session", json={"username": name, "password": PASSWORD}).json()
            made = http.post(
                "/tokens",
                json={"name": f"test {secrets.token_hex(4)}"},
                headers={"X-CSRF-Token": session["csrf"]},
            )
        return Client(url=self.server.url, token=made.json()["secret"])


@pytest.fixture(scope="session")
def base_url(danlu_server: LiveServer) -> str:
    return danlu_server.url


@pytest.fixture(scope="session")
def console(danlu_server: LiveServer) -> Console:
    return peopled(danlu_server)


def peopled(server: LiveServer) -> Console:
    """With those who use it."""
    with server.client() as client:
        for name, (role, display) in PEOPLE.items():
            client.people.create(name, role, password=PASSWORD, display_name=display)
    return Console(server)


@pytest.fixture(scope="session")
def signed_in(console: Console, browser: Browser) -> Any:
    """What a browser keeps of a signed-in person: signing in once is enough for all tests."""
    return state_of(browser, console, NAME)


@pytest.fixture
def page_of(console: Console, browser: Browser) -> Iterator[Callable[[str], Page]]:
    """A page of another person, in a browser of their own."""
    with contextlib.ExitStack() as opened:

        def open_page(name: str) -> Page:
            context = browser.new_context(storage_state=state_of(browser, console, name), **LOOK)
            opened.callback(context.close)
            return opened.enter_context(watched(context.new_page()))

        yield open_page


def state_of(browser: Browser, console: Console, name: str) -> Any:
    """What a browser keeps of a person who signed in."""
    context = browser.new_context()
    answer = context.request.post(
        console.at("/api/v1/session"),
        data={"username": name, "password": PASSWORD},
        headers={"Origin": console.server.url},
    )
    assert answer.ok, answer.text()
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, Any], request: pytest.FixtureRequest
) -> dict[str, Any]:
    """English and light, signed in; a test marked `stranger` begins before the sign-in."""
    if "stranger" in request.fixturenames:
        return {**browser_context_args, **LOOK}
    return {**browser_context_args, **LOOK, "storage_state": request.getfixturevalue("signed_in")}


@pytest.fixture
def stranger() -> None:
    """Nobody is signed in."""


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    with watched(page):
        yield page


@contextlib.contextmanager
def watched(page: Page) -> Iterator[Page]:
    """Fails on whatever goes wrong inside the page."""
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
