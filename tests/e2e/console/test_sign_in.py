"""The way in: a one-time link, a password, and out again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import NAME, PASSWORD, Console

pytestmark = pytest.mark.usefixtures("stranger")


def test_the_first_link_asks_for_a_password_and_works_once(console: Console, page: Page) -> None:
    link = console.server.sign_in_link
    assert link is not None
    page.goto(link)
    page.get_by_label("New password").fill("another long password")
    page.get_by_label("Repeat the password").fill("another long password")
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("heading", name="Hello, Administrator")).to_be_visible()
    expect(page.get_by_role("tab", name=re.compile("Set a password.*done"))).to_be_visible()
    page.goto(link)
    expect(page.get_by_text("The link did not work")).to_be_visible()


def test_a_wrong_password_is_told_and_a_right_one_leads_where_one_wanted_to_go(
    console: Console, page: Page
) -> None:
    page.goto(console.at("/nodes"))
    page.get_by_label("User name").fill(NAME)
    page.get_by_role("textbox", name="Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("User name or password is wrong")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()


def test_after_signing_out_nothing_is_shown(console: Console, page: Page) -> None:
    page.goto(console.at("/sign-in"))
    page.get_by_label("User name").fill(NAME)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Lin Yue").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.goto(console.at("/jobs"))
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
