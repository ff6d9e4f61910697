"""What was used and what was done: the resource panel and the audit log in the browser."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from danlu.sdk import Client
from danlu.sdk.models import JobRow
from tests.e2e.console.conftest import NAME, OTHER, Console
from tests.live import eventually

Pages = Callable[[str], Page]
HOLDING = ("queued", "starting", "running", "stopping")


def test_the_panel_tells_by_model_and_class_what_is_used_and_was(
    console: Console, admin: Client, page: Page, page_of: Pages, tmp_path: Path
) -> None:
    job = console.submit(
        "in-use", "sleep 600", resources={"cpus": 1, "memory": "1GiB", "gpus": 2, "gpu": "A100"}
    )
    eventually(lambda: admin.get(job).state == "running")

    def others() -> list[JobRow]:
        """Of other tests, whose GPUs would be counted too."""
        return [one for one in admin.jobs(limit=200) if one.id != job and one.gpus and one.state in HOLDING]

    for one in others():
        if one.state != "stopping":
            admin.stop(one.id)
    eventually(lambda: not others())
    eventually(lambda: "A100" in {line.key for line in admin.usage.trends(by="model").lines}, seconds=60)
    page.goto(console.at("/panel"))
    models = page.get_by_role("region", name="By GPU model")
    expect(models.get_by_role("row", name=re.compile("A100.*2.*14.*16"))).to_be_visible()
    classes = page.get_by_role("region", name="By class of job")
    expect(classes.get_by_role("row", name=re.compile("Single node.*2 A100"))).to_be_visible()
    expect(page.get_by_role("figure", name="GPUs allocated")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download CSV").click()
    download.value.save_as(tmp_path / "trends.csv")
    rows = list(csv.DictReader((tmp_path / "trends.csv").read_text().splitlines()))
    assert "A100" in {value for row in rows for value in row.values()}

    his = page_of(OTHER)
    his.goto(console.at("/panel?scope=mine"))
    expect(his.get_by_role("region", name="By class of job")).not_to_contain_text("2 A100")
    admin.stop(job)


def test_what_was_done_is_in_the_audit_log_with_before_and_after(console: Console, page: Page) -> None:
    with console.client(NAME) as client:
        client.flavors.create("tiny", {"cpus": 1, "memory": "1GiB"}, description="before")
        client.flavors.edit("tiny", description="afterwards")
        client.flavors.delete("tiny")
    page.goto(console.at("/audit?search=tiny"))
    for act in ("added", "changed", "removed"):
        expect(page.get_by_role("button", name=f"{NAME} {act} flavor tiny")).to_be_visible()
    edited = page.get_by_role("row").filter(has_text="changed flavor")
    expect(edited).to_contain_text(NAME)
    expect(edited).to_contain_text("127.0.0.1")
    edited.get_by_role("button").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("before")
    expect(dialog).to_contain_text("afterwards")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Verify").click()
    dialog.get_by_role("button", name="Verify").click()
    expect(dialog.get_by_role("status")).to_contain_text("The chain is intact")
