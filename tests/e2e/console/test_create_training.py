"""Creating trainings: frameworks and strategies ask for what they need, and examples run as they stand."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.e2e.console.conftest import ENGINEER, Console
from tests.e2e.console.test_frame import accessibility_problems

Pages = Callable[[str], Page]


def fresh(console: Console, page: Page, path: str = "/jobs/new") -> Page:
    page.goto(console.at(path))
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    return page


def choose(page: Page, label: str, value: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).select_option(value)


def role(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"Role {name}", exact=True)


def test_an_elastic_strategy_asks_how_few_may_go_on(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER), "/jobs/new?example=gpu")
    file = page.get_by_role("textbox", name="Job file")
    choose(page, "Framework", "pytorch")
    expect(page.get_by_role("textbox", name="Processes per task")).to_be_visible()
    expect(page.get_by_role("textbox", name="Minimum tasks in total")).to_have_count(0)
    choose(page, "Strategy", "elastic")
    expect(page.get_by_role("textbox", name="Minimum tasks in total")).to_have_value("1")
    expect(file).to_contain_text("strategy: elastic")
    page.get_by_role("button", name="Use 16", exact=True).click()
    expect(page.get_by_role("textbox", name="Machines")).to_have_value("16")
    before = page.get_by_role("region", name="Before submitting")
    expect(before).to_contain_text("16 tasks")
    expect(before).to_contain_text("It would start at once")
    assert accessibility_problems(page) == []


def test_too_few_parameter_servers_are_told_at_their_field(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER), "/jobs/new?example=gpu")
    choose(page, "Framework", "tensorflow")
    choose(page, "Strategy", "ps")
    workers = role(page, "worker").get_by_role("textbox", name="Tasks")
    workers.fill("4")
    servers = role(page, "ps").get_by_role("textbox", name="Tasks")
    servers.fill("0")
    page.keyboard.press("Tab")
    told = "ps: 1–4, one for every 4 workers is usual; you asked for 0"
    expect(servers).to_have_attribute("aria-invalid", "true")
    expect(role(page, "ps")).to_contain_text(told)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(servers).to_be_focused()
    servers.fill("1")
    page.keyboard.press("Tab")
    expect(servers).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("combobox", name="Strategy")).to_have_accessible_description(
        re.compile("all-reduce usually trains faster")
    )
    assert accessibility_problems(page) == []


def test_switching_back_brings_back_what_was_typed(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER), "/jobs/new?example=gpu")
    choose(page, "Framework", "tensorflow")
    choose(page, "Strategy", "ps")
    role(page, "worker").get_by_role("textbox", name="Tasks").fill("6")
    role(page, "ps").get_by_role("textbox", name="Command").fill("python serve.py")
    choose(page, "Framework", "pytorch")
    expect(page.get_by_role("textbox", name="Job file")).not_to_contain_text("serve.py")
    choose(page, "Framework", "tensorflow")
    choose(page, "Strategy", "ps")
    expect(role(page, "worker").get_by_role("textbox", name="Tasks")).to_have_value("6")
    expect(role(page, "ps").get_by_role("textbox", name="Command")).to_have_value("python serve.py")


def test_an_example_is_submitted_as_it_stands_and_runs(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER))
    page.get_by_role("button", name="All examples…").click()
    expect(page.get_by_role("group", name="Frameworks")).to_contain_text("PyTorch")
    basics = page.get_by_role("group", name="Basics")
    basics.get_by_role("button", name=re.compile("^Training that resumes")).click()
    file = page.get_by_role("textbox", name="Job file")
    expect(file).to_contain_text("name: plain-resume")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("plain-resume"))).to_be_visible()
    expect(page.get_by_role("log", name="Log of worker-0")).to_contain_text("step 25 of 300")
    with console.client(ENGINEER) as client:
        client.stop("plain-resume")
    expect(page.get_by_role("heading", name=re.compile("Stopped"))).to_be_visible()
