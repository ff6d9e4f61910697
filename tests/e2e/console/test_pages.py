"""The overview, the nodes and the profile."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, Console
from tests.live import eventually, training

Pages = Callable[[str], Page]


def test_the_overview_tells_what_is_free_mine_and_new(console: Console, page_of: Pages) -> None:
    newcomer = console.newcomer("Mei Lan")
    with console.client(newcomer) as client:
        job = client.submit(
            training("seen-at-a-glance", "sleep 8; exit 5", resources={"gpus": 3, "gpu": "A100", "cpus": 1})
        ).id
        eventually(lambda: client.get(job).state == "running")
        page = page_of(newcomer)
        page.goto(console.at("/"))
        expect(page.get_by_role("heading", name="Hello, Mei Lan")).to_be_visible()
        expect(page.get_by_role("img", name=re.compile("A100: .* free, 3 mine"))).to_be_visible()
        expect(page.get_by_role("list", name="My running jobs")).to_contain_text("seen-at-a-glance")
        expect(page.get_by_role("list", name="News of my jobs")).to_contain_text("seen-at-a-glance")
        expect(page.get_by_role("img", name=re.compile("A100: .* free, 0 mine"))).to_be_visible()


def test_first_steps_are_ticked_by_what_one_did_and_can_be_put_away(console: Console, page_of: Pages) -> None:
    newcomer = console.newcomer()
    page = page_of(newcomer)
    with console.client(newcomer) as client:
        page.goto(console.at("/"))
        expect(page.get_by_role("tab", name=re.compile("Submit your first job$"))).to_be_visible()
        client.submit(training("the-very-first", "echo hello"))
        page.reload()
        expect(page.get_by_role("tab", name=re.compile("Submit your first job.*done"))).to_be_visible()
        page.get_by_role("button", name="Hide the first steps").click()
        expect(page.get_by_role("region", name="First steps")).to_have_count(0)
        # Two pages of one person that write at once may come in either order; here the second follows the first.
        eventually(lambda: "first-steps" in client.http.json("GET", "me/preferences")["dismissed"])
        page.reload()
        page.get_by_role("heading", name=re.compile("Hello")).wait_for()
        page.get_by_role("button", name="First steps").click()
        expect(page.get_by_role("region", name="First steps")).to_be_visible()


def test_the_heat_map_tells_who_holds_what_and_leads_to_the_node(console: Console, page: Page) -> None:
    job = console.submit("holds-gpus", "sleep 120", resources={"gpus": 4, "gpu": "A100", "cpus": 1})
    page.goto(console.at("/nodes"))
    tile = page.get_by_role("link", name=re.compile("4 of 8 A100 allocated.*holds-gpus"))
    expect(tile).to_be_visible()
    tile.click()
    expect(page.get_by_role("region", name="Jobs on this node")).to_contain_text("holds-gpus")
    expect(page.get_by_role("list", name=re.compile("GPUs of a100-"))).to_be_visible()
    expect(page.get_by_text("virtual").first).to_be_visible()
    expect(page.get_by_role("list", name="Events")).to_contain_text("holds-gpus")
    with console.server.client() as client:
        client.stop(job)
    expect(page.get_by_role("region", name="Jobs on this node").get_by_text("holds-gpus")).to_have_count(0)


def test_the_table_of_nodes_keeps_their_names_where_room_is_scarce(console: Console, page: Page) -> None:
    page.goto(console.at("/nodes"))
    page.get_by_text("Table", exact=True).click()
    name = page.get_by_role("table").get_by_role("link", name="a100-0")
    for width in (768, 1110, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert name.evaluate("link => link.closest('td').offsetWidth") >= 100, f"{width} pixels"


def test_a_node_is_cordoned_by_an_administrator_only(console: Console, page: Page, page_of: Pages) -> None:
    page.goto(console.at("/nodes/a100-1"))
    page.get_by_role("button", name="Cordon", exact=True).click()
    dialog = page.get_by_role("dialog", name="Cordon a100-1?")
    dialog.get_by_role("button", name="Cordon", exact=True).click()
    expect(page.get_by_text("Cordoned").first).to_be_visible()
    hers = page_of(ENGINEER)
    hers.goto(console.at("/nodes/a100-1"))
    expect(hers.get_by_text("Cordoned").first).to_be_visible()
    expect(hers.get_by_role("button", name=re.compile("ordon"))).to_have_count(0)
    page.get_by_role("button", name="Uncordon").click()
    expect(page.get_by_text("Ready").first).to_be_visible()
    expect(page.get_by_role("list", name="Events")).to_contain_text(re.compile("cordon", re.IGNORECASE))


def test_a_token_is_shown_once_and_revoked(console: Console, page: Page) -> None:
    page.goto(console.at("/profile"))
    page.get_by_role("button", name="New token").click()
    page.get_by_label("What is it for?").fill("from a test")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text(re.compile("^danlu_"))).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Revoke from a test").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row", name=re.compile("from a test"))).to_have_count(0)


def test_another_browser_is_signed_out_from_the_profile(console: Console, page_of: Pages) -> None:
    here, there = page_of(ENGINEER), page_of(ENGINEER)
    there.goto(console.at("/jobs"))
    there.get_by_role("heading", name="Jobs", exact=True).wait_for()
    here.goto(console.at("/profile"))
    expect(here.get_by_text("this browser")).to_be_visible()
    here.get_by_role("button", name="Sign out all others").click()
    here.get_by_role("dialog").get_by_role("button", name=re.compile("Sign out")).last.click()
    expect(here.get_by_role("button", name="Sign out all others")).to_have_count(0)
    there.goto(console.at("/nodes"))
    expect(there.get_by_role("button", name="Sign in")).to_be_visible()
    here.goto(console.at("/nodes"))
    expect(here.get_by_role("heading", name="Nodes", exact=True)).to_be_visible()


def test_times_are_shown_in_the_chosen_time_zone(console: Console, page_of: Pages) -> None:
    with console.client(ENGINEER) as client:
        job = client.create(training("told-in-tokyo", "true")).id
        client.http.json("PATCH", "me/preferences", body={"time_zone": "Asia/Tokyo"})
        page = page_of(ENGINEER)
        page.goto(console.at(f"/jobs/{job}"))
        moment = page.get_by_role("time").first
        expect(moment).to_be_visible()
        titles = " ".join(
            str(one.get_attribute("title")) + one.inner_text() for one in page.locator("time").all()
        )
        assert re.search("GMT\\+9|Tokyo|JST", titles), titles
        client.http.json("PATCH", "me/preferences", body={"time_zone": None})
