"""What folders take, counted a little at a time."""

from __future__ import annotations

import os
from pathlib import Path

from danlu.ports.disk_use import DEEPEST, SMALLEST, DiskCount, sizes_below

MIB = 1 << 20


def counted(folder: Path) -> DiskCount:
    count = DiskCount(sizes_below(str(folder)))
    count.go_on(60, 10_000_000)
    assert count.done
    return count


def test_files_and_folders_count_what_they_take_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(b"x" * MIB)
    (tmp_path / "empty").touch()
    count = counted(tmp_path)
    assert count.entries == 4
    assert MIB + 3 * SMALLEST <= count.size <= MIB + 8 * SMALLEST


def test_a_hole_takes_nothing_and_a_file_of_two_names_counts_once(tmp_path: Path) -> None:
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "one").write_bytes(b"x" * MIB)
    os.link(tmp_path / "one", tmp_path / "two")
    assert MIB <= counted(tmp_path).size <= MIB + 4 * SMALLEST


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "large").write_bytes(b"x" * MIB)
    (tmp_path / "real" / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "real" / "circle").symlink_to(tmp_path / "real")
    count = counted(tmp_path / "real")
    assert (count.entries, count.size) == (2, 2 * SMALLEST)
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    assert counted(tmp_path / "link").entries == 0


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert counted(tmp_path / "none").size == 0


def test_it_goes_on_where_it_was_and_may_be_left_at_any_time(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / str(number)).touch()
    before = len(os.listdir("/proc/self/fd"))
    count = DiskCount(sizes_below(str(tmp_path)))
    count.go_on(60, 20)
    assert (count.entries, count.done) == (20, False)
    count.go_on(60, 20)
    count.go_on(60, 20)
    assert (count.entries, count.size, count.done) == (50, 50 * SMALLEST, True)
    left = DiskCount(sizes_below(str(tmp_path)))
    left.go_on(60, 5)
    del left
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_is_nested_too_deeply_is_said(tmp_path: Path) -> None:
    fd = os.open(tmp_path, os.O_RDONLY)
    for _ in range(DEEPEST + 1):
        os.mkdir("d", dir_fd=fd)
        deeper = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = deeper
    os.close(fd)
    before = len(os.listdir("/proc/self/fd"))
    count = counted(tmp_path)
    assert count.too_deep
    assert len(os.listdir("/proc/self/fd")) == before
