"""Quotas in the browser: set, run into, raised on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from danlu.sdk import Client
from tests.e2e.console.conftest import ENGINEER, Console
from tests.live import eventually, training

Pages = Callable[[str], Page]


@pytest.fixture
def held(console: Console) -> Iterator[str]:
    """What an engineer runs already, on two GPUs."""
    with console.client(ENGINEER) as client:
        cards = {"cpus": 1, "memory": "1GiB", "gpus": 2, "gpu": "A100"}
        job = client.submit(training("baseline", "sleep 600", resources=cards)).id
        eventually(lambda: client.get(job).state == "running")
        yield job
        client.stop(job)
        eventually(lambda: client.get(job).state == "stopped")
        client.delete(job)


@pytest.mark.usefixtures("held")
def test_a_start_beyond_a_quota_says_by_how_much_and_is_granted_on_request(
    console: Console, admin: Client, page: Page, page_of: Pages
) -> None:
    page.goto(console.at("/quotas"))
    page.get_by_role("button", name="Set a quota").first.click()
    form = page.get_by_role("dialog", name="Set a quota")
    form.get_by_role("textbox", name="Names").fill(ENGINEER)
    form.get_by_role("textbox", name="Single node: GPUs").fill("2")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name=re.compile(ENGINEER))).to_be_visible()

    hers = page_of(ENGINEER)
    hers.goto(console.at("/jobs/new"))
    hers.get_by_role("textbox", name="Name").fill("one-more")
    hers.get_by_role("textbox", name="Command").fill("sleep 5")
    hers.get_by_role("textbox", name="GPUs").fill("1")
    hers.get_by_role("button", name="Submit", exact=True).click()
    refusal = hers.get_by_role("alert").filter(has_text="Insufficient quota")
    expect(refusal).to_contain_text("uses 2 of 2 GPUs")
    expect(refusal).to_contain_text("requests 1 more")
    expect(refusal.get_by_role("link", name=f"{ENGINEER}:baseline")).to_be_visible()
    refusal.get_by_role("button", name="Ask for more").click()
    dialog = hers.get_by_role("dialog", name="Ask for more")
    expect(dialog.get_by_label("Single node: GPUs")).to_have_value("3")
    dialog.get_by_label("Reason").fill("the paper is due")
    dialog.get_by_role("button", name="Send the request").click()
    expect(hers.get_by_text("Your request was sent.")).to_be_visible()

    page.goto(console.at("/requests"))
    asked = page.get_by_role("listitem").filter(has_text="the paper is due")
    expect(asked).to_contain_text("Single node: GPUs 3 · for 7 days")
    asked.get_by_role("button", name="Approve").click()
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    expect(page.get_by_text(f"The request of {ENGINEER} was approved.")).to_be_visible()

    hers.get_by_role("button", name="Submit", exact=True).click()
    expect(hers.get_by_role("heading", name=re.compile("one-more"))).to_be_visible()
    hers.goto(console.at("/profile"))
    expect(hers.get_by_text("raised").first).to_be_visible()
    admin.quotas.delete(f"user:{ENGINEER}")
