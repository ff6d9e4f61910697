"""Volumes: made, filled over a cut connection and a reload, shared, and emptied with a way back."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import time
import wave
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.console.conftest import Console
from tests.e2e.console.test_frame import accessibility_problems
from tests.live import PATIENCE

Pages = Callable[[str], Page]
MIB = 2**20
SAMPLES = Path(__file__).parents[2] / "unit" / "server" / "parquet"
PICTURE = "docs/images/overview.png"
SEEK = """one => new Promise((done, fail) => {
  one.addEventListener('error', () => fail(one.error?.message));
  const seek = () => {
    one.addEventListener('seeked', () => done([one.duration, one.currentTime]));
    one.currentTime = 25;
  };
  if (one.readyState > 0) seek();
  else one.addEventListener('loadedmetadata', seek);
})"""


class Wire:
    """Lets so many chunks of uploads through and then cuts the connection, until it is mended."""

    def __init__(self, page: Page, chunks: int) -> None:
        self.left: float = chunks
        self.offsets: list[int] = []
        page.route(re.compile(r"/uploads/[^/]+$"), self._pass)

    def mend(self) -> None:
        self.left = float("inf")

    def _pass(self, route: Route, request: Request) -> None:
        if request.method == "PATCH":
            if self.left <= 0:
                return route.abort("connectionfailed")
            self.left -= 1
            self.offsets.append(int(request.headers["upload-offset"]))
        elif self.left <= 0:
            return route.abort("connectionfailed")
        return route.continue_()


def make_volume(page: Page, console: Console, name: str) -> None:
    page.goto(console.at("/volumes"))
    page.get_by_role("button", name="New volume").first.click()
    dialog = page.get_by_role("dialog", name="New volume")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Capacity").fill("1GiB")
    assert accessibility_problems(page) == []
    dialog.get_by_role("button", name="Create volume").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def drop(page: Page, name: str, text: str) -> None:
    """A file onto the list, as from a desktop."""
    make = "([name, text]) => { const held = new DataTransfer(); held.items.add(new File([text], name)); return held; }"
    held = page.evaluate_handle(make, [name, text])
    for event in ("dragenter", "dragover", "drop"):
        page.get_by_role("button", name="New folder").dispatch_event(event, {"dataTransfer": held})


def test_a_folder_is_uploaded_though_the_connection_is_cut_and_the_page_reloaded(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    page = page_of(console.newcomer())
    page.on("dialog", lambda dialog: dialog.accept())  # the tab asks before it is left
    folder = tmp_path / "set"
    (folder / "deep").mkdir(parents=True)
    (folder / "50% 数据.csv").write_text("step,loss\n1,0.5\n")
    content = os.urandom(20 * MIB)
    (folder / "deep" / "big.bin").write_bytes(content)
    make_volume(page, console, "filled")
    wire = Wire(page, 1)
    page.locator("input[type=file][aria-label='Upload a folder']").first.set_input_files(folder)
    expect(page.get_by_text("trying again")).to_be_visible()
    expect(page.get_by_role("progressbar", name="set/deep/big.bin")).to_have_attribute("aria-valuenow", "40")
    assert accessibility_problems(page) == []

    page.reload()
    expect(page.get_by_text("An upload was interrupted")).to_be_visible()
    wire.mend()
    page.locator("input[type=file][aria-label='Choose the folder again']").set_input_files(folder)
    expect(page.get_by_text("An upload was interrupted")).to_have_count(0)
    expect(page.get_by_text("1 of 1 files")).to_be_visible()
    assert wire.offsets == [0, 8 * MIB, 16 * MIB]

    page.get_by_role("button", name="set", exact=True).click()
    page.get_by_role("button", name="50% 数据.csv", exact=True).click()
    expect(page.get_by_role("cell", name="0.5")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="deep", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download big.bin").click()
    assert download.value.path().read_bytes() == content


def test_a_real_folder_is_dropped_with_all_that_is_in_it(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    """More names than the browser tells of at once, in folders, by the browser's own drag and drop."""
    page = page_of(console.newcomer())
    page.goto(console.at("/volumes/personal"))
    folder = tmp_path / "set"
    (folder / "a b" / "深").mkdir(parents=True)
    for number in range(130):
        (folder / "a b" / f"{number:03}.txt").write_text(str(number))
    (folder / "a b" / "深" / "100%.txt").write_text("deep")
    (tmp_path / "beside.txt").write_text("beside")
    place = page.get_by_role("button", name="New folder").bounding_box()
    assert place is not None
    browser = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(folder), str(tmp_path / "beside.txt")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": place["x"] + 5, "y": place["y"] + 5}
        browser.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})
    expect(page.get_by_text("132 of 132 files")).to_be_visible(timeout=PATIENCE * 1000)
    page.get_by_role("button", name="set", exact=True).click()
    page.get_by_role("button", name="a b", exact=True).click()
    page.get_by_role("button", name="129.txt", exact=True).click()
    expect(page.get_by_role("region", name="129.txt", exact=True)).to_contain_text("129")
    page.get_by_role("button", name="深", exact=True).click()
    page.get_by_role("button", name="100%.txt", exact=True).click()
    expect(page.get_by_role("region", name="100%.txt", exact=True)).to_contain_text("deep")


