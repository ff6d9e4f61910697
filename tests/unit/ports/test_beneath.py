"""Files of tasks: opened below their folder, through no link, waiting for nobody, and read within bounds."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from danlu.ports import beneath

ABSENT = (FileNotFoundError, NotADirectoryError)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a task beside a secret."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "file").write_bytes(b"secret")
    own = tmp_path / "own"
    (own / "below").mkdir(parents=True)
    (own / "below" / "file").write_bytes(b"own")
    return own


def test_a_plain_file_is_read(folder: Path) -> None:
    assert beneath.read_file(str(folder), "below/file", 3) == b"own"
    assert beneath.read_file(str(folder), "./below//file", 3) == b"own"
    found = beneath.look_at(str(folder), "below/file")
    assert found is not None
    assert found.st_size == 3


def test_the_folder_itself_may_be_reached_through_a_link(folder: Path) -> None:
    (folder.parent / "way").symlink_to(folder)
    assert beneath.read_file(str(folder.parent / "way"), "below/file", 3) == b"own"


@pytest.mark.parametrize("target", ["{secret}/file", "../secret/file", "file"])
def test_a_link_at_the_end_leads_nowhere(folder: Path, target: str) -> None:
    (folder / "below" / "link").symlink_to(target.format(secret=folder.parent / "secret"))
    with pytest.raises(ABSENT):
        beneath.open_file(str(folder), "below/link")
    assert beneath.look_at(str(folder), "below/link") is None


def test_nor_does_one_on_the_way(folder: Path) -> None:
    (folder / "way").symlink_to(folder.parent / "secret")
    for path in ("way/file", "way"):
        with pytest.raises(ABSENT):
            beneath.open_file(str(folder), path)
        with pytest.raises(OSError, match=r"Not a directory|symbolic"):
            beneath.open_folder(str(folder), path)
    assert beneath.look_at(str(folder), "way/file") is None


def test_nor_does_the_way_up(folder: Path) -> None:
    with pytest.raises(OSError, match="outside its folder"):
        beneath.open_file(str(folder), "../secret/file")


def test_what_is_no_plain_file_is_as_good_as_nothing(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
        for name in ("pipe", "socket", "below"):
            for flags in (os.O_RDONLY, os.O_WRONLY | os.O_APPEND):
                with pytest.raises(ABSENT):
                    beneath.open_file(str(folder), name, flags)
            assert beneath.look_at(str(folder), name) is None


def test_too_much_is_refused(folder: Path) -> None:
    (folder / "file").write_bytes(b"x" * 200_000)
    assert len(beneath.read_file(str(folder), "file", 200_000)) == 200_000
    with pytest.raises(OSError, match="more than 199,999 bytes"):
        beneath.read_file(str(folder), "file", 199_999)


def test_holes_are_passed_over(folder: Path) -> None:
    with (folder / "file").open("wb") as file:
        file.write(b"begin")
        file.seek(1 << 40)
        file.write(b"end")
    fd = beneath.open_file(str(folder), "file")
    try:
        assert beneath.read_from(fd, 0, 5) == (b"begin", 0)
        assert beneath.read_from(fd, 1 << 30, 100) == (b"end", 1 << 40)
        assert beneath.read_from(fd, (1 << 40) + 1, 100) == (b"nd", (1 << 40) + 1)
        os.truncate(folder / "file", 1 << 41)
        assert beneath.read_from(fd, 3 << 39, 100) == (b"", 1 << 41)
        assert beneath.read_from(fd, 1 << 42, 100) == (b"", 1 << 42)
    finally:
        os.close(fd)
    assert beneath.is_sparse(os.stat(folder / "file"))
    assert not beneath.is_sparse(os.stat(folder / "below" / "file"))


def test_nothing_stays_open(folder: Path) -> None:
    before = os.listdir("/proc/self/fd")
    for path in ("nothing/at/all", "below/file/further", "below", "../x"):
        with pytest.raises(OSError):  # noqa: PT011
            beneath.open_file(str(folder), path)
    assert os.listdir("/proc/self/fd") == before
