"""Jobs in the console: the list, submitting, watching, stopping."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console

GOOD = """kind: training
name: from-the-console
command: |
  for step in 1 2 3; do echo "step $step of 3"; done
  echo "the end" >&2
"""
BAD = """kind: training
name: from-the-console
commnd: python train.py
resources:
  cpus: 1
  gpus: 9
"""


def write(page: Page, text: str) -> None:
    editor = page.get_by_role("textbox", name="Job file")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_a_job_submitted_by_its_file_runs_and_its_log_and_events_are_there(
    console: Console, page: Page
) -> None:
    page.goto(console.at("/jobs/new"))
    write(page, GOOD)
    expect(page.get_by_text("The file is valid.")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="from-the-console")).to_be_visible()
    expect(page.get_by_role("log")).to_contain_text("step 3 of 3")
    expect(page.get_by_role("log")).to_contain_text("the end")
    expect(page.get_by_role("heading", name=re.compile("Completed"))).to_be_visible()
    expect(page.get_by_text("End of log")).to_be_visible()
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_role("list", name="Events").get_by_role("listitem").nth(2)).to_be_visible()
    page.get_by_role("tab", name="Configuration").click()
    expect(page.get_by_role("textbox", name="Configuration")).to_contain_text("name: from-the-console")


def test_errors_stand_at_their_line(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs/new"))
    write(page, BAD)
    check = page.get_by_role("region", name="Check of the file")
    expect(check.get_by_role("button", name=re.compile("^3:1"))).to_contain_text("command")
    expect(check.get_by_role("button", name=re.compile("^6:9"))).to_contain_text("resources.gpus")
    expect(page.locator(".cm-lintRange-error").first).to_have_text("commnd")
    check.get_by_role("button", name=re.compile("^6:9")).click()
    expect(page.locator(".cm-activeLine")).to_have_text("  gpus: 9")


def test_every_example_is_valid_as_it_stands(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs/new"))
    chooser = page.get_by_role("combobox", name="Start from an example")
    for number in range(4):
        chooser.click()
        choice = page.get_by_role("option").nth(number)
        name = choice.inner_text()
        choice.click()
        expect(chooser).to_have_value(name)
        expect(page.get_by_text("The file is valid.")).to_be_visible()


def test_broken_yaml_is_told_before_the_server_is_asked(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs/new"))
    write(page, "kind: training\nname: twice\nname: thrice\n")
    expect(page.get_by_text("This key stands twice; keep one.")).to_be_visible()
    expect(page.get_by_role("button", name="Submit")).to_be_disabled()


def test_the_editor_completes_from_the_schema(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs/new"))
    write(page, "kind: training\nfram")
    page.keyboard.press("Control+Space")
    page.get_by_role("option", name=re.compile("framework")).click()
    expect(page.get_by_role("textbox", name="Job file")).to_contain_text("framework: ")


def test_a_running_job_is_followed_searched_and_stopped_after_a_question(
    console: Console, page: Page
) -> None:
    job = console.submit("endless", "i=0; while true; do i=$((i+1)); echo line $i; sleep 0.2; done")
    page.goto(console.at(f"/jobs/{job}"))
    log = page.get_by_role("log")
    expect(log).to_contain_text("line 3")
    expect(log).to_contain_text("line 12")
    page.get_by_label("Search the log").fill("line 1")
    expect(log.locator("mark").first).to_be_visible()
    page.get_by_role("button", name="Show times").click()
    expect(log).to_contain_text(re.compile(r"\d\d:\d\d:\d\d\.\d{3}"))
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name=re.compile("Stopped"))).to_be_visible(timeout=15_000)
    expect(page.get_by_text("End of log")).to_be_visible()


def test_a_failed_job_says_why_and_what_to_do(console: Console, page: Page) -> None:
    job = console.submit("failing", "echo about to fail; exit 3")
    page.goto(console.at(f"/jobs/{job}"))
    expect(page.get_by_role("heading", name=re.compile("Failed"))).to_be_visible()
    expect(page.get_by_text(re.compile("exit code 3")).first).to_be_visible()
    page.get_by_role("tab", name="Tasks").click()
    expect(page.get_by_role("row", name=re.compile("worker-0"))).to_contain_text("3")


def test_the_list_shows_a_new_job_and_its_end_by_itself(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs?search=by-itself"))
    expect(page.get_by_text("No job matches")).to_be_visible()
    console.submit("shown-by-itself", "sleep 1")
    row = page.get_by_role("row", name=re.compile("shown-by-itself"))
    expect(row).to_be_visible()
    expect(row).to_contain_text("Completed", timeout=15_000)


def test_filters_live_in_the_address(console: Console, page: Page) -> None:
    console.submit("filter-me", "true")
    page.goto(console.at("/jobs"))
    page.get_by_label("Search jobs").fill("filter-me")
    page.get_by_role("group", name="State").get_by_role("button", name="Completed").click()
    expect(page).to_have_url(
        re.compile(r"search=filter-me.*state=completed|state=completed.*search=filter-me")
    )
    page.reload()
    expect(page.get_by_role("row", name=re.compile("filter-me"))).to_be_visible()
    expect(page.get_by_text("1 job", exact=True)).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(console.at("/jobs"))


def test_a_job_is_cloned_and_deleted_from_the_list(console: Console, page: Page) -> None:
    console.submit("original", "true")
    page.goto(console.at("/jobs?search=original"))
    page.get_by_role("button", name="Actions for original").click()
    page.get_by_role("menuitem", name="Clone").click()
    page.get_by_label("Name of the new job").fill("original-two")
    page.get_by_role("dialog").get_by_role("button", name="Clone").click()
    expect(page.get_by_role("heading", name=re.compile("original-two.*Completed"))).to_be_visible(
        timeout=15_000
    )
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(console.at("/jobs"))
    expect(page.get_by_role("row", name=re.compile("original-two"))).to_have_count(0)
