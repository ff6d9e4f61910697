"""Every page where one governs: in Chinese without a word of English, accessible by day and night, whole on a phone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from danlu.sdk import Client
from tests.e2e.console.conftest import ENGINEER, NAME, OTHER, Console
from tests.e2e.console.test_frame import ROOT, THEMES, accessibility_problems, evaluate, settle, show

HOUR_MS = 3_600_000
DESK: Any = {"width": 1360, "height": 850}
PHONE: Any = {"width": 390, "height": 844}
PAGES = [
    "/users",
    f"/users/{ENGINEER}",
    "/groups",
    "/groups/looks",
    "/projects",
    "/projects/looks",
    "/requests",
    "/profile",
    "/flavors",
    "/pools",
    "/nodes/a100-0",
    "/quotas",
    "/priorities",
    "/audit",
    "/panel",
    "/volumes",
    "/volumes?tab=trash",
    "/volumes/personal",
    "/volumes/looks",
    "/volumes/looks?tab=sharing",
    "/volumes/looks?tab=use",
    "/volumes/looks?tab=settings",
]
SENTENCE = re.compile(r"[A-Za-z]+(?: [a-z]+){2,}")
"""Names and units stay as they are; three words in a row are a sentence that nobody translated."""


@pytest.fixture(scope="module")
def furnished(console: Console) -> Iterator[None]:
    """One of each thing, so that no page is empty."""
    with (
        console.server.client() as admin,
        console.client(OTHER) as wang,
        console.client(NAME) as lin,
    ):
        furnish(admin)
        lin.volumes.create("looks", "1GiB")
        lin.volumes.share("looks", user=OTHER)
        asked = [
            wang.projects.requests.join("looks"),
            wang.projects.requests.ask_for_quota({"single": {"gpus": 9}}),
        ]
        yield
        for request in asked:
            wang.projects.requests.withdraw(request.id)
        lin.volumes.delete("looks")
        clear(admin)


def furnish(admin: Client) -> None:
    start = int(time.time() * 1000) + 48 * HOUR_MS
    admin.flavors.create("looks", {"cpus": 2, "memory": "4GiB", "gpus": 1, "gpu": "A100"})
    admin.people.groups.create("looks", ["queue:pin"])
    admin.people.groups.set_members("looks", [ENGINEER])
    admin.projects.create("looks", weight=2)
    admin.quotas.set(f"user:{NAME}", amounts={"single": {"gpus": 8}, "all": {"memory": 2**38}})
    admin.quotas.set("group:looks", amounts={"workspace": {"gpus": 3}})
    admin.machines.maintenance.create("looks", start, start + HOUR_MS, nodes=["a100-0"])
    admin.rules.limits.create("looks", gpus=4)


def clear(admin: Client) -> None:
    for quota in (f"user:{NAME}", "group:looks"):
        admin.quotas.delete(quota)
    for delete in (
        admin.flavors.delete,
        admin.people.groups.delete,
        admin.projects.delete,
        admin.machines.maintenance.delete,
        admin.rules.limits.delete,
    ):
        delete("looks")


@pytest.mark.usefixtures("furnished")
def test_every_page_is_whole_in_chinese_by_day_and_night_and_on_a_phone(
    console: Console, admin: Client, page: Page
) -> None:
    keys = message_keys()
    written = [
        *(pool.description for pool in admin.rules.pools.list()),
        *(project.description for project in admin.projects.list()),
        *(token.name for token in admin.people.tokens.list()),
    ]
    page.add_init_script(
        "localStorage.setItem('danlu.locale', 'zh-CN'); localStorage.setItem('danlu.theme', 'auto')"
    )
    session = page.context.new_cdp_session(page)
    for path in PAGES:
        page.set_viewport_size(DESK)
        page.goto(console.at(path))
        settle(page)
        assert page.locator("html").get_attribute("lang") == "zh-CN"
        shown = without(page.locator("body").inner_text(), written)
        assert keys.isdisjoint(re.findall(r"[\w-]+(?:\.[\w-]+)+", shown)), path
        assert SENTENCE.findall(shown) == [], path
        for theme in THEMES:
            show(page, theme)
            assert accessibility_problems(page) == [], f"{path}, {theme}"
        page.set_viewport_size(PHONE)
        wide = evaluate(session, "document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], path


def message_keys() -> set[str]:
    """What would be shown in place of a text that is missing."""
    catalogs = (ROOT / "console" / "src" / "locales" / "en").rglob("*.json")
    return {key for catalog in catalogs for key in json.loads(catalog.read_text())}


def without(text: str, written: Iterable[str]) -> str:
    """Less what people wrote, which is in their language."""
    for one in filter(None, written):
        text = text.replace(one, "")
    return text
