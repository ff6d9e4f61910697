"""Datasets: a folder of a volume becomes a version, which is looked at, mounted in a job, and known to have been read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import PATIENCE
from tools.dev.places import ROOT

Pages = Callable[[str], Page]
WAIT = PATIENCE * 1000


def fill_personal(page: Page, console: Console, folder: Path) -> None:
    page.goto(console.at("/volumes/personal"))
    page.locator("input[type=file][aria-label='Upload a folder']").first.set_input_files(folder)
    expect(page.get_by_text("2 of 2 files")).to_be_visible(timeout=WAIT)


def test_a_folder_becomes_a_version_that_a_job_reads(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    person = console.newcomer()
    page = page_of(person)
    folder = tmp_path / "set"
    (folder / "deep").mkdir(parents=True)
    (folder / "labels.csv").write_text("id,label\n1,cat\n2,dog\n")
    (folder / "deep" / "a.txt").write_text("one")
    fill_personal(page, console, folder)

    page.get_by_role("button", name="More for set").click()
    page.get_by_role("menuitem", name="Make a dataset version").click()
    dialog = page.get_by_role("dialog", name="New dataset version")
    dialog.get_by_label("Name of the new dataset").fill("pets")
    dialog.get_by_label("Tags").fill("first")
    assert accessibility_problems(page) == []
    dialog.get_by_role("button", name="Make version").click()
    expect(page.get_by_role("heading", name="pets")).to_be_visible()
    version = page.get_by_role("row").filter(has=page.get_by_role("link", name="v1", exact=True))
    expect(version).to_contain_text("first", timeout=WAIT)
    assert accessibility_problems(page) == []

    version.get_by_role("link", name="v1", exact=True).click()
    page.get_by_role("button", name="labels.csv", exact=True).click()
    expect(page.get_by_role("cell", name="dog")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_role("tab", name="Statistics").click()
    expect(page.get_by_text(".csv", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Overview").click()
    expect(page.get_by_text("pets@latest")).to_be_visible()
    dataset = page.url

    page.goto(console.at("/jobs/new"))
    page.get_by_role("button", name="Mounts").click()
    page.get_by_role("button", name="Add a dataset").click()
    mount = page.get_by_role("group", name="Mount pets@latest")
    mount.get_by_label("Version").select_option("v1")
    expect(page.get_by_role("group", name="Mount pets@v1")).to_be_visible()
    assert accessibility_problems(page) == []

    mounts = [{"dataset": "pets@v1", "path": "/data"}]
    with console.client(person) as client:
        command = "cat /data/labels.csv"
        job = client.submit(
            {"kind": "training", "name": "reads-pets", "command": command, "image": "host", "mounts": mounts}
        )
    page.goto(console.at(f"/jobs/{job.id}"))
    expect(page.get_by_text("2,dog")).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="pets@v1").click()
    page.wait_for_url("**/datasets/**")
    page.goto(dataset)
    page.get_by_role("tab", name="Lineage").click()
    graph = page.get_by_role("region", name="Graph of the lineage")
    expect(graph.get_by_role("link", name="reads-pets")).to_be_visible()
    expect(graph.get_by_role("link", name="pets@v1")).to_be_visible()
    assert accessibility_problems(page) == []


def test_what_a_job_declares_is_kept_and_leads_to_its_version(console: Console, page_of: Pages) -> None:
    person = console.newcomer()
    page = page_of(person)
    with console.client(person) as client:
        client.datasets.create("kept")
        outputs = [{"path": "out", "dataset": "kept"}, {"path": "none", "to": "personal:/x/"}]
        command = "mkdir out; echo one > out/a.txt"
        job = client.submit(
            {
                "kind": "training",
                "name": "leaves-some",
                "command": command,
                "image": "host",
                "outputs": outputs,
            }
        )
    page.goto(console.at(f"/jobs/{job.id}?tab=outputs"))
    table = page.get_by_role("region", name="Outputs")
    expect(table.get_by_role("link", name=f"{person}:kept@v1")).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("there is nothing at none")).to_be_visible(timeout=WAIT)
    assert accessibility_problems(page) == []
    table.get_by_role("button", name="Make none again").click()
    expect(page.get_by_text("there is nothing at none")).to_be_visible(timeout=WAIT)
    table.get_by_role("link", name=f"{person}:kept@v1").click()
    expect(page.get_by_role("button", name="a.txt", exact=True)).to_be_visible(timeout=WAIT)
    page.get_by_role("tab", name="Lineage").click()
    graph = page.get_by_role("region", name="Graph of the lineage")
    expect(graph.get_by_role("link", name="leaves-some#1")).to_be_visible(timeout=WAIT)

    page.goto(console.at("/jobs/new"))
    page.get_by_role("button", name="Outputs").click()
    page.get_by_role("button", name="Keep as a dataset version").click()
    output = page.get_by_role("group", name="Output out")
    expect(output.get_by_label("Dataset")).to_have_value("kept")
    assert accessibility_problems(page) == []


def test_a_public_set_is_imported_trained_on_and_shared_with_somebody_who_sees_it_come_and_go(
    console: Console, page_of: Pages
) -> None:
    person, friend = console.newcomer(), console.newcomer()
    page = page_of(person)
    page.goto(console.at("/datasets"))
    page.get_by_role("button", name="Public set…").click()
    dialog = page.get_by_role("dialog", name="Import a public set")
    dialog.get_by_label("Set", exact=True).select_option("imagenet")
    expect(dialog.get_by_text("an account at image-net.org")).to_be_visible()
    dialog.get_by_label("Set", exact=True).select_option("cifar10")
    expect(dialog.get_by_text("www.cs.toronto.edu", exact=True)).to_be_visible()
    dialog.get_by_label("A stand-in instead").check()
    dialog.get_by_label("Images", exact=True).fill("600")
    assert accessibility_problems(page) == []
    dialog.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="cifar10-stand-in")).to_be_visible()
    version = page.get_by_role("row").filter(has=page.get_by_role("link", name="v1", exact=True))
    expect(version).to_contain_text("classification", timeout=WAIT)
    address = page.url.partition("?")[0]
    page.get_by_role("tab", name="Overview").click()
    expect(page.get_by_text("This is a stand-in")).to_be_visible()

    page.goto(console.at("/jobs/new"))
    page.get_by_role("button", name="Mounts").click()
    page.get_by_role("button", name="Add a dataset").click()
    expect(page.get_by_role("group", name="Mount cifar10-stand-in@latest")).to_be_visible()
    mounts = [{"dataset": "cifar10-stand-in", "path": "/data"}]
    with console.client(person) as client:
        code = {"path": str(ROOT / "examples" / "cifar10")}
        file = {"kind": "training", "name": "learns", "command": "python train.py --epochs 5", "code": code}
        job = client.submit({**file, "image": "host", "mounts": mounts})
    page.goto(console.at(f"/jobs/{job.id}"))
    expect(page.get_by_text("of the test images are right")).to_be_visible(timeout=WAIT)

    theirs = page_of(friend)
    theirs.goto(console.at("/datasets"))
    expect(theirs.get_by_role("heading", name="Datasets")).to_be_visible()
    found = theirs.get_by_role("link", name="cifar10-stand-in")
    expect(found).to_have_count(0)
    page.goto(f"{address}?tab=sharing")
    page.get_by_label("Name", exact=True).fill(friend)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(found).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name=f"No longer share with {friend}").click()
    expect(found).to_have_count(0, timeout=WAIT)
