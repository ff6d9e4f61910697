"""What a training tells on its job's page: metrics, attempts, its checkpoint, where its tasks stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ENGINEER, Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import eventually, training

TRAIN = """
import os, sys, time, danlu

begin = danlu.resume_from()
step = begin.step if begin else 0
folder = os.environ["DANLU_CHECKPOINT_DIR"]
os.makedirs(folder, exist_ok=True)
while not danlu.should_stop():
    step += 1
    danlu.log(step, loss=2 / step, lr=0.1)
    if step % 10 == 0:
        danlu.log(step, val_loss=3 / step)
    if step % 20 == 0:
        path = os.path.join(folder, "latest")
        open(path, "w").close()
        danlu.checkpoint(path, step)
    if begin is None and step == 50:
        sys.exit("the first attempt ends here")
    time.sleep(0.005 if step < 100 else 0.1)
"""
SIZE = {"cpus": 1, "memory": "256MiB"}
Pages = Callable[[str], Page]


@pytest.fixture(scope="module")
def resumed(console: Console) -> Iterator[str]:
    """A training of an engineer that failed once and goes on from step 40."""
    trouble = {"on": {"task_failed": "restart_job"}, "backoff": {"first": "0s"}}
    with console.client(ENGINEER) as client:
        job = client.submit(training("goes-on", ["python", "-c", TRAIN], resources=SIZE, **trouble)).id
        eventually(lambda: client.get(job).attempt == 2 and client.get(job).state == "running", 60)
        yield job
        client.stop(job)


def test_metrics_are_drawn_live_and_combined_as_the_address_says(
    console: Console, page_of: Pages, resumed: str
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at(f"/jobs/{resumed}?tab=metrics"))
    loss = page.get_by_role("figure", name="loss", exact=True)
    expect(loss.locator("canvas")).to_be_visible()
    step = page.locator("dl > div", has=page.get_by_text("Step", exact=True)).locator("dd")
    before = int(step.inner_text().replace(",", ""))
    expect(step).not_to_have_text(f"{before:,}")
    page.get_by_text("Related together").click()
    expect(loss).to_contain_text("val_loss")
    page.get_by_role("slider", name=re.compile("Smoothing")).fill("60")
    page.get_by_role("button", name="Log scale").click()
    for choice in ("charts=related", "smooth=60", "scale=log"):
        expect(page).to_have_url(re.compile(choice))
    page.reload()
    expect(loss).to_contain_text("val_loss")
    expect(page.get_by_role("slider", name=re.compile("Smoothing"))).to_have_value("60")
    loss.locator(".u-over").hover()
    expect(page.get_by_text(re.compile(r"^Step \d+")).first).to_be_visible()
    assert accessibility_problems(page) == []


def test_attempts_tell_their_story_and_the_checkpoint_is_on_the_page(
    console: Console, page_of: Pages, resumed: str
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at(f"/jobs/{resumed}?tab=attempts"))
    attempts = page.get_by_role("list", name="Attempts").get_by_role("listitem")
    expect(attempts).to_have_count(2)
    expect(attempts.nth(1)).to_contain_text(
        re.compile("exit code 1.*the job restarted from checkpoint step 40")
    )
    expect(attempts.nth(0)).to_contain_text("step 40")
    expect(page.get_by_text(re.compile(r"^Checkpoint of step \d+"))).to_be_visible()
    assert accessibility_problems(page) == []
    attempts.nth(1).get_by_role("link", name="Logs").click()
    expect(page.get_by_role("log")).to_contain_text("the first attempt ends here")


def test_where_a_running_task_stands_is_shown_on_demand(
    console: Console, page_of: Pages, resumed: str
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at(f"/jobs/{resumed}?tab=stacks"))
    page.get_by_role("button", name="Take stacks").click()
    expect(page.get_by_role("region", name="Stacks of worker-0")).to_contain_text("process")
    expect(page.get_by_role("button", name="Take again")).to_be_enabled()
    assert accessibility_problems(page) == []


def test_a_failed_training_goes_on_from_its_checkpoint_or_begins_anew(
    console: Console, page_of: Pages
) -> None:
    with console.client(ENGINEER) as client:
        job = client.submit(training("fails-once", ["python", "-c", TRAIN], resources=SIZE)).id
        page = page_of(ENGINEER)
        page.goto(console.at(f"/jobs/{job}"))
        go_on = page.get_by_role("button", name="Resume from step 40")
        expect(go_on).to_be_visible()
        expect(page.get_by_text(re.compile("exit code 1.*; the job failed"))).to_be_visible()
        page.get_by_role("button", name="Start from the beginning").click()
        page.get_by_role("dialog").get_by_role("button", name="Start").click()
        eventually(lambda: client.get(job).attempt == 2 and client.get(job).state == "failed", 60)
        assert client.get(job).attempts[-1].resumed is None
        page.reload()  # a page that is still catching up may exchange the button while it is pressed
        go_on.click()
        expect(page.get_by_role("heading", name=re.compile("Running"))).to_be_visible()
        resumed = client.get(job).attempts[-1].resumed
        assert resumed is not None
        assert resumed.step == 40
        client.stop(job)


def test_who_logs_nothing_is_told_how(console: Console, page: Page) -> None:
    job = console.submit("tells-nothing", "sleep 60", resources=SIZE)
    page.goto(console.at(f"/jobs/{job}?tab=metrics"))
    expect(page.get_by_text("danlu.log(step, loss=loss)")).to_be_visible()
    expect(page.get_by_role("button", name="Copy these lines")).to_be_visible()
    assert accessibility_problems(page) == []
    with console.server.client() as client:
        client.stop(job)
