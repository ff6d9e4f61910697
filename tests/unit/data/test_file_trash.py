"""What lies in the trash of a volume: how much it takes, and when it goes by itself."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from danlu.data.files.changes import DiskChanges
from danlu.data.files.collector import LeftoverCollector
from danlu.data.files.expiry import Steadiness, count_trashed_folders
from danlu.ports.volumes.changing import Hand, TrashUse, VolumeFolders
from tests.fakes.clock import FakeClock

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
MONTH = 30 * DAY
START = 1_700_000_000_000
CHANGES, NOBODY = DiskChanges(), Hand()


@pytest.fixture
def at(tmp_path: Path) -> VolumeFolders:
    (tmp_path / "all" / "v1" / "files").mkdir(parents=True)
    return VolumeFolders(str(tmp_path / "all" / "v1" / "files"), str(tmp_path / "all" / "v1"))


class Server:
    """Its collector, every five minutes of an artificial clock."""

    def __init__(self, at: VolumeFolders, life: int = MONTH) -> None:
        self.at, self.clock, self.life = at, FakeClock(START), life
        self.restart()

    def restart(self) -> None:
        self.collector = LeftoverCollector(Path(self.at.aside).parent, self.clock, self.life)

    def runs(self, time: int) -> None:
        for _ in range(time // (5 * MINUTE)):
            self.clock.advance(5 * MINUTE)
            self.collector.round()

    def leaps(self, time: int) -> None:
        self.clock.advance(time)
        self.collector.round()

    def deletes(self, name: str) -> str:
        Path(self.at.files, name).write_text(name)
        return CHANGES.delete(self.at, name.encode(), "eve", self.clock.now()).id

    @property
    def trash(self) -> list[bytes]:
        return [one.path for one in CHANGES.trash(self.at, 10)]


def test_what_lay_there_long_enough_is_gone_and_nothing_else(at: VolumeFolders) -> None:
    server = Server(at, life=3 * DAY)
    server.deletes("old")
    server.runs(2 * DAY)
    server.deletes("new")
    server.runs(DAY - 5 * MINUTE)
    assert server.trash == [b"new", b"old"]
    server.runs(10 * MINUTE)
    assert server.trash == [b"new"]
    server.runs(2 * DAY)
    assert server.trash == []


def test_with_no_time_it_stays(at: VolumeFolders) -> None:
    server = Server(at, life=0)
    server.deletes("old")
    server.runs(3 * DAY)
    server.leaps(1_000 * DAY)
    server.runs(2 * DAY)
    assert server.trash == [b"old"]


@pytest.mark.parametrize("restarts", [False, True])
def test_a_clock_that_leaps_empties_no_trash_at_once(at: VolumeFolders, restarts: bool) -> None:
    server = Server(at)
    server.runs(2 * DAY)
    server.deletes("mine")
    server.leaps(10 * 365 * DAY)
    if restarts:
        server.restart()
    server.runs(23 * HOUR)
    assert server.trash == [b"mine"]
    server.leaps(-10 * 365 * DAY)  # somebody set it right
    server.runs(10 * DAY)
    assert server.trash == [b"mine"]
    server.runs(21 * DAY)
    assert server.trash == []


def test_after_a_long_stop_it_goes_on_a_day_later(at: VolumeFolders) -> None:
    server = Server(at)
    server.runs(2 * DAY)
    server.deletes("mine")
    server.leaps(40 * DAY)
    server.restart()
    server.runs(23 * HOUR)
    assert server.trash == [b"mine"]
    server.runs(2 * HOUR)
    assert server.trash == []


def test_a_machine_that_sleeps_at_night_comes_to_it_too(at: VolumeFolders) -> None:
    server = Server(at, life=5 * DAY)
    server.deletes("mine")
    for _ in range(8):
        server.runs(8 * HOUR)
        server.leaps(16 * HOUR)
    assert server.trash == []


def test_a_broken_note_of_the_clock_counts_as_a_leap(tmp_path: Path) -> None:
    note = tmp_path / "note"
    for text in ("", "{", "[]", '{"last": "x", "seen": 1}', "null"):
        note.write_text(text)
        assert not Steadiness(note).believes(START)
        assert json.loads(note.read_text())["last"] == START


def test_a_note_that_was_changed_condemns_nothing_alone(at: VolumeFolders) -> None:
    server = Server(at)
    server.runs(2 * DAY)
    entry = server.deletes("mine")
    note = Path(at.aside, "trash", f"{entry}.json")
    note.write_text(json.dumps({**json.loads(note.read_text()), "at": 0}))
    server.runs(HOUR)
    assert len(server.trash) == 1


def test_the_trash_tells_what_it_takes(at: VolumeFolders) -> None:
    folder = Path(at.files, "many")
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "large").write_bytes(os.urandom(1 << 20))
    Path(at.files, "small").write_bytes(b"x" * 100)
    for name in (b"many", b"small"):
        CHANGES.delete(at, name, "eve", START)
    assert CHANGES.trash_use(at) == TrashUse(100, 2, whole=False)
    count_trashed_folders(at, threading.Event())
    use = CHANGES.trash_use(at)
    assert use.whole
    assert (1 << 20) < use.size < (1 << 20) + 50_000
    found = next(one for one in CHANGES.trash(at, 10) if one.path == b"many")
    assert (found.by, found.at, found.size) == ("eve", START, use.size - 100)
    assert CHANGES.restore(at, found.id, NOBODY) == b"many"
    assert CHANGES.trash_use(at) == TrashUse(100, 1, whole=True)