MANY = """(input, count) => {
  const value = Array.from({ length: count }, (_, at) => new File([], `${at}.txt`));
  Object.defineProperty(input, 'files', { value, configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}"""


def test_a_hundred_thousand_uploads_leave_the_page_to_its_user(console: Console, page_of: Pages) -> None:
    page = page_of(console.newcomer())
    page.goto(console.at("/volumes/personal"))
    page.route(re.compile(r"/uploads$"), lambda _: None)  # never answered: all of them wait
    picker = page.locator("input[type=file][aria-label='Upload files']").first
    picker.wait_for(state="attached")
    began = time.monotonic()
    picker.evaluate(MANY, 100_000)
    expect(page.get_by_text(re.compile("0 of 100,?000 files"))).to_be_visible(timeout=PATIENCE * 1000)
    assert page.get_by_role("list", name="Uploads").get_by_role("listitem").count() <= 60
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Go on", exact=True)).to_be_visible()
    took = time.monotonic() - began
    assert took < PATIENCE, f"{took:.1f} s until all were paused"
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Cancel all").click()
    expect(page.get_by_text(re.compile("100,?000 files"))).to_have_count(0)


def sound() -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(bytes(2 * 8_000 * 30))
    return made.getvalue()


def notebook() -> str:
    picture = base64.b64encode((SAMPLES.parents[3] / PICTURE).read_bytes()).decode()
    cells = [
        {"cell_type": "markdown", "source": "# A study"},
        {
            "cell_type": "code",
            "execution_count": 1,
            "source": ["draw()"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": "drawn in 2 s"},
                {"output_type": "display_data", "data": {"image/png": picture}},
                {
                    "output_type": "display_data",
                    "data": {"text/html": "<img src=x onerror='document.title=1'>"},
                },
            ],
        },
    ]
    return json.dumps({"nbformat": 4, "cells": cells})


def test_tables_notebooks_and_sound_are_looked_into(console: Console, page_of: Pages, tmp_path: Path) -> None:
    page = page_of(console.newcomer())
    page.goto(console.at("/volumes/personal"))
    (tmp_path / "rows.parquet").write_bytes((SAMPLES / "snappy.parquet").read_bytes())
    (tmp_path / "study.ipynb").write_text(notebook())
    (tmp_path / "voice.wav").write_bytes(sound())
    files = sorted(tmp_path.iterdir())
    page.locator("input[type=file][aria-label='Upload files']").first.set_input_files(files)
    page.get_by_role("button", name="rows.parquet", exact=True).click()
    expect(page.get_by_role("cell", name="2026-11-18 08:00:00Z").first).to_be_visible()
    expect(page.get_by_text("1 column cannot be shown")).to_be_visible()
    assert accessibility_problems(page) == []

    page.get_by_role("button", name="study.ipynb", exact=True).click()
    shown = page.get_by_role("region", name="study.ipynb", exact=True)
    expect(shown).to_contain_text("drawn in 2 s")
    expect(shown).to_contain_text("text/html: not shown")
    expect(shown.get_by_role("img")).to_be_visible()
    assert shown.get_by_role("img").evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
    assert accessibility_problems(page) == []

    page.get_by_role("button", name="voice.wav", exact=True).click()
    player = page.locator("audio")
    expect(player).to_be_visible()
    assert player.evaluate(SEEK) == [30, 25]
    assert accessibility_problems(page) == []


