"""Transfers in the browser: begun from a volume's files, watched, failed, resumed, removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.fakes.web_source import Served, WebPlace, web_place

Pages = Callable[[str], Page]


@pytest.fixture
def web() -> Iterator[WebPlace]:
    with web_place() as made:
        yield made


def test_a_transfer_is_begun_from_a_volume_and_removed(
    console: Console, page_of: Pages, web: WebPlace
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at("/volumes/personal"))
    page.get_by_role("link", name="Import").click()
    dialog = page.get_by_role("dialog", name="New transfer")
    expect(dialog.get_by_label("To")).to_have_value("personal:/")
    dialog.get_by_label("From").fill("nonsense")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.get_by_label("From")).to_have_attribute("aria-invalid", "true")
    web.files["/data.bin"] = Served(b"0123456789")
    dialog.get_by_label("From").fill(f"{web.url}/data.bin")
    assert accessibility_problems(page) == []
    dialog.get_by_role("button", name="Begin").click()
    row = page.get_by_role("row", name=re.compile("data.bin"))
    # The server of these tests reaches nothing of its own machine: the reason stands in the row.
    expect(row).to_contain_text("Failed")
    expect(row).to_contain_text("transfers may not reach")
    assert accessibility_problems(page) == []
    row.get_by_role("button", name=re.compile("Remove")).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No transfers yet")).to_be_visible()


def test_a_job_with_an_input_is_written_in_the_form_and_tells_why_it_could_not_be_fetched(
    console: Console, page_of: Pages, web: WebPlace
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at("/jobs/new"))
    page.get_by_role("textbox", name="Name").fill("needs-an-input")
    page.get_by_role("textbox", name="Command").fill("true")
    page.get_by_role("button", name=re.compile("^Inputs")).click()
    page.get_by_role("button", name="Add an input").click()
    page.get_by_role("group", name="Input 1").get_by_label("From").fill(f"{web.url}/data.bin")
    expect(page.get_by_role("textbox", name="Job file")).to_contain_text(f"from: {web.url}/data.bin")
    before = page.get_by_role("region", name="Before submitting")
    expect(before).to_contain_text("is to be fetched first")
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("needs-an-input.*Failed"))).to_be_visible()
    step = page.get_by_role("list", name="Inputs").get_by_role("listitem")
    # The server of these tests reaches nothing of its own machine.
    expect(step).to_contain_text("transfers may not reach")
    assert accessibility_problems(page) == []
    step.get_by_role("link", name="To its transfer").click()
    expect(page.get_by_role("link", name="input of needs-an-input#1")).to_be_visible()
    assert accessibility_problems(page) == []
