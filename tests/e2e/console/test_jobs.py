"""The job list: kept fresh, filtered by the address, with views, bulk actions and a menu for each row."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console


def test_the_list_shows_a_new_job_and_its_end_by_itself(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs?search=by-itself"))
    expect(page.get_by_text("No jobs match")).to_be_visible()
    console.submit("shown-by-itself", "sleep 1")
    row = page.get_by_role("row", name=re.compile("shown-by-itself"))
    expect(row).to_be_visible()
    expect(row).to_contain_text("Completed")


def test_filters_live_in_the_address(console: Console, page: Page) -> None:
    console.submit("filter-me", "true")
    page.goto(console.at("/jobs"))
    filters = page.get_by_role("search", name="Filters")
    filters.get_by_role("searchbox", name="Search jobs").fill("filter-me")
    filters.get_by_role("button", name="State").click()
    page.get_by_role("menuitemcheckbox", name="Completed").click()
    page.keyboard.press("Escape")
    expect(page).to_have_url(
        re.compile(r"search=filter-me.*state=completed|state=completed.*search=filter-me")
    )
    page.reload()
    expect(page.get_by_role("row", name=re.compile("filter-me"))).to_be_visible()
    expect(page.get_by_role("button", name="Remove filter State: Completed")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(console.at("/jobs"))


def test_a_view_is_saved_under_a_name_and_found_again(console: Console, page: Page) -> None:
    page.goto(console.at("/jobs?state=failed&sort=name"))
    page.get_by_role("button", name="Save view").click()
    page.get_by_role("textbox", name="Name of the view").fill("What broke")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Save")).click()
    page.goto(console.at("/jobs"))
    page.get_by_role("navigation", name="Views").get_by_text("What broke").click()
    expect(page).to_have_url(re.compile("state=failed"))
    page.get_by_role("button", name="Actions for the view What broke").click()
    page.get_by_role("menuitem", name=re.compile("Delete")).click()
    page.get_by_role("dialog", name="Delete the view What broke?").get_by_role(
        "button", name="Delete"
    ).click()
    expect(page.get_by_role("navigation", name="Views").get_by_text("What broke")).to_have_count(0)


def test_several_jobs_are_stopped_and_deleted_together(console: Console, page: Page) -> None:
    for number in range(3):
        console.submit(f"in-bulk-{number}", "sleep 300")
    page.goto(console.at("/jobs?search=in-bulk"))
    expect(page.get_by_role("row", name=re.compile("in-bulk-.*Running"))).to_have_count(3)
    page.get_by_role("checkbox", name="Select all 3 loaded jobs").check()
    page.get_by_role("toolbar", name="Actions for the selected jobs").get_by_role(
        "button", name="Stop 3"
    ).click()
    dialog = page.get_by_role("dialog", name="Stop 3 jobs?")
    expect(dialog).to_contain_text("in-bulk-1")
    dialog.get_by_role("button", name="Stop 3").click()
    expect(page.get_by_role("row", name=re.compile("in-bulk-.*Stopped"))).to_have_count(3)
    page.goto(console.at("/jobs?search=in-bulk"))
    page.get_by_role("checkbox", name="Select all 3 loaded jobs").check()
    page.get_by_role("toolbar", name="Actions for the selected jobs").get_by_role(
        "button", name="Delete 3"
    ).click()
    page.get_by_role("dialog", name="Delete 3 jobs?").get_by_role("button", name="Delete 3").click()
    expect(page.get_by_role("row", name=re.compile("in-bulk-"))).to_have_count(0)


def test_a_job_is_cloned_and_deleted_from_the_list(console: Console, page: Page) -> None:
    console.submit("original", "true")
    page.goto(console.at("/jobs?search=original"))
    page.get_by_role("button", name="Actions for original").click()
    page.get_by_role("menuitem", name="Clone").click()
    page.get_by_label("Name of the new job").fill("original-two")
    page.get_by_role("dialog").get_by_role("button", name="Clone").click()
    expect(page.get_by_role("heading", name=re.compile("original-two.*Completed"))).to_be_visible()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(console.at("/jobs"))
    expect(page.get_by_role("row", name=re.compile("original-two"))).to_have_count(0)
