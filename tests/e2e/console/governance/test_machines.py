"""Governing machines in the browser: flavors are made and offered, nodes are moved, drained and maintained."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from danlu.sdk import Client
from tests.e2e.console.conftest import ENGINEER, Console
from tests.live import eventually, training

Pages = Callable[[str], Page]
A100S, T4 = ["a100-0", "a100-1"], "t4-0"


def test_a_flavor_is_made_and_offered_as_the_machines_allow(
    console: Console, admin: Client, page: Page, page_of: Pages
) -> None:
    page.goto(console.at("/flavors"))
    expect(page.get_by_text("No flavors yet")).to_be_visible()
    page.get_by_role("button", name="New flavor").click()
    form = page.get_by_role("dialog", name="New flavor")
    for field, value in {
        "Name": "pair",
        "GPUs": "2",
        "GPU model": "A100",
        "CPUs": "8",
        "Memory": "lots",
    }.items():
        form.get_by_label(field, exact=True).fill(value)
    form.get_by_role("button", name="Create flavor").click()
    expect(form.get_by_label("Memory", exact=True)).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Memory", exact=True).fill("64GiB")
    form.get_by_role("button", name="Create flavor").click()
    expect(page.get_by_role("row", name=re.compile("pair.*2 × A100"))).to_be_visible()

    page.get_by_role("button", name="Generate from a node").click()
    dialog = page.get_by_role("dialog", name="Generate from a node")
    dialog.get_by_label("Node").select_option(T4)
    proposed = dialog.get_by_role("checkbox")
    expect(proposed).to_have_count(3)
    proposed.nth(1).uncheck()
    dialog.get_by_role("button", name="Create 2 flavors").click()
    expect(page.get_by_role("row", name=re.compile("T4"))).to_have_count(2)

    hers = page_of(ENGINEER)
    hers.goto(console.at("/jobs/new"))
    hers.get_by_text("Flavor", exact=True).first.click()
    offers = hers.get_by_role("group", name="Flavor").locator("label")
    pair, of_t4 = offers.filter(has_text="pair"), offers.filter(has_text="T4")
    expect(pair).to_contain_text("available now")
    admin.machines.nodes.cordon(A100S)
    expect(offers.filter(has_text="available now")).to_have_count(2)
    expect(of_t4.filter(has_text="available now")).to_have_count(2)
    admin.machines.nodes.cordon(A100S, cordoned=False)
    expect(pair).to_contain_text("available now")


@pytest.fixture(scope="module")
def tenant(console: Console) -> Iterator[None]:
    """A job that runs on the machine in question."""
    card = {"cpus": 1, "memory": "1GiB", "gpus": 1, "gpu": "T4"}
    with console.client(ENGINEER) as client:
        job = client.submit(training("tenant", "sleep 600", resources=card)).id
        eventually(lambda: client.get(job).state == "running")
        yield
        client.stop(job)
        eventually(lambda: client.get(job).state == "stopped")


@pytest.mark.usefixtures("tenant")
def test_a_node_is_moved_after_seeing_whom_that_affects(console: Console, admin: Client, page: Page) -> None:
    page.goto(console.at("/pools"))
    page.get_by_role("button", name="New pool").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("desks")
    form.get_by_text("Workspace", exact=True).click()
    form.get_by_role("button", name="Create pool").click()
    expect(page.get_by_role("row", name=re.compile("desks.*Workspace"))).to_be_visible()

    page.goto(console.at(f"/nodes/{T4}"))
    page.get_by_role("button", name="Move").click()
    dialog = page.get_by_role("dialog", name=f"Move {T4} to another pool")
    dialog.get_by_label("To pool").select_option("desks")
    expect(dialog).to_contain_text("The 1 job running there continues.")
    expect(dialog.get_by_role("list", name="1 of them could not start there again")).to_contain_text("tenant")
    assert admin.machines.nodes.get(T4).pool == "default", "a preview moves nothing"
    dialog.get_by_role("button", name="Move").click()
    expect(page.get_by_text("The node is now in pool desks.")).to_be_visible()
    expect(page.get_by_role("link", name="desks")).to_be_visible()
    admin.machines.nodes.move([T4], "default")


@pytest.mark.usefixtures("tenant")
def test_a_node_is_drained_by_a_deadline_and_opened_again(console: Console, page: Page) -> None:
    page.goto(console.at(f"/nodes/{T4}"))
    page.get_by_role("button", name="Drain").click()
    dialog = page.get_by_role("dialog", name=f"Drain {T4}?")
    dialog.get_by_label("Empty within").select_option("4h")
    dialog.get_by_label("Note").fill("new fans")
    expect(dialog.get_by_role("list", name="1 job runs there")).to_contain_text("tenant")
    expect(dialog).to_contain_text("will be evicted")
    dialog.get_by_role("button", name="Drain").click()
    expect(page.get_by_text(re.compile("Empty by"))).to_be_visible()
    expect(page.get_by_text("new fans").first).to_be_visible()
    expect(page.get_by_role("region", name="Jobs on this node")).to_contain_text("tenant")
    page.get_by_role("button", name="Uncordon").click()
    expect(page.get_by_text(re.compile("Empty by"))).to_have_count(0)


@pytest.mark.usefixtures("tenant")
def test_a_maintenance_window_is_planned_and_told_at_the_node(
    console: Console, admin: Client, page: Page
) -> None:
    page.goto(console.at(f"/nodes/{T4}"))
    page.get_by_role("button", name="Plan maintenance").click()
    dialog = page.get_by_role("dialog", name="Plan maintenance")
    expect(dialog.get_by_role("textbox", name="Nodes")).to_have_value(T4)
    dialog.get_by_label("Name").fill("firmware")
    start = dialog.get_by_label("Start").input_value()
    dialog.get_by_label("End").fill(start)
    dialog.get_by_role("button", name="Plan maintenance").click()
    expect(dialog.get_by_label("End")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("End").fill(f"{int(start[:4]) + 1}{start[4:]}")
    dialog.get_by_role("button", name="What is affected").click()
    expect(dialog.get_by_role("list", name="1 job runs there")).to_contain_text("tenant")
    dialog.get_by_role("button", name="Plan maintenance").click()
    expect(page.get_by_text(re.compile("Closes"))).to_be_visible()
    page.get_by_role("link", name="firmware").click()
    expect(page.get_by_role("row", name=re.compile(f"firmware.*{T4}"))).to_be_visible()
    page.get_by_role("button", name="Remove firmware").click()
    page.get_by_role("dialog", name="Remove firmware?").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No maintenance is planned")).to_be_visible()
    assert admin.machines.maintenance.list() == []
