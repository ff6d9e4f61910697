"""Creating and editing jobs: by form, by YAML, with errors at their field and a word on what would happen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, PASSWORD, Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import training

Pages = Callable[[str], Page]


def fresh(console: Console, page: Page, path: str = "/jobs/new") -> Page:
    page.goto(console.at(path))
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    return page


def editor(page: Page) -> str:
    return page.get_by_role("textbox", name="Job file").inner_text()


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Job file").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def choose(page: Page, shape: str) -> None:
    """The radio itself is hidden behind its label."""
    page.get_by_text(shape, exact=True).first.click()
    expect(page.get_by_role("radio", name=shape)).to_be_checked()


@pytest.mark.smoke
@pytest.mark.usefixtures("stranger")
def test_a_job_is_submitted_by_the_form_and_its_log_is_watched_live(console: Console, page: Page) -> None:
    """From the sign-in on, which leads to the page first asked for."""
    page.goto(console.at("/jobs/new"))
    page.get_by_label("User name").fill(ENGINEER)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    page.get_by_role("textbox", name="Name").fill("by-the-form")
    page.get_by_role("textbox", name="Command").fill(
        "for step in 1 2 3; do echo step $step of 3; sleep 1; done"
    )
    before = page.get_by_role("region", name="Before submitting")
    expect(before).to_contain_text(re.compile("start", re.IGNORECASE))
    expect(page.get_by_role("textbox", name="Job file")).to_contain_text("name: by-the-form")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("by-the-form"))).to_be_visible()
    log = page.get_by_role("log", name="Log of worker-0")
    expect(log).to_contain_text("step 1 of 3")
    expect(log).to_contain_text("step 3 of 3")
    expect(page.get_by_role("heading", name=re.compile("Completed"))).to_be_visible()


def test_an_error_stands_at_its_field_and_the_first_is_focused(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER))
    page.get_by_role("button", name="Submit", exact=True).click()
    name = page.get_by_role("textbox", name="Name")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    name.fill("no")
    page.get_by_role("textbox", name="Command").fill("true")
    page.get_by_role("textbox", name="GPUs").fill("9")
    page.keyboard.press("Tab")
    gpus = page.get_by_role("textbox", name="GPUs")
    expect(gpus).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(re.compile("8"))).not_to_have_count(0)
    assert accessibility_problems(page) == []
    name.fill("now-right")
    gpus.fill("1")
    page.keyboard.press("Tab")
    expect(gpus).not_to_have_attribute("aria-invalid", "true")


def test_form_and_file_are_two_views_of_one_thing(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER))
    write(page, "# kept\nkind: training\nname: both-ways  # mine\ncommand: python train.py\nnodes: 2\n")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("both-ways")
    expect(page.get_by_role("radio", name="Several machines")).to_be_checked()
    page.get_by_role("textbox", name="Machines").fill("4")
    expect(page.get_by_role("textbox", name="Job file")).to_contain_text("nodes: 4")
    assert "# kept" in editor(page)
    assert "# mine" in editor(page)
    write(page, "kind: training\nname: [broken\n")
    expect(page.get_by_role("button", name="Go to the line").first).to_be_visible()
    assert "[broken" in editor(page)


def test_what_applies_is_shown_and_nothing_else(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER))
    expect(page.get_by_role("textbox", name="Machines")).to_have_count(0)
    choose(page, "Several machines")
    expect(page.get_by_role("textbox", name="Machines")).to_be_visible()
    choose(page, "Total GPUs")
    expect(page.get_by_role("textbox", name="GPUs in total")).to_be_visible()
    expect(page.get_by_role("textbox", name="Machines")).to_have_count(0)
    choose(page, "Roles")
    expect(page.get_by_role("group", name=re.compile("^Role "))).not_to_have_count(0)


def test_every_example_is_valid_as_it_stands(console: Console, page_of: Pages) -> None:
    page = page_of(ENGINEER)
    for example in ("hello", "gpu", "distributed", "roles", "total", "resilient", "workspace"):
        fresh(console, page, f"/jobs/new?example={example}")
        before = page.get_by_role("region", name="Before submitting")
        expect(before).to_contain_text(re.compile("start|wait", re.IGNORECASE))
        expect(page.get_by_role("button", name="Submit", exact=True)).to_be_enabled()
        expect(page.locator("[aria-invalid=true]")).to_have_count(0)


def test_a_draft_survives_a_reload(console: Console, page_of: Pages) -> None:
    page = fresh(console, page_of(ENGINEER))
    page.get_by_role("textbox", name="Name").fill("half-written")
    page.get_by_role("textbox", name="Command").fill("echo later")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("button", name="Restore draft").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("half-written")
    page.get_by_role("textbox", name="Name").fill("now-whole")
    page.get_by_role("button", name="Create only").click()
    expect(page.get_by_role("heading", name=re.compile("now-whole.*Created"))).to_be_visible()


def test_a_stopped_job_is_edited_after_seeing_what_changes(console: Console, page_of: Pages) -> None:
    with console.client(ENGINEER) as client:
        job = client.create(training("to-be-edited", "echo one")).id
    page = page_of(ENGINEER)
    page.goto(console.at(f"/jobs/{job}/edit"))
    page.get_by_role("textbox", name="Command").fill("echo two")
    page.get_by_role("button", name="Review and save").click()
    dialog = page.get_by_role("dialog", name="What changes")
    expect(dialog).to_contain_text("echo one")
    expect(dialog).to_contain_text("echo two")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile(f"/jobs/{job}"))
    with console.client(ENGINEER) as client:
        assert client.get(job).spec["command"] == "echo two"


def test_a_job_that_would_wait_says_behind_whom_before_it_is_sent(console: Console, page_of: Pages) -> None:
    whole = {"cpus": 1, "memory": "64MiB", "gpus": 8, "gpu": "A100"}
    with console.client(ENGINEER) as client:
        held = [
            client.submit(training(f"in-the-way-{at}", "sleep 60", resources=whole)).id for at in range(3)
        ]
        page = fresh(console, page_of(ENGINEER))
        write(
            page,
            "kind: training\nname: comes-later\ncommand: 'true'\n"
            "resources: {cpus: 1, memory: 64MiB, gpus: 8, gpu: A100}\n",
        )
        before = page.get_by_role("region", name="Before submitting")
        expect(before).to_contain_text(re.compile("8.*A100"))
        expect(before).to_contain_text(re.compile("wait", re.IGNORECASE))
        expect(before).to_contain_text(re.compile("1 job|behind 1", re.IGNORECASE))
        for job in held:
            client.stop(job)
