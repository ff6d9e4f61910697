"""Files: a folder of one's own becomes a job's code, and what the job wrote is browsed, looked into and downloaded."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console
from tests.e2e.console.test_frame import accessibility_problems

PROGRAM = """
import os
os.makedirs("out", exist_ok=True)
open("out/损失.csv", "w").write("step,loss\\n1,0.5\\n")
open("out/page.html", "w").write("<script>document.title = 'taken over'</script>")
print("began with", sorted(os.listdir(".")))
"""


def test_a_folder_becomes_code_and_what_it_wrote_is_looked_into_and_downloaded(
    console: Console, page: Page, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "train.pyc").write_text("never code")
    (folder / "train.py").write_text(PROGRAM)
    (folder / ".gitignore").write_text("*.pt\n")
    (folder / "weights.pt").write_text("never code either")
    page.goto(console.at("/jobs/new"))
    page.get_by_role("button", name=re.compile("^Code")).first.click()
    page.locator("input[type=file]").set_input_files(folder)
    expect(page.get_by_text("2 files,")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("2 files,")).to_have_count(0)
    page.locator("input[type=file]").set_input_files(folder)
    expect(page.get_by_text("2 files,")).to_be_visible()
    page.get_by_role("textbox", name="Name").first.fill("from-a-folder")
    page.get_by_role("textbox", name="Command").first.fill("python3 train.py")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("Completed"))).to_be_visible()
    expect(page.get_by_role("log")).to_contain_text("began with ['.gitignore', 'out', 'train.py']")

    page.get_by_role("tab", name="Files").click()
    page.get_by_role("button", name="out", exact=True).click()
    page.get_by_role("button", name="损失.csv", exact=True).click()
    expect(page.get_by_role("cell", name="0.5")).to_be_visible()
    assert accessibility_problems(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download page.html").first.click()
    assert "taken over" in download.value.path().read_text()
    page.get_by_role("button", name="page.html", exact=True).click()
    expect(page.get_by_role("region", name="page.html", exact=True)).to_contain_text("<script>")
    expect(page).not_to_have_title("taken over")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all").click()
    assert download.value.suggested_filename == "out.tar"
