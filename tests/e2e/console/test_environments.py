"""Packages: chosen in the form, installed by the job, seen and deleted under My environments."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import training
from tests.wheels import code_with

Pages = Callable[[str], Page]


def test_packages_of_a_job_become_an_environment_that_can_be_deleted(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    name = console.newcomer()
    code_with(tmp_path, "shelf", shelf="3.1")
    with console.client(name) as client:
        keys = {"code": {"path": str(tmp_path)}, "packages": {"pip": "requirements.txt"}}
        client.submit(training("with-packages", "python -c 'import shelf'", **keys))
        client.wait("with-packages")
    page = page_of(name)
    page.goto(console.at("/environments"))
    page.get_by_role("button", name="requirements.txt").click()
    expect(page.get_by_role("dialog")).to_contain_text("shelf 3.1")
    page.keyboard.press("Escape")
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No environments yet")).to_be_visible()

    page.goto(console.at("/jobs/new"))
    # A recent job may have the word in its name.
    page.get_by_role("button", name=re.compile("^Packages")).click()
    page.get_by_text("Names", exact=True).click()
    page.get_by_label("Packages *").fill("einops\nnumpy<2")
    expect(page.get_by_label("Job file")).to_contain_text("numpy<2")
