"""What holds on every page: languages, themes, keyboard, narrow screens, a server that dies, budgets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.e2e.console.conftest import Console

ROOT = Path(__file__).parents[3]
AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})
    .then(found => JSON.stringify(found.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary])))"""
PAGES = ["/jobs", "/jobs/new", "/nodes", "/profile", "/nowhere"]
FIRST_LOAD_BYTES = 200_000


def evaluate(session: CDPSession, code: str) -> Any:
    """Past the content security policy, which forbids the page itself to evaluate text."""
    asked = {"expression": code, "awaitPromise": True, "returnByValue": True}
    return session.send("Runtime.evaluate", asked)["result"].get("value")


def accessibility_problems(page: Page) -> list[Any]:
    session = page.context.new_cdp_session(page)
    evaluate(session, AXE.read_text())
    found: list[Any] = json.loads(evaluate(session, RUN_AXE))
    session.detach()
    return found


def settle(page: Page) -> None:
    page.get_by_role("heading").first.wait_for()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_page_is_accessible(console: Console, page: Page, language: str, theme: str) -> None:
    job = console.submit(f"axe-{language}-{theme}", "echo hello; exit 3")
    page.add_init_script(
        f"localStorage.setItem('danlu.locale', '{language}'); localStorage.setItem('danlu.theme', '{theme}')"
    )
    for path in [
        *PAGES,
        f"/jobs/{job}",
        f"/jobs/{job}?tab=tasks",
        f"/jobs/{job}?tab=events",
        f"/jobs/{job}?tab=spec",
    ]:
        page.goto(console.at(path))
        settle(page)
        assert accessibility_problems(page) == [], path
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("html").get_attribute("data-mantine-color-scheme") == theme


def test_language_and_theme_are_switched_and_remembered(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs"))
    page.get_by_role("button", name="Language").click()
    page.get_by_role("menuitem", name="中文").click()
    expect(page.get_by_role("heading", name="任务")).to_be_visible()
    page.get_by_role("button", name="切换到深色主题").click()
    page.reload()
    expect(page.get_by_role("heading", name="任务")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_nodes_show_who_runs_what_and_that_they_are_virtual(console: Console, page: Page) -> None:
    job = console.submit("holds-gpus", "sleep 30", resources={"gpus": 4, "gpu": "A100"})
    page.goto(console.at("/nodes"))
    expect(page.get_by_text("virtual", exact=True).first).to_be_visible()
    expect(page.get_by_role("link", name="holds-gpus")).to_be_visible()
    expect(page.get_by_text("4 of 8 in use")).to_be_visible()
    with console.server.client() as client:
        client.stop(job)
    expect(page.get_by_role("link", name="holds-gpus")).to_have_count(0, timeout=15_000)


def test_the_list_is_walked_with_the_keyboard(console: Console, page: Page) -> None:
    console.submit("keyboard-one", "true")
    page.goto(console.at("/jobs?search=keyboard"))
    expect(page.get_by_role("link", name="keyboard-one")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="keyboard-one")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("keyboard-one"))).to_be_visible()
    page.goto(console.at("/jobs"))
    page.get_by_role("heading", name="Jobs").wait_for()
    page.keyboard.press("/")
    expect(page.get_by_label("Search jobs")).to_be_focused()


def test_a_narrow_screen_has_the_navigation_behind_a_button(console: Console, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(console.at("/jobs"))
    expect(page.get_by_role("link", name="Nodes")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Nodes").click()
    expect(page.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()
    wide = evaluate(page.context.new_cdp_session(page), "document.documentElement.scrollWidth")
    assert wide <= 390


def test_a_token_is_shown_once_and_revoked(console: Console, page: Page) -> None:
    page.goto(console.at("/profile"))
    page.get_by_role("button", name="New token").click()
    page.get_by_label("What is it for?").fill("from a test")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text(re.compile("^danlu_"))).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Revoke from a test").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row", name=re.compile("from a test"))).to_have_count(0)


def test_an_open_page_survives_the_death_of_the_server(console: Console, page: Page) -> None:
    job = console.submit("outlives", "i=0; while true; do i=$((i+1)); echo beat $i; sleep 0.2; done")
    page.goto(console.at(f"/jobs/{job}"))
    log = page.get_by_role("log")
    expect(log).to_contain_text("beat 2")
    console.server.kill()
    expect(page.get_by_text("Reconnecting", exact=True)).to_be_visible(timeout=10_000)
    console.server.start()
    expect(page.get_by_text("Reconnecting", exact=True)).to_be_hidden(timeout=30_000)
    expect(page.get_by_text("Live", exact=True)).to_be_visible(timeout=15_000)
    with console.server.client() as client:
        client.stop(job)
    expect(page.get_by_role("heading", name=re.compile("Stopped"))).to_be_visible(timeout=15_000)


def test_the_first_page_is_light(console: Console, page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    files: set[str] = set()
    received: list[int] = []

    def began(event: Any) -> None:
        if "/api/" not in event["request"]["url"]:
            files.add(event["requestId"])

    def ended(event: Any) -> None:
        if event["requestId"] in files:
            received.append(int(event["encodedDataLength"]))

    session.on("Network.requestWillBeSent", began)
    session.on("Network.loadingFinished", ended)
    page.goto(console.at("/jobs"))
    expect(page.get_by_role("heading", name="Jobs")).to_be_visible()
    settle(page)
    assert sum(received) <= FIRST_LOAD_BYTES
