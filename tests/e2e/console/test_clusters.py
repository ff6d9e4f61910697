"""Clusters in the browser: one that cannot be reached is looked at, added all the same, shown and removed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, Console

Pages = Callable[[str], Page]
NOBODY_THERE = """
apiVersion: v1
kind: Config
current-context: dark
contexts:
- {name: dark, context: {cluster: dark, user: me}}
- {name: other, context: {cluster: dark, user: other}}
clusters:
- {name: dark, cluster: {server: "http://127.0.0.1:1"}}
users:
- {name: me, user: {token: a-secret-of-mine}}
- {name: other, user: {token: a-secret-of-others}}
"""


@pytest.fixture
def dialog(console: Console, page: Page) -> Page:
    """The clusters page with the dialog filled in."""
    page.goto(console.at("/clusters"))
    page.get_by_role("button", name="Add a cluster").click()
    page.get_by_label("Name", exact=True).fill("dark")
    page.get_by_role("textbox", name="Kubeconfig").fill(NOBODY_THERE)
    expect(page.get_by_label("Context").locator("option")).to_have_text(["dark", "other"])
    return page


def test_a_cluster_is_checked_added_all_the_same_shown_and_removed(
    console: Console, dialog: Page, page_of: Pages
) -> None:
    page = dialog
    page.get_by_role("button", name="Check").click()
    found = page.get_by_role("list", name="Findings")
    expect(found.get_by_text("Missing:").first).to_be_attached()
    expect(found).to_contain_text("127.0.0.1:1")
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Add anyway").click()
    assert "a-secret-of-others" not in (sent.value.post_data or ""), "only the chosen context is sent"
    card = page.get_by_role("list", name="Clusters").get_by_role("listitem").filter(has_text="dark").first
    expect(card).to_contain_text("http://127.0.0.1:1")

    hers = page_of(ENGINEER)
    hers.goto(console.at("/clusters"))
    hers.get_by_role("link", name="dark").click()
    expect(hers.get_by_role("heading", name=re.compile("dark"))).to_be_visible()
    expect(hers.get_by_text("127.0.0.1")).to_have_count(0)
    expect(hers.get_by_role("button", name="Remove")).to_have_count(0)

    page.get_by_role("link", name="dark").click()
    page.set_viewport_size({"width": 768, "height": 420})
    page.get_by_role("button", name="Check").click()
    expect(found.get_by_text("Missing:").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (
        "the frame stays, its page scrolls"
    )
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog", name="Remove dark?").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No clusters yet")).to_be_visible()


def test_a_mistake_stands_at_its_field(dialog: Page) -> None:
    page = dialog
    page.get_by_label("Name", exact=True).fill("local")
    page.get_by_role("dialog").get_by_role("button", name="Add a cluster").click()
    expect(page.get_by_text(re.compile("the machine that Danlu itself runs on"))).to_be_visible()
    page.get_by_role("textbox", name="Kubeconfig").fill("just words")
    expect(page.get_by_text(re.compile("This is not a kubeconfig"))).to_be_visible()
