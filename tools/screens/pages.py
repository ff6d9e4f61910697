"""Which pages are taken, and what is done on each before the picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Shot:
    """A page of a world; `act` brings it to what is worth seeing."""

    name: str
    path: str
    world: str = "full"
    act: Act | None = None
    signed_in: bool = True


def press(keys: str) -> Act:
    def act(page: Page) -> None:
        page.keyboard.press(keys)
        page.wait_for_timeout(600)

    return act


def rest(milliseconds: int) -> Act:
    return lambda page: page.wait_for_timeout(milliseconds)


def click(name: str) -> Act:
    """A button by its English or Chinese name."""

    def act(page: Page) -> None:
        page.get_by_role("button", name=re.compile(name)).first.click()
        page.wait_for_timeout(800)

    return act


def type_in_palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.wait_for_timeout(500)
    page.keyboard.type("sft")
    page.wait_for_timeout(900)


def open_news(page: Page) -> None:
    page.get_by_role("banner").get_by_role(
        "button", name=re.compile("news|消息", re.IGNORECASE)
    ).first.click()
    page.wait_for_timeout(600)


def choose_rows(page: Page) -> None:
    boxes = page.get_by_role("table").get_by_role("checkbox")
    for at in (1, 2, 3):
        boxes.nth(at).check()
    page.wait_for_timeout(300)


def use_terminal(page: Page) -> None:
    page.wait_for_timeout(2500)
    page.keyboard.type("nvidia-smi || free -h\n")
    page.wait_for_timeout(1200)


SHOTS = (
    Shot("sign-in", "/sign-in", signed_in=False),
    Shot("overview-empty", "/", "empty"),
    Shot("overview", "/"),
    Shot("jobs-empty", "/jobs", "empty"),
    Shot("jobs", "/jobs"),
    Shot("jobs-none-match", "/jobs?search=nothing-like-this"),
    Shot("jobs-chosen", "/jobs", act=choose_rows),
    Shot("job-running", "/jobs/{running}", act=rest(1500)),
    Shot("job-side-by-side", "/jobs/{running}?task=worker-0&beside=worker-1", act=rest(1500)),
    Shot("job-plots", "/jobs/{running}?tab=plots", act=rest(2500)),
    Shot("job-tasks", "/jobs/{running}?tab=tasks"),
    Shot("job-events", "/jobs/{running}?tab=events"),
    Shot("job-terminal", "/jobs/{running}?tab=terminal", act=use_terminal),
    Shot("job-diff", "/jobs/{clone}?tab=spec&compare=on", act=rest(1000)),
    Shot("job-failed", "/jobs/{failed}", act=rest(1000)),
    Shot("job-waiting", "/jobs/{waiting}", act=rest(1000)),
    Shot("job-completed", "/jobs/{completed}", act=rest(800)),
    Shot("submit", "/jobs/new", act=rest(1800)),
    Shot("edit", "/jobs/{clone}/edit", act=rest(1800)),
    Shot("templates-empty", "/templates", "empty"),
    Shot("templates", "/templates"),
    Shot("environments-empty", "/environments", "empty"),
    Shot("volumes-empty", "/volumes", "empty"),
    Shot("volume-empty", "/volumes/personal", "empty"),
    Shot("volumes", "/volumes"),
    Shot("volume-new", "/volumes", act=click("New volume|新建存储卷")),
    Shot("volume-files", "/volumes/{volume}"),
    Shot("volume-settings", "/volumes/{volume}?tab=settings"),
    Shot("datasets-empty", "/datasets", "empty"),
    Shot("datasets", "/datasets"),
    Shot("dataset", "/datasets/{dataset}"),
    Shot("dataset-files", "/datasets/{dataset}?tab=files"),
    Shot("dataset-changes", "/datasets/{dataset}?tab=changes"),
    Shot("dataset-lineage", "/datasets/{dataset}?tab=lineage", act=rest(800)),
    Shot("transfers-empty", "/transfers", "empty"),
    Shot("transfers", "/transfers"),
    Shot("transfer-new", "/transfers", act=click("New transfer|新建传输")),
    Shot("queue-empty", "/queue", "empty"),
    Shot("queue", "/queue"),
    Shot("scores", "/scores"),
    Shot("score", "/scores/chen", act=rest(1500)),
    Shot("score-empty", "/scores/mei", "empty"),
    Shot("nodes-empty", "/nodes", "empty"),
    Shot("nodes", "/nodes"),
    Shot("node", "/nodes/rtx3090-0", act=rest(1500)),
    Shot("clusters-empty", "/clusters", "empty"),
    Shot("profile", "/profile"),
    Shot("palette", "/jobs", act=type_in_palette),
    Shot("shortcuts", "/jobs", act=press("?")),
    Shot("news", "/jobs", act=open_news),
    Shot("missing", "/jobs/nothing-here"),
)

FOR_DOCS = {
    "overview": "overview.en.light.wide",
    "jobs": "jobs.en.light.wide",
    "job": "job-running.en.light.wide",
    "waiting": "job-waiting.en.light.wide",
    "submit": "submit.en.light.wide",
    "queue": "queue.en.light.wide",
    "nodes": "nodes.en.dark.wide",
    "overview-zh": "overview.zh-CN.dark.wide",
}
"""Pictures that README and guides show, by their name there."""
