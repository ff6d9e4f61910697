"""Templates: saved from the form, shared, used by somebody else, deleted."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, OTHER, Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import training

Pages = Callable[[str], Page]


def test_a_template_is_saved_shared_used_by_another_and_deleted(console: Console, page_of: Pages) -> None:
    with console.client(ENGINEER) as client:
        client.create(training("worth-keeping", "echo kept", env={"LR": "0.1"}))
    page = page_of(ENGINEER)
    page.goto(console.at("/templates"))
    expect(page.get_by_text("No templates yet")).to_be_visible()

    page.goto(console.at("/jobs/worth-keeping"))
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Save as template").click()
    dialog = page.get_by_role("dialog", name="Save as template")
    expect(dialog.get_by_label("Name")).to_have_value("worth-keeping")
    dialog.get_by_label("Name").fill("not a name")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Name").fill("kept")
    dialog.get_by_role("combobox", name="Shared with").click()
    page.get_by_role("option", name="public").click()
    assert accessibility_problems(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved template kept")).to_be_visible()

    other = page_of(OTHER)
    other.goto(console.at("/jobs/new"))
    other.get_by_role("button", name="All examples…").click()
    other.get_by_role("group", name="Templates").get_by_role("button", name=re.compile("kept")).click()
    expect(other.get_by_text("Template kept")).to_be_visible()
    expect(other.get_by_role("textbox", name="Job file")).to_contain_text("echo kept")
    other.get_by_role("button", name="Submit", exact=True).click()
    expect(other.get_by_role("heading", name=re.compile("worth-keeping.*Completed"))).to_be_visible()
    other.goto(console.at("/templates"))
    expect(other.get_by_role("row", name=re.compile(rf"kept.*{ENGINEER}.*public"))).to_be_visible()
    expect(other.get_by_role("button", name="Remove kept")).to_have_count(0)

    page.goto(console.at("/templates"))
    page.get_by_role("button", name="Remove kept").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No templates yet")).to_be_visible()
    assert accessibility_problems(page) == []
