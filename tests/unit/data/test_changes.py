"""Files of volumes are changed without anything being followed, overwritten or half made."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import threading
from pathlib import Path

import pytest

from danlu.data.files import DiskFiles, descent
from danlu.data.files.changes import DiskChanges
from danlu.data.files.collector import LeftoverCollector
from danlu.ports.files import EntryKind, ListWish, PlaceBelow
from danlu.ports.volumes.changing import Hand, VolumeFolders
from danlu.ports.volumes.uploads import UPLOAD_LIFE
from tests.fakes.clock import FakeClock

NOBODY = Hand()
CHANGES = DiskChanges()
REFUSED = (NotADirectoryError, FileExistsError)
ODD = [b"-rf", b"two\nlines", b"\xff\xfe", b"x" * 255, " 空格 ".encode(), b"100%"]


@pytest.fixture
def at(tmp_path: Path) -> VolumeFolders:
    for name in ("files", "aside"):
        (tmp_path / name).mkdir()
    return VolumeFolders(str(tmp_path / "files"), str(tmp_path / "aside"))


@pytest.fixture
def files(at: VolumeFolders) -> Path:
    return Path(at.files)


@pytest.fixture(params=["openat2", "step by step"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "step by step":
        monkeypatch.setattr(descent, "_openat2", lambda top, path: None)


def copied(at: VolumeFolders, path: bytes, to: bytes, most: int | None = None) -> None:
    for _ in CHANGES.copy(at.place(path), at, to, NOBODY, most):
        pass


@pytest.mark.parametrize("name", ODD)
def test_any_name_is_made_moved_copied_deleted_and_restored(at: VolumeFolders, name: bytes) -> None:
    CHANGES.make_folder(at, name, NOBODY)
    CHANGES.move(at, name, b"other")
    copied(at, b"other", name)
    entry = CHANGES.delete(at, name, "eve", 7)
    assert (entry.path, entry.kind, entry.by, entry.at) == (name, EntryKind.FOLDER, "eve", 7)
    assert CHANGES.trash(at, 10) == (entry,)
    assert CHANGES.restore(at, entry.id, NOBODY) == name
    assert sorted(os.listdir(os.fsencode(at.files))) == sorted([name, b"other"])
    assert CHANGES.trash(at, 10) == ()


def test_a_path_of_4096_bytes_is_reached(at: VolumeFolders, kernel: None) -> None:
    step = b"d" * 200
    path = b"/".join([step] * 20) + b"/" + b"e" * (4096 - 201 * 20)
    assert len(path) == 4096
    CHANGES.make_folder(at, path, NOBODY)
    assert DiskFiles().look_at(at.place(path)).kind is EntryKind.FOLDER
    CHANGES.move(at, path, b"short")
    assert (Path(at.files) / "short").is_dir()


def test_folders_are_not_nested_without_end(at: VolumeFolders) -> None:
    with pytest.raises(OSError, match="nested"):
        CHANGES.make_folder(at, b"/".join([b"d"] * 2000), NOBODY)
    assert os.listdir(at.files) == []


@pytest.mark.parametrize("path", [b"out", b"out/secret", b"out/new/deeper"])
def test_no_link_is_followed(
    at: VolumeFolders, files: Path, tmp_path: Path, path: bytes, kernel: None
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("key")
    (files / "out").symlink_to(tmp_path / "outside")
    (files / "mine").write_text("mine")
    with pytest.raises(REFUSED):
        CHANGES.make_folder(at, path, NOBODY)
    with pytest.raises(REFUSED):
        CHANGES.move(at, b"mine", path)
    with pytest.raises(REFUSED):
        copied(at, b"mine", path)
    if b"/" in path:
        with pytest.raises(REFUSED):
            CHANGES.delete(at, path, "eve", 1)
    assert sorted(os.listdir(tmp_path / "outside")) == ["secret"]


@pytest.mark.parametrize("path", [b"../x", b"a/../../x", b"/etc/x", b"..", b"", b"."])
def test_nothing_leads_out(at: VolumeFolders, files: Path, path: bytes, kernel: None) -> None:
    (files / "mine").write_text("mine")
    (files / "a").mkdir()
    before = sorted(os.listdir(files.parent))
    for act in (
        lambda: CHANGES.make_folder(at, path, NOBODY),
        lambda: CHANGES.move(at, b"mine", path),
        lambda: copied(at, b"mine", path),
        lambda: CHANGES.delete(at, path, "eve", 1),
    ):
        with pytest.raises((OSError, ValueError)):
            act()
    assert (files / "mine").exists()
    assert sorted(os.listdir(files.parent)) == before


def test_a_link_is_moved_copied_and_deleted_itself(at: VolumeFolders, files: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    (files / "link").symlink_to(tmp_path / "secret")
    CHANGES.move(at, b"link", b"moved")
    copied(at, b"moved", b"copy")
    CHANGES.delete(at, b"moved", "eve", 1)
    assert os.readlink(files / "copy") == str(tmp_path / "secret")
    assert (tmp_path / "secret").read_text() == "key"


def test_nothing_is_overwritten(at: VolumeFolders, files: Path) -> None:
    (files / "a").write_text("a")
    (files / "b").write_text("b")
    for act in (
        lambda: CHANGES.move(at, b"a", b"b"),
        lambda: copied(at, b"a", b"b"),
        lambda: CHANGES.make_folder(at, b"b", NOBODY),
    ):
        with pytest.raises(FileExistsError):
            act()
    entry = CHANGES.delete(at, b"a", "eve", 1)
    (files / "a").write_text("new")
    with pytest.raises(FileExistsError):
        CHANGES.restore(at, entry.id, NOBODY)
    assert ((files / "a").read_text(), (files / "b").read_text()) == ("new", "b")
    assert CHANGES.trash(at, 10) == (entry,)


def test_a_folder_is_not_moved_into_itself(at: VolumeFolders, files: Path) -> None:
    (files / "a").mkdir()
    with pytest.raises(OSError, match="itself") as refused:
        CHANGES.move(at, b"a", b"a/b")
    assert refused.value.errno == errno.EINVAL
    copied(at, b"a", b"a/b")
    assert os.listdir(files / "a") == ["b"]
    assert os.listdir(files / "a" / "b") == []


def test_a_copy_has_content_times_and_holes_and_no_pipes(at: VolumeFolders, files: Path) -> None:
    (files / "a" / "deep").mkdir(parents=True)
    with open(files / "a" / "deep" / "sparse", "wb") as file:
        file.seek(1 << 30)
        file.write(b"end")
    (files / "a" / "run.sh").write_text("#!/bin/sh\n")
    (files / "a" / "run.sh").chmod(0o700)
    os.utime(files / "a" / "run.sh", (1_000, 1_000))
    os.mkfifo(files / "a" / "pipe")
    copied(at, b"a", b"b")
    assert sorted(os.listdir(files / "b")) == ["deep", "run.sh"]
    sparse = os.stat(files / "b" / "deep" / "sparse")
    assert sparse.st_size == (1 << 30) + 3
    assert sparse.st_blocks * 512 < 1 << 20
    assert (files / "b" / "run.sh").stat().st_mtime == 1_000
    assert (files / "b" / "run.sh").stat().st_mode & 0o777 == 0o755


def test_a_copy_beyond_its_bound_leaves_nothing(at: VolumeFolders, files: Path) -> None:
    (files / "a").mkdir()
    for name in "bc":
        (files / "a" / name).write_bytes(os.urandom(1 << 20))
    with pytest.raises(OSError, match="quota") as refused:
        copied(at, b"a", b"d", most=3 << 19)
    assert refused.value.errno == errno.EDQUOT
    assert os.listdir(files) == ["a"]
    LeftoverCollector(files.parent, FakeClock()).round()
    assert os.listdir(Path(at.aside) / "drafts") == os.listdir(Path(at.aside) / "removed") == []


def test_a_copy_that_is_abandoned_leaves_nothing(at: VolumeFolders, files: Path) -> None:
    (files / "a").mkdir()
    (files / "a" / "b").write_text("b")
    steps = CHANGES.copy(at.place(b"a"), at, b"c", NOBODY)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert os.listdir(files) == ["a"]


def test_the_trash_is_listed_by_pages_and_emptied(at: VolumeFolders, files: Path) -> None:
    for name in "abc":
        (files / name).mkdir()
        CHANGES.delete(at, name.encode(), "eve", ord(name))
    first = CHANGES.trash(at, 2)
    assert [one.path for one in first] == [b"c", b"b"]
    assert [one.path for one in CHANGES.trash(at, 2, first[-1].id)] == [b"a"]
    assert CHANGES.drop(at, first[0].id) == 1
    assert CHANGES.drop(at, "../../files") == 0
    assert CHANGES.drop(at) == 2
    assert os.listdir(Path(at.aside) / "trash") == []


def test_what_is_restored_gets_its_folder_back(at: VolumeFolders, files: Path) -> None:
    (files / "a").mkdir()
    (files / "a" / "b").write_text("b")
    entry = CHANGES.delete(at, b"a/b", "eve", 1)
    CHANGES.delete(at, b"a", "eve", 2)
    CHANGES.restore(at, entry.id, NOBODY)
    assert (files / "a" / "b").read_text() == "b"


def test_a_folder_swapped_for_a_link_in_the_middle_is_never_followed(
    at: VolumeFolders, files: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("precious")
    (files / "real").mkdir()
    over = threading.Event()

    def swap() -> None:
        for number in itertools.count():
            if over.is_set():
                return
            for source, target in (("real", "turn"), ("turn", "real"), ("turn", f"made-{number}")):
                with contextlib.suppress(OSError):
                    os.rename(files / source, files / target)
            with contextlib.suppress(OSError):
                (files / "turn").symlink_to(outside)
                (files / "turn").unlink()

    swapper = threading.Thread(target=swap)
    swapper.start()
    done = 0
    try:
        for number in range(1500):
            name = f"turn/{number}".encode()
            for act in (
                lambda name=name: CHANGES.make_folder(at, name, NOBODY),
                lambda: CHANGES.delete(at, b"turn/victim", "eve", 1),
                lambda name=name: CHANGES.move(at, name, name + b"-moved"),
            ):
                try:
                    act()
                    done += 1
                except OSError:
                    pass
    finally:
        over.set()
        swapper.join()
    assert done
    assert os.listdir(outside) == ["victim"]


def test_what_is_written_belongs_to_the_hand(at: VolumeFolders, files: Path) -> None:
    if os.geteuid():
        pytest.fail("run the tests as root")
    hand = Hand(uid=70_001, gid=70_002, shared=True)
    CHANGES.make_folder(at, b"a/b", hand)
    (files / "file").write_text("x")
    for _ in CHANGES.copy(at.place(b"file"), at, b"a/copy", hand):
        pass
    for path, mode in (("a", 0o2770), ("a/b", 0o2770), ("a/copy", 0o660)):
        found = (files / path).stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (70_001, 70_002, mode)


def test_pages_of_a_large_folder_follow_each_other_both_ways(files: Path, at: VolumeFolders) -> None:
    for number in range(6_000):
        (files / f"f{number:05}").touch()
    for number in range(5):
        (files / f"d{number}").mkdir()
    os.utime(files, (1, 1))
    disk, wanted = DiskFiles(), sorted(os.listdir(files))
    for descending in (False, True):
        found, wish = [], ListWish(descending=descending, limit=1999)
        for _ in range(5):
            page = disk.page(at.place(), wish)
            found += [os.fsdecode(one.name) for one in page.entries]
            if not page.more:
                break
            wish = ListWish(descending=descending, limit=1999, after=wish.key_of(page.entries[-1]))
        folders = [one for one in wanted if one.startswith("d")]
        others = [one for one in wanted if one.startswith("f")]
        assert found == ([*folders[::-1], *others[::-1]] if descending else [*folders, *others])
    (files / "a-new-one").touch()
    assert disk.page(PlaceBelow(at.files), ListWish(limit=6)).entries[5].name == b"a-new-one"


def test_leftovers_are_collected_after_a_day(at: VolumeFolders, files: Path) -> None:
    (Path(at.aside) / "drafts").mkdir()
    (Path(at.aside) / "drafts" / "half").mkdir()
    born = (Path(at.aside) / "drafts" / "half").stat().st_mtime_ns // 1_000_000
    LeftoverCollector(files.parent, FakeClock(born + UPLOAD_LIFE - 1)).round()
    assert os.listdir(Path(at.aside) / "drafts") == ["half"]
    LeftoverCollector(files.parent, FakeClock(born + UPLOAD_LIFE + 1)).round()
    assert os.listdir(Path(at.aside) / "drafts") == []