def test_files_are_moved_renamed_and_deleted_with_a_way_back(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    page = page_of(console.newcomer())
    page.goto(console.at("/volumes/personal"))
    (tmp_path / "a.txt").write_text("a")
    page.locator("input[type=file][aria-label='Upload files']").first.set_input_files(tmp_path / "a.txt")
    drop(page, "b.txt", "b")
    expect(page.get_by_role("button", name="b.txt", exact=True)).to_be_visible()
    page.get_by_role("button", name="New folder").click()
    dialog = page.get_by_role("dialog", name="New folder")
    dialog.get_by_label("Name").fill("kept")
    dialog.get_by_role("button", name="Create folder").click()
    page.get_by_role("button", name="More for b.txt").click()
    page.get_by_role("menuitem", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move b.txt")
    dialog.get_by_role("button", name="kept").click()
    dialog.get_by_role("button", name="Move here").click()
    expect(page.get_by_role("button", name="b.txt", exact=True)).to_have_count(0)

    page.get_by_role("checkbox", name="Choose a.txt").check()
    page.keyboard.press("F2")
    dialog = page.get_by_role("dialog", name="Rename a.txt")
    dialog.get_by_label("Name").fill("c.txt")
    dialog.get_by_role("button", name="Rename").click()
    page.get_by_role("checkbox", name="Choose c.txt").check()
    page.get_by_role("checkbox", name="Choose kept").check()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="c.txt", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="kept", exact=True).click()
    expect(page.get_by_role("button", name="b.txt", exact=True)).to_be_visible()
    page.get_by_role("button", name="More for b.txt").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Trash", exact=True).click()
    expect(page.get_by_text("kept/b.txt")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("The trash is empty")).to_be_visible()


def test_what_is_uploaded_over_something_replaces_it_only_when_one_says_so(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    page = page_of(console.newcomer())
    page.goto(console.at("/volumes/personal"))
    file = tmp_path / "model.txt"
    picker = page.locator("input[type=file][aria-label='Upload files']").first
    file.write_text("first")
    picker.set_input_files(file)
    expect(page.get_by_role("button", name="model.txt", exact=True)).to_be_visible()
    file.write_text("second")
    picker.set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("exists already")
    page.get_by_role("button", name="Replace", exact=True).click()
    expect(page.get_by_text("1 of 1 files")).to_be_visible()
    page.get_by_role("button", name="model.txt", exact=True).click()
    expect(page.get_by_role("region", name="model.txt", exact=True)).to_contain_text("second")


def test_a_volume_is_shared_and_whoever_may_only_read_it_cannot_write(
    console: Console, page_of: Pages, tmp_path: Path
) -> None:
    owner, friend = console.newcomer(), console.newcomer()
    page = page_of(owner)
    make_volume(page, console, "common")
    (tmp_path / "note.txt").write_text("for you")
    page.locator("input[type=file][aria-label='Upload files']").first.set_input_files(tmp_path / "note.txt")
    expect(page.get_by_role("button", name="note.txt", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Sharing").click()
    page.get_by_label("Name", exact=True).fill(friend)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("table").get_by_text(friend)).to_be_visible()
    assert accessibility_problems(page) == []

    other = page_of(friend)
    other.goto(console.at("/volumes"))
    other.get_by_role("link", name="common").click()
    other.get_by_role("button", name="note.txt", exact=True).click()
    expect(other.get_by_role("region", name="note.txt", exact=True)).to_contain_text("for you")
    expect(other.get_by_role("button", name="Upload files")).to_have_count(0)
    link = other.url

    page.get_by_role("button", name=f"No longer share with {friend}").click()
    expect(page.get_by_text("Shared with nobody")).to_be_visible()
    other.goto(link)
    expect(other.get_by_text("No such volume")).to_be_visible()

    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("button", name="Move to the trash").click()
    dialog = page.get_by_role("dialog", name="Move common to the trash?")
    dialog.get_by_role("button", name="Move to the trash").click()
    page.get_by_role("tab", name="Trash").click()
    page.get_by_role("button", name="Restore common").click()
    page.get_by_role("tab", name="Volumes").click()
    expect(page.get_by_role("link", name="common")).to_be_visible()
