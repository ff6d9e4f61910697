"""Folders by pages, files by ranges, folders as archives: of what others write."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from danlu.data.files import DiskFiles
from danlu.ports.files import EntryKind, FileOrder, ListWish, PlaceBelow

FILES = DiskFiles()


def listed(folder: Path, **wish: object) -> list[str]:
    page = FILES.page(PlaceBelow(str(folder)), ListWish(**wish))  # type: ignore[arg-type]
    return [os.fsdecode(entry.name) for entry in page.entries]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    for name, size in (("z.txt", 1), ("a.txt", 3), ("m.txt", 2)):
        (tmp_path / name).write_bytes(b"x" * size)
    return tmp_path


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        ({}, ["b", "a.txt", "m.txt", "z.txt"]),
        ({"descending": True}, ["b", "z.txt", "m.txt", "a.txt"]),
        ({"order": FileOrder.SIZE}, ["b", "z.txt", "m.txt", "a.txt"]),
        ({"order": FileOrder.SIZE, "descending": True}, ["b", "a.txt", "m.txt", "z.txt"]),
    ],
)
def test_folders_come_first_and_the_rest_as_asked(
    folder: Path, wish: dict[str, object], names: list[str]
) -> None:
    assert listed(folder, **wish) == names


@pytest.mark.parametrize("order", list(FileOrder))
@pytest.mark.parametrize("descending", [False, True])
def test_pages_continue_without_gaps_or_repeats(folder: Path, order: FileOrder, descending: bool) -> None:
    whole, seen, after = listed(folder, order=order, descending=descending), [], None
    for _ in range(10):
        wish = ListWish(order, descending, after, limit=1)
        page = FILES.page(PlaceBelow(str(folder)), wish)
        seen += [os.fsdecode(entry.name) for entry in page.entries]
        assert page.total == 4
        if not page.more:
            break
        after = wish.key_of(page.entries[-1])
    assert seen == whole


def test_what_is_special_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    entries = {entry.name: entry for entry in FILES.page(PlaceBelow(str(tmp_path)), ListWish()).entries}
    assert entries[b"pipe"].kind is EntryKind.OTHER
    assert (entries[b"link"].kind, entries[b"link"].target) == (EntryKind.LINK, b"/etc/passwd")
    for name in (b"pipe", b"link", b"missing", b"link/x"):
        with pytest.raises(OSError, match=r"."):
            FILES.open(PlaceBelow(str(tmp_path), name))


def test_a_file_is_as_large_as_when_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "grows"
    path.write_bytes(b"12345")
    opened = FILES.open(PlaceBelow(str(tmp_path), b"grows"))
    with path.open("ab") as file:
        file.write(b"678")
    assert opened.read(0, 100) == b"12345"
    path.write_bytes(b"")
    with pytest.raises(OSError, match="cut"):
        opened.read(2, 100)
    opened.close()


def test_an_archive_has_plain_files_folders_and_links_and_nothing_else(tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\n\xff")
    (tmp_path / "run" / "deep").mkdir(parents=True)
    (tmp_path / "run" / "deep" / odd).write_bytes(b"content")
    (tmp_path / "run" / ("long" * 50)).write_bytes(b"")
    (tmp_path / "run" / "out").symlink_to("/etc")
    os.mkfifo(tmp_path / "run" / "pipe")
    data = b"".join(FILES.archive(PlaceBelow(str(tmp_path), b"run"), b"run"))
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        found = {member.name: member for member in tar}
        assert set(found) == {"run", "run/deep", f"run/deep/{odd}", f"run/{'long' * 50}", "run/out"}
        assert found["run/out"].issym()
        content = tar.extractfile(f"run/deep/{odd}")
        assert content is not None
        assert content.read() == b"content"


def test_a_file_cut_while_it_is_archived_breaks_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "run" / "big"
    path.parent.mkdir()
    path.write_bytes(b"x" * (1 << 20))
    pieces = FILES.archive(PlaceBelow(str(tmp_path), b"run"), b"run")
    for _ in range(3):
        next(pieces)
    path.write_bytes(b"")
    with pytest.raises(OSError, match="cut"):
        list(pieces)
