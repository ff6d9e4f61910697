"""Governing people in the browser: groups by paste, projects by request, accounts that end, an organisation's sign-in."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from danlu.sdk import Client
from tests.e2e.console.conftest import ENGINEER, OTHER, PASSWORD, Console
from tests.fakes.provider import RunningProvider
from tests.live import eventually, training

Pages = Callable[[str], Page]


def test_people_are_added_to_a_group_by_paste_after_seeing_who_is_meant(
    console: Console, admin: Client, page: Page
) -> None:
    newcomer = console.newcomer()
    page.goto(console.at("/groups"))
    page.get_by_role("button", name="New group").click()
    page.get_by_role("dialog").get_by_label("Name").fill("vision")
    page.get_by_role("button", name="Create group").click()
    page.get_by_role("button", name="Add members").click()
    dialog = page.get_by_role("dialog", name="Add people to vision")
    dialog.get_by_role("textbox", name="Who").fill(f"{ENGINEER}, wnag; {newcomer}\nsomebody-else")
    dialog.get_by_role("button", name="Preview").click()
    found = dialog.get_by_role("status")
    expect(found).to_contain_text("2 people would be added")
    expect(found).to_contain_text("2 names are unknown")
    expect(found).to_contain_text("somebody-else")
    assert not admin.people.groups.get("vision").member_names, "a preview changes nothing"
    found.get_by_role("button", name="Did you mean wang?").click()
    dialog.get_by_role("button", name="Add 3 people").click()
    members = page.get_by_role("region", name="Members")
    for name in (ENGINEER, OTHER, newcomer):
        expect(members.get_by_role("link", name=name)).to_be_visible()


def test_whoever_is_let_into_a_project_can_submit_to_it(console: Console, page_of: Pages) -> None:
    his, hers = page_of(OTHER), page_of(ENGINEER)
    his.goto(console.at("/projects"))
    his.get_by_role("button", name="New project").click()
    his.get_by_role("dialog").get_by_label("Name").fill("speech")
    his.get_by_role("button", name="Create project").click()
    expect(his.get_by_text("You: Creator")).to_be_visible()

    form = page_of(ENGINEER)
    with form.expect_response(re.compile(r"/api/v1/projects(\?|$)")):
        write_job(console, form, "first-words")
    project = form.get_by_role("combobox", name="Project")
    offered = project.get_by_role("option", name="speech", exact=True)
    expect(project.get_by_role("option", name="public", exact=True)).to_be_attached()
    expect(offered).to_have_count(0)

    hers.goto(console.at("/projects/speech"))
    hers.get_by_role("button", name="Ask to join").click()
    hers.get_by_role("dialog").get_by_label("Why you want to join").fill("I bring the recordings")
    hers.get_by_role("button", name="Send the request").click()
    expect(hers.get_by_text("Request pending")).to_be_visible()

    asked = his.get_by_role("listitem").filter(has_text="I bring the recordings")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Approve").click()
    his.get_by_role("dialog").get_by_role("button", name="Approve").click()
    expect(his.get_by_role("region", name="Members")).to_contain_text(ENGINEER)

    expect(hers.get_by_text("You: Member")).to_be_visible()
    expect(offered).to_be_attached()
    project.select_option("speech")
    form.get_by_role("button", name="Submit", exact=True).click()
    expect(form.get_by_role("heading", name=re.compile("first-words"))).to_be_visible()


def test_a_file_for_a_project_of_others_is_refused_at_its_field(console: Console, page_of: Pages) -> None:
    with console.client(OTHER) as client:
        client.projects.create("theirs")
    page = page_of(ENGINEER)
    write_job(console, page, "not-mine")
    file = page.get_by_role("textbox", name="Job file")
    expect(file).to_contain_text("name: not-mine")
    file.press("Control+End")
    page.keyboard.insert_text("\nproject: theirs\n")
    project = page.get_by_role("combobox", name="Project")
    expect(project).to_have_value("theirs")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(project).to_have_attribute("aria-invalid", "true")


def write_job(console: Console, page: Page, name: str) -> None:
    page.goto(console.at("/jobs/new"))
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="Command").fill("echo hello")


def test_disabling_somebody_asks_about_their_jobs_and_ends_their_page(
    console: Console, admin: Client, page: Page, page_of: Pages
) -> None:
    admin.people.create("temp", password=PASSWORD)
    with console.client("temp") as client:
        job = client.submit(training("left-behind", "sleep 600")).id
    theirs = page_of("temp")
    theirs.goto(console.at("/jobs"))
    expect(theirs.get_by_role("link", name="left-behind")).to_be_visible()

    page.goto(console.at("/users/temp"))
    page.get_by_role("button", name="Disable").click()
    dialog = page.get_by_role("dialog", name="Disable temp?")
    disable = dialog.get_by_role("button", name="Disable")
    expect(dialog).to_contain_text("1 job is queued or running")
    expect(disable).to_be_disabled()
    dialog.get_by_role("radio", name=re.compile("Stop them")).check()
    disable.click()
    expect(page.get_by_text("temp is disabled.")).to_be_visible()
    expect(theirs.get_by_role("button", name="Sign in")).to_be_visible()
    eventually(lambda: admin.get(job).state == "stopped")


@pytest.mark.usefixtures("stranger")
def test_an_account_of_the_organisation_leads_to_the_page_first_asked_for(
    console: Console, organisation: RunningProvider, page: Page
) -> None:
    organisation.knows("77", preferred_username="yan", name="Yan Li", email="yan@corp.example")
    page.route(re.compile("^https://"), lambda route: route.abort())
    page.goto(console.at("/nodes?view=table"))
    page.get_by_role("link", name="Sign in with Corp").click()
    expect(page.get_by_role("heading", name="Authorize Client")).to_be_visible()
    page.get_by_placeholder("sub").fill("77")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()
    expect(page.get_by_role("table")).to_be_visible()
    assert page.url == console.at("/nodes?view=table")
    expect(page.get_by_role("button", name="Yan Li")).to_be_visible()


@pytest.mark.usefixtures("stranger")
def test_whom_the_organisation_does_not_vouch_for_is_told_why(console: Console, page: Page) -> None:
    page.route(re.compile("^https://"), lambda route: route.abort())
    page.goto(console.at("/sign-in"))
    page.get_by_role("link", name="Sign in with Corp").click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_role("alert")).to_contain_text("Sign-in failed")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
