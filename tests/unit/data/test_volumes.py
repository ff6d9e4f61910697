"""Volumes on disk: made for their owner and group, removed whatever is in them, kept as long as anybody knows them."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.data.counting import FileFigures, FolderCounter
from danlu.data.volumes.collector import VolumeCollector
from danlu.data.volumes.disk import DiskVolumes
from danlu.domain.audit import Entry
from danlu.domain.errors import NotFound, Unavailable
from danlu.domain.people import User, UserRole
from danlu.domain.volumes.volume import FIRST_VOLUME_GID, Volume, VolumeKind
from danlu.ports.user_ids import MappedIds
from danlu.ports.volumes.ids import ids_for_volumes, volume_gid
from danlu.store.sql import SqlStore
from tests.databases import sqlite_at
from tests.fakes.clock import FakeClock

DAY = 86_400_000
BY = Entry("lin", "created", "")
ONE = Volume("v1", "lin", "imagenet", VolumeKind.FILESYSTEM, 2**30, 1, 1, gid=FIRST_VOLUME_GID)
UID = 0x7000_0000


@pytest.fixture
def disk(tmp_path: Path) -> DiskVolumes:
    (tmp_path / "volume-data").mkdir()
    return DiskVolumes(tmp_path / "volume-data", FileFigures(tmp_path / "volumes.json"), None)


def files(disk: DiskVolumes, volume_id: str = "v1") -> Path:
    place = disk.place(volume_id)
    return Path(place.root) / os.fsdecode(place.path)


def test_a_volume_is_made_once_and_what_is_in_it_stays(disk: DiskVolumes) -> None:
    disk.make(ONE)
    (files(disk) / "data").write_text("kept")
    disk.make(ONE)
    assert (files(disk) / "data").read_text() == "kept"
    assert stat.S_IMODE(files(disk).parent.stat().st_mode) == 0o700


def test_what_is_made_in_a_volume_is_its_groups_whatever_the_umask(tmp_path: Path) -> None:
    root = os.geteuid() == 0  # nobody else gives files away
    uid, gid = (UID, ONE.gid) if root else (os.geteuid(), os.getegid())
    disk, one = (
        DiskVolumes(tmp_path, FileFigures(tmp_path / "volumes.json"), lambda _: uid),
        replace(ONE, gid=gid),
    )
    disk.make(one)
    top = files(disk).stat()
    assert (top.st_uid, top.st_gid, stat.S_IMODE(top.st_mode)) == (uid, gid, 0o2770)
    before = os.umask(0o077)
    try:
        (files(disk) / "folder").mkdir()
        (files(disk) / "folder" / "data").write_text("ours")
    finally:
        os.umask(before)
    made = (files(disk) / "folder" / "data").stat()
    assert (made.st_gid, stat.S_IMODE(made.st_mode)) == (gid, 0o660)
    assert stat.S_IMODE((files(disk) / "folder").stat().st_mode) == 0o2770
    # A task that is the owner can change its mode; the next use sets it right.
    files(disk).chmod(0o777)
    disk.make(one)
    assert stat.S_IMODE(files(disk).stat().st_mode) == 0o2770


def test_a_volume_goes_with_all_that_a_task_left(disk: DiskVolumes, tmp_path: Path) -> None:
    disk.make(ONE)
    (tmp_path / "elsewhere").write_text("stays")
    here = files(disk)
    (here / "link").symlink_to(tmp_path)
    os.mkfifo(here / "pipe")
    os.open(os.fsencode(here) + b"/\xff\n-rf", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC)
    (here / "shut").mkdir()
    (here / "shut" / "data").write_text("x")
    (here / "shut").chmod(0)
    at = os.open(here, os.O_RDONLY)
    for _ in range(1500):  # deeper than any path can be said
        os.mkdir("d" * 200, dir_fd=at)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    disk.remove("v1")
    disk.remove("v1")
    assert os.listdir(here.parent.parent) == [".trash"]
    assert os.listdir(here.parent.parent / ".trash") == []
    assert (tmp_path / "elsewhere").read_text() == "stays"


@pytest.mark.parametrize("name", ["..", ".trash", "a/b", "", "/etc", "v1\n", "-rf"])
def test_no_name_leads_out_of_the_folder_of_volumes(disk: DiskVolumes, name: str) -> None:
    for act in (disk.place, disk.let_go, disk.remove):
        with pytest.raises(NotFound):
            act(name)
    with pytest.raises(NotFound):
        disk.make(replace(ONE, id=name))


def test_a_folder_that_cannot_be_made_is_told(disk: DiskVolumes, tmp_path: Path) -> None:
    (tmp_path / "volume-data" / "v1").write_text("in the way")
    with pytest.raises(Unavailable, match="the folder of volume imagenet cannot be made"):
        disk.make(ONE)


def test_a_link_in_place_of_a_volume_is_not_followed(tmp_path: Path) -> None:
    disk = DiskVolumes(tmp_path / "root", FileFigures(tmp_path / "volumes.json"), lambda _: os.geteuid())
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "root" / "v1").mkdir(parents=True)
    (tmp_path / "root" / "v1" / "files").symlink_to(tmp_path / "target")
    with pytest.raises(Unavailable):
        disk.make(ONE)
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o700


def test_what_a_volume_takes_is_counted_with_its_trash(tmp_path: Path) -> None:
    root, file = tmp_path / "volume-data", tmp_path / "volumes.json"
    root.mkdir()
    disk = DiskVolumes(root, FileFigures(file), None)
    disk.make(ONE)
    assert disk.figure("v1") is None
    (files(disk) / "data").write_bytes(b"x" * 2**20)
    (files(disk).parent / "trash").mkdir()
    (files(disk).parent / "trash" / "old").write_bytes(b"x" * 2**20)
    (root / ".trash").mkdir()
    FolderCounter(root, file, FakeClock()).round(threading.Event())
    figure = disk.figure("v1")
    assert figure is not None
    assert 2 * 2**20 <= figure.used < 3 * 2**20
    assert disk.figure(".trash") is None


# ── the trash ────────────────────────────────────────────────────────────────────────────────────────


class Bin:
    """A store with one volume, its files, and what empties the trash after a week."""

    def __init__(self, root: Path, life: int = 7 * DAY) -> None:
        self.store = SqlStore.open(sqlite_at(root / "danlu.db"))
        self.store.add_user(User("lin", UserRole.ENGINEER, 1))
        (root / "volume-data").mkdir()
        self.disk = DiskVolumes(root / "volume-data", FileFigures(root / "volumes.json"), None)
        self.clock = FakeClock()
        self.collector = VolumeCollector(self.store, self.disk, life, self.clock)
        self.one = self.store.add_volume(ONE, 1, by=BY, check=lambda _: None)
        self.disk.make(self.one)
        (files(self.disk) / "data").write_text("x")

    def trash(self, at: int | None) -> None:
        self.store.edit_volume("v1", lambda one, _: replace(one, trashed_at=at), 1, by=BY)

    @property
    def there(self) -> bool:
        return (files(self.disk) / "data").exists()


def test_what_was_in_the_trash_long_enough_is_gone_with_its_files(tmp_path: Path) -> None:
    here = Bin(tmp_path)
    here.collector.round()
    here.trash(here.clock.now())
    here.clock.advance(7 * DAY - 1)
    here.collector.round()
    assert here.there
    here.clock.advance(1)
    here.collector.round()
    assert not here.there
    assert here.store.volume("v1") is None
    here.store.close()


def test_without_a_time_the_trash_keeps_everything(tmp_path: Path) -> None:
    here = Bin(tmp_path, life=0)
    here.trash(here.clock.now())
    here.clock.advance(1000 * DAY)
    here.collector.round()
    assert here.there
    here.store.close()


def test_files_are_removed_only_when_let_go_of_and_without_a_record(tmp_path: Path) -> None:
    here = Bin(tmp_path)
    here.disk.let_go("v1")  # and somebody took it out of the trash right then
    here.collector.round()
    assert here.there
    here.disk.make(replace(ONE, id="v2"))  # of a database that was restored from an older copy
    here.collector.round()
    assert files(here.disk, "v2").exists()
    here.trash(1)
    assert here.store.remove_volume("v1", 1, by=BY)
    here.collector.round()
    assert not here.there
    here.store.close()


# ── group ids ────────────────────────────────────────────────────────────────────────────────────────


def test_a_volumes_group_is_its_own_or_one_of_the_last_subordinate_ids() -> None:
    machine = [MappedIds(0, 0, 2**32 - 1)]
    assert volume_gid(FIRST_VOLUME_GID + 5, machine) == FIRST_VOLUME_GID + 5
    among = [MappedIds(0, 1000, 1), MappedIds(UID, 100_000, 65_536)]
    assert volume_gid(FIRST_VOLUME_GID, among) == UID + 65_535
    assert volume_gid(FIRST_VOLUME_GID + 4_095, among) == UID + 65_536 - 4_096
    assert volume_gid(FIRST_VOLUME_GID + 4_096, among) is None
    assert ids_for_volumes(65_536) == 4_096
