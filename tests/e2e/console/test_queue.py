"""The queue in the console: the true order, one's own turns by mouse and keyboard, pins, and who sees what."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from danlu.sdk import Client, WrongState
from tests.e2e.console.conftest import ENGINEER, OTHER, Console
from tests.live import eventually, training

NODE = {"cpus": 1, "memory": "64MiB", "gpus": 8, "gpu": "A100"}
MINE = ["turn-one", "turn-two", "turn-three"]
Pages = Callable[[str], Page]


@pytest.fixture(scope="module")
def sara(console: Console) -> Iterator[Client]:
    """Whoever holds the whole cluster and waits with three more jobs."""
    with console.client(ENGINEER) as client:
        held = [submit(client, f"holds-node-{number}") for number in range(2)]
        eventually(lambda: all(client.get(job).state == "running" for job in held))
        waiting = [submit(client, name) for name in MINE]
        eventually(lambda: order(client, mine=True) == MINE)
        yield client
        for job in [*waiting, *held]:
            client.stop(job)


@pytest.fixture(scope="module")
def wang(console: Console, sara: Client) -> Iterator[Client]:
    """Whoever waits behind."""
    with console.client(OTHER) as client:
        job = submit(client, "secret-plan")
        eventually(lambda: len(order(sara)) == 4)
        yield client
        with contextlib.suppress(WrongState):  # an administrator may have closed it
            client.stop(job)


def submit(client: Client, name: str) -> str:
    return str(client.submit(training(name, "sleep 600", resources=NODE)).id)


def order(client: Client, mine: bool = False) -> list[str | None]:
    return [one.name for one in client.queue(owner="me" if mine else None)]


def pinned(client: Client) -> list[str | None]:
    return [one.name for one in client.queue() if one.pinned_at]


def rows(page: Page) -> Locator:
    return page.get_by_role("region", name="Queue").get_by_role("row")


def shown(page: Page) -> list[str]:
    """The names of one's own in the order they stand on the page."""
    grips = page.get_by_role("button", name=re.compile("^Move turn-"))
    return [str(grip.get_attribute("aria-label")).removeprefix("Move ") for grip in grips.all()]


def test_a_job_is_dragged_before_another_of_ones_own(console: Console, sara: Client, page_of: Pages) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at("/queue"))
    expect(page.get_by_role("tab", name=re.compile("All jobs"))).to_be_visible()
    grip = page.get_by_role("button", name="Move turn-three")
    target = page.get_by_role("button", name="Move turn-one")
    expect(grip).to_be_visible()
    start, end = grip.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 8, start["y"] - 10, steps=5)
    page.mouse.move(end["x"] + 8, end["y"] + 2, steps=15)
    page.mouse.up()
    eventually(lambda: order(sara, mine=True) == ["turn-three", "turn-one", "turn-two"])
    eventually(lambda: shown(page) == ["turn-three", "turn-one", "turn-two"])


def test_the_keyboard_moves_a_job_just_as_well(console: Console, sara: Client, page_of: Pages) -> None:
    first, second, third = order(sara, mine=True)
    page = page_of(ENGINEER)
    page.goto(console.at("/queue?owner=me"))
    page.get_by_role("button", name=f"Actions for {first}").click()
    page.get_by_role("menuitem", name="To the bottom of mine").click()
    eventually(lambda: order(sara, mine=True) == [second, third, first])
    page.get_by_role("button", name=f"Move {third}").focus()
    page.keyboard.press("Alt+ArrowUp")
    eventually(lambda: order(sara, mine=True) == [third, second, first])
    page.get_by_role("button", name=f"Actions for {first}").click()
    page.get_by_role("menuitem", name="To place…").click()
    page.get_by_role("textbox", name="Place among my jobs").fill("1")
    page.get_by_role("dialog").get_by_role("button", name="Move").click()
    eventually(lambda: order(sara, mine=True) == [first, third, second])


def test_why_a_job_waits_is_one_click_away(console: Console, sara: Client, page_of: Pages) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at("/queue"))
    name = order(sara, mine=True)[0]
    page.get_by_role("button", name=re.compile(f"^Why {name} is waiting")).click()
    dialog = page.get_by_role("dialog", name=f"Why {name} is waiting")
    expect(dialog).to_contain_text("needs 8 × A100")
    expect(dialog.get_by_text("Place", exact=True)).to_be_visible()
    expect(dialog.get_by_text("Held by")).to_be_visible()


def test_two_people_side_by_side_see_only_what_they_may(
    console: Console, sara: Client, wang: Client, page_of: Pages
) -> None:
    hers, his = page_of(ENGINEER), page_of(OTHER)
    for page in (hers, his):
        page.goto(console.at("/queue"))
        expect(rows(page).nth(3)).to_be_visible()
    expect(his.get_by_text("secret-plan").first).to_be_visible()
    expect(hers.get_by_text("secret-plan")).to_have_count(0)
    expect(his.get_by_text("turn-one")).to_have_count(0)
    expect(hers.get_by_text(f"of {OTHER}").or_(hers.get_by_text("private job")).first).to_be_visible()
    # Nobody can drag, pin or choose what is not theirs to move.
    expect(his.get_by_role("button", name=re.compile("^Move turn-"))).to_have_count(0)
    expect(his.get_by_role("checkbox")).to_have_count(0)
    # What is hers is not to be read by him, whatever address he tries.
    mine = next(job.id for job in sara.jobs(search="turn-one"))
    his.goto(console.at(f"/jobs/{mine}"))
    expect(his.get_by_text("No such job")).to_be_visible()
    his.goto(console.at(f"/scores/{ENGINEER}"))
    expect(his.get_by_text(re.compile("no user|may not see|No such", re.IGNORECASE)).first).to_be_visible()
    his.goto(console.at("/jobs"))
    expect(his.get_by_text("secret-plan").first).to_be_visible()
    expect(his.get_by_text("holds-node-0")).to_have_count(0)


def test_an_administrator_pins_unpins_and_closes(
    console: Console, sara: Client, wang: Client, page: Page
) -> None:
    page.goto(console.at("/queue"))
    page.get_by_role("button", name="Actions for secret-plan").click()
    page.get_by_role("menuitem", name="Pin", exact=True).click()
    eventually(lambda: pinned(wang) == ["secret-plan"])
    row = rows(page).filter(has_text="secret-plan")
    expect(row.get_by_text("Pinned").first).to_be_visible()
    page.get_by_role("button", name="Actions for secret-plan").click()
    page.get_by_role("menuitem", name="Unpin").click()
    eventually(lambda: pinned(wang) == [])
    page.get_by_role("button", name="Actions for secret-plan").click()
    page.get_by_role("menuitem", name="Close").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(OTHER)
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    eventually(lambda: next(iter(wang.jobs(search="secret-plan"))).state == "stopped")
    expect(row).to_have_count(0)


def test_the_score_is_plotted_and_explained_row_by_row(
    console: Console, sara: Client, page_of: Pages
) -> None:
    page = page_of(ENGINEER)
    page.goto(console.at("/scores"))
    expect(page.get_by_role("heading", name="My score", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Score over time: A100")).to_be_visible()
    expect(page.get_by_role("figure", name="The score over time")).to_be_visible()
    ledger = page.get_by_role("row").filter(has_text="holds-node-0")
    expect(ledger.first).to_contain_text("still in use")
