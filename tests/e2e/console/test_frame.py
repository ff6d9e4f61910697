"""What holds on every page: languages, themes, keyboard, narrow screens, a server that dies, budgets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.e2e.console.conftest import NAME, Console
from tests.live import training

ROOT = Path(__file__).parents[3]
AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})
    .then(found => JSON.stringify(found.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary])))"""
LOADING = re.compile("Loading|加载")
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
FADED = """Promise.allSettled(document.getAnimations().filter(one => one instanceof CSSTransition)
    .map(one => one.finished))"""
PAGES = [
    "/",
    "/jobs",
    "/jobs/new",
    "/queue",
    "/scores",
    f"/scores/{NAME}",
    "/nodes",
    "/nodes?view=table",
    "/nodes/a100-0",
    "/clusters",
    "/volumes",
    "/volumes/personal",
    "/datasets",
    "/transfers",
    "/transfers?tab=schedules",
    "/profile",
    "/nowhere",
]


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
    """The page shows what it is about: what was asked for has come."""
    page.get_by_role("heading").first.wait_for()
    expect(page.get_by_role("status", name=LOADING)).to_have_count(0)
    page.wait_for_load_state("networkidle")


def show(page: Page, theme: Theme) -> None:
    """Colours between day and night are neither's."""
    page.emulate_media(color_scheme=theme)
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", theme)
    session = page.context.new_cdp_session(page)
    evaluate(session, FADED)
    session.detach()


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_page_is_accessible_by_day_and_night(console: Console, page: Page, language: str) -> None:
    job = console.submit(f"axe-{language}", "echo hello; exit 3")
    page.add_init_script(
        f"localStorage.setItem('danlu.locale', '{language}'); localStorage.setItem('danlu.theme', 'auto')"
    )
    tabs = [f"/jobs/{job}?tab={tab}" for tab in ("logs", "tasks", "events", "plots", "terminal", "spec")]
    for path in [*PAGES, *tabs]:
        page.goto(console.at(path))
        settle(page)
        assert page.locator("html").get_attribute("lang") == language
        for theme in THEMES:
            show(page, theme)
            assert accessibility_problems(page) == [], f"{path}, {theme}"


def test_language_and_theme_follow_the_person_to_another_browser(
    console: Console, page_of: Callable[[str], Page]
) -> None:
    newcomer = console.newcomer()
    page = page_of(newcomer)
    page.goto(console.at("/jobs"))
    page.get_by_role("button", name="Language").click()
    page.get_by_role("menuitemradio", name="中文").click()
    expect(page.get_by_role("heading", name="任务", exact=True)).to_be_visible()
    page.get_by_role("button", name="主题").click()
    page.get_by_role("menuitemradio", name="深色").click()
    page.reload()
    expect(page.get_by_role("heading", name="任务", exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    elsewhere = page_of(newcomer)
    elsewhere.goto(console.at("/queue"))
    expect(elsewhere.get_by_role("heading", name="队列", exact=True)).to_be_visible()
    expect(elsewhere.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def open_palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Command palette").get_by_role("combobox")).to_be_focused()


def test_the_palette_finds_pages_jobs_and_people_by_keyboard_alone(console: Console, page: Page) -> None:
    console.submit("palette-target", "true")
    page.goto(console.at("/nodes"))
    expect(page.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()
    open_palette(page)
    page.keyboard.type("palette-tar")
    expect(page.get_by_role("option", name=re.compile("palette-target"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("palette-target"))).to_be_visible()
    open_palette(page)
    page.keyboard.type("queue")
    page.get_by_role("option", name=re.compile("Queue")).first.wait_for()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/queue"))
    open_palette(page)
    page.keyboard.type("sara")
    person = page.get_by_role("group", name="People").get_by_role("option", name=re.compile("Sara Novak"))
    expect(person).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/users/sara"))
    open_palette(page)
    page.keyboard.type("no such thing anywhere")
    expect(page.get_by_text("Nothing found").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_shortcuts_go_places_and_are_told_on_a_sheet(console: Console, page: Page) -> None:
    page.goto(console.at("/"))
    page.get_by_role("heading", name=re.compile("Hello")).wait_for()
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    assert accessibility_problems(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("/jobs/new"))


def test_the_bell_tells_of_a_job_that_failed_and_forgets_once_seen(
    console: Console, page_of: Callable[[str], Page]
) -> None:
    newcomer = console.newcomer()
    page = page_of(newcomer)
    page.goto(console.at("/nodes"))
    page.get_by_role("heading", name="Nodes", exact=True).wait_for()
    with console.client(newcomer) as client:
        client.submit(training("bad-news", "echo oh no; exit 4"))
    bell = page.get_by_role("button", name=re.compile("News of my jobs, 1 unread"))
    expect(bell).to_be_visible()
    bell.click()
    news = page.get_by_role("dialog", name="News of my jobs")
    expect(news).to_contain_text("bad-news")
    expect(news).to_contain_text("exit code 4")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="News of my jobs", exact=True)).to_be_visible()


def test_the_list_is_walked_with_the_keyboard(console: Console, page: Page) -> None:
    console.submit("keyboard-one", "true")
    page.goto(console.at("/jobs?search=keyboard"))
    expect(page.get_by_role("link", name="keyboard-one")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="keyboard-one")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("keyboard-one"))).to_be_visible()
    page.goto(console.at("/jobs"))
    page.get_by_role("heading", name="Jobs", exact=True).wait_for()
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
