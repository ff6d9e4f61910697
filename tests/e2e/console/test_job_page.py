"""The job's page: logs, plots, terminal, configuration, what went wrong and what to wait for."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import eventually

BEAT = "i=0; while true; do i=$((i+1)); echo beat $i; sleep 0.2; done"
Pages = Callable[[str], Page]


def stop(console: Console, job: str) -> None:
    with console.server.client() as client:
        client.stop(job)


def test_a_log_is_followed_searched_and_the_job_stopped_after_a_question(
    console: Console, page: Page
) -> None:
    job = console.submit("endless", BEAT)
    page.goto(console.at(f"/jobs/{job}"))
    log = page.get_by_role("log")
    expect(log).to_contain_text("beat 3")
    expect(log).to_contain_text("beat 12")
    page.get_by_role("searchbox", name="Search the log").fill("beat 1")
    expect(log.locator("mark").first).to_be_visible()
    page.get_by_role("button", name="Previous match").click()
    page.get_by_role("combobox", name="Times").select_option(index=1)
    expect(log).to_contain_text(re.compile(r"\d\d:\d\d:\d\d"))
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name=re.compile("Stopped"))).to_be_visible()
    expect(page.get_by_text("End of log")).to_be_visible()


def test_errors_in_a_log_are_jumped_to_and_colours_are_shown(console: Console, page: Page) -> None:
    command = (
        "seq 1 400; printf '\\033[31mERROR: the first\\033[0m\\n'; seq 401 800; "
        "echo 'Traceback (most recent call last):'; echo 'ValueError: the second'; seq 801 1200"
    )
    job = console.submit("has-errors", command)
    page.goto(console.at(f"/jobs/{job}"))
    log = page.get_by_role("log")
    expect(log).to_contain_text("1200")
    page.get_by_role("button", name="Previous error").click()
    expect(log).to_contain_text("the second")
    page.get_by_role("button", name="Previous error").click()
    expect(log).to_contain_text("Traceback")
    page.get_by_role("button", name="Previous error").click()
    expect(log).to_contain_text("ERROR: the first")
    assert "\\033" not in log.inner_text()


def test_two_tasks_stand_side_by_side(console: Console, page: Page) -> None:
    job = console.submit("two-abreast", 'echo "I am $DANLU_TASK"; sleep 60', nodes=2)
    page.goto(console.at(f"/jobs/{job}"))
    expect(page.get_by_role("log", name="Log of worker-0")).to_contain_text("I am worker-0")
    page.get_by_role("button", name="Show another task next to it").click()
    expect(page.get_by_role("log", name="Log of worker-1")).to_contain_text("I am worker-1")
    expect(page).to_have_url(re.compile("beside=worker-1"))
    page.reload()
    expect(page.get_by_role("log", name="Log of worker-1")).to_contain_text("I am worker-1")
    stop(console, job)


def test_a_failed_job_says_why_shows_the_last_lines_and_what_to_try(console: Console, page: Page) -> None:
    job = console.submit("failing", "echo about to fail; echo the very last words >&2; exit 3")
    page.goto(console.at(f"/jobs/{job}"))
    expect(page.get_by_role("heading", name=re.compile("Failed"))).to_be_visible()
    expect(page.get_by_text(re.compile("exit code 3")).first).to_be_visible()
    expect(page.get_by_role("region", name="Last lines of worker-0")).to_contain_text("the very last words")
    expect(page.get_by_role("link", name="Clone with changes")).to_be_visible()
    page.get_by_role("tab", name="Tasks").click()
    expect(page.get_by_role("row", name=re.compile("worker-0"))).to_contain_text("3")
    page.get_by_role("tab", name="Details").click()
    page.get_by_text("Events", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text="exit code 3").first).to_be_visible()


def test_a_waiting_job_says_why_and_what_would_start_it(console: Console, page: Page) -> None:
    whole = {"cpus": 1, "memory": "64MiB", "gpus": 8, "gpu": "A100"}
    held = [console.submit(f"fills-{at}", "sleep 60", resources=whole) for at in range(2)]
    job = console.submit("has-to-wait", "true", resources=whole)
    try:
        page.goto(console.at(f"/jobs/{job}"))
        expect(page.get_by_text(re.compile("needs 8 × A100")).first).to_be_visible()
        why = page.get_by_role("region", name="Why it is waiting")
        for figure in ("Place", "Waiting for", "Held by"):
            expect(why.get_by_text(figure, exact=True)).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Score of|My score")).first).to_be_visible()
    finally:
        for one in held:
            stop(console, one)
    # The page follows by itself, through the start to the end.
    expect(page.get_by_role("heading", name=re.compile("has-to-wait.*Completed"))).to_be_visible()


def test_plots_show_what_a_task_really_uses(console: Console, page: Page) -> None:
    job = console.submit(
        "burns-cpu",
        ["python3", "-c", "x = bytearray(200 << 20)\nwhile True: pass"],
        resources={"cpus": 1, "memory": "1GiB"},
    )
    page.goto(console.at(f"/jobs/{job}?tab=plots"))
    for figure in ("CPU cores", "Memory"):
        expect(page.get_by_role("figure", name=figure)).to_be_visible()
    with console.server.client() as client:
        eventually(lambda: client.usage(job).items[0].times, 30)
    # The summary that screen readers are given tells the measured numbers.
    expect(page.get_by_role("figure", name="Memory")).to_contain_text(re.compile("2\\d\\d MiB"))
    assert accessibility_problems(page) == []
    stop(console, job)


def test_a_terminal_runs_in_the_task_and_survives_a_lost_connection(console: Console, page: Page) -> None:
    job = console.submit("entered-by-hand", "sleep 300")
    with console.server.client() as client:
        eventually(lambda: client.get(job).state == "running")
    page.goto(console.at(f"/jobs/{job}?tab=terminal"))
    terminal = page.get_by_role("textbox", name=re.compile("Terminal in worker-0"))
    terminal.wait_for(state="attached")
    screen = page.locator(".xterm-screen")
    expect(screen).to_be_visible()
    expect(page.locator(".xterm-rows")).to_contain_text(re.compile("[$#] *$"))
    terminal.focus()
    page.keyboard.type("echo marker-$((40+2)); stty size\n")
    expect(page.locator(".xterm-rows")).to_contain_text("marker-42")
    page.keyboard.type("KEPT=still-here\n")
    page.reload()
    terminal.wait_for(state="attached")
    expect(page.locator(".xterm-rows")).to_contain_text("marker-42")
    terminal.focus()
    page.keyboard.type("echo $KEPT\n")
    expect(page.locator(".xterm-rows")).to_contain_text("still-here")
    terminal.focus()
    page.keyboard.type("exit 7\n")
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    stop(console, job)


def test_a_clone_shows_what_differs_from_its_source(console: Console, page: Page) -> None:
    with console.server.client() as client:
        source = client.create({"kind": "training", "name": "the-source", "command": "echo one"})
        clone = client.clone(source.id, "the-clone", start=False)
        client.edit(clone.id, {**clone.spec, "command": "echo two"})
    page.goto(console.at(f"/jobs/{clone.id}?tab=spec"))
    page.get_by_text("Changes from the-source#1", exact=True).first.click()
    changes = page.get_by_role("region", name="Changes from the-source#1")
    expect(changes).to_contain_text("echo one")
    expect(changes).to_contain_text("echo two")


def test_the_page_prints_whole(console: Console, page: Page) -> None:
    job = console.submit("on-paper", "seq 1 100; exit 2")
    page.goto(console.at(f"/jobs/{job}"))
    expect(page.get_by_role("heading", name=re.compile("Failed"))).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    expect(page.get_by_role("heading", name=re.compile("on-paper"))).to_be_visible()
    assert len(page.pdf()) > 10_000


def test_an_open_page_survives_the_death_of_the_server(console: Console, page: Page) -> None:
    job = console.submit("outlives", BEAT)
    page.goto(console.at(f"/jobs/{job}"))
    log = page.get_by_role("log")
    expect(log).to_contain_text("beat 2")
    console.server.kill()
    expect(page.get_by_text("Reconnecting", exact=True).first).to_be_visible()
    console.server.start()
    expect(page.get_by_text("Reconnecting", exact=True)).to_have_count(0)
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    stop(console, job)
    expect(page.get_by_role("heading", name=re.compile("Stopped"))).to_be_visible()
