"""From volume to volume: every name, every kind of file, and nothing that is swapped meanwhile."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.ports.volumes.changing import Hand
from tests.integration.transfers.conftest import Place

HOSTILE = [b"new\nline", b"\xff\xfe", b"-rf", b"a" * 255, b"$(touch x)", b" ", b"*", "训练".encode(), b"%41"]


@pytest.fixture
def other(tmp_path: Path) -> Place:
    return Place(tmp_path / "other")


def test_a_folder_comes_with_all_names_times_and_empty_folders(place: Place, other: Place) -> None:
    for name in HOSTILE:
        (other.files / os.fsdecode(name)).write_bytes(name)
    (other.files / "sub" / "empty").mkdir(parents=True)
    (other.files / "run.sh").write_text("#!/bin/sh")
    (other.files / "run.sh").chmod(0o755)
    os.utime(other.files / "run.sh", (1, 1_700_000_000))
    run = place.done("src:/", "data:/in/", from_place=other)
    found = {os.fsencode(name): data for name, data in place.tree().items()}
    assert all(found[b"in/" + name] == name for name in HOSTILE)
    assert (place.files / "in" / "sub" / "empty").is_dir()
    copied = (place.files / "in" / "run.sh").stat()
    assert (copied.st_mtime, bool(copied.st_mode & 0o100)) == (1_700_000_000, True)
    assert run.progress().files == run.progress().files_total == len(HOSTILE) + 1


def test_paths_as_long_as_the_kernel_has_them_arrive(place: Place, other: Place) -> None:
    here = os.open(other.files, os.O_RDONLY)
    for _ in range(15):
        os.mkdir("d" * 250, dir_fd=here)
        here, above = os.open("d" * 250, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    run = place.done("src:/", "data:/", from_place=other)
    assert run.progress().files == 1


def test_links_stay_links_unless_they_lead_out(place: Place, other: Place) -> None:
    (other.files / "file").write_text("1")
    (other.files / "in").symlink_to("file")
    (other.files / "out").symlink_to("/etc/passwd")
    (other.files / "up").symlink_to("../../x")
    os.mkfifo(other.files / "pipe")
    run = place.done("src:/", "data:/", from_place=other)
    assert place.tree() == {"file": b"1", "in": b"file"}
    assert run.progress().left_out == 3


def test_only_what_differs_comes_again(place: Place, other: Place) -> None:
    for name in ("a", "b", "c"):
        (other.files / name).write_text(name)
    place.done("src:/", "data:/", from_place=other)
    (other.files / "b").write_text("changed")
    (place.files / "own").write_text("stays")
    again = place.done("src:/", "data:/", from_place=other, name="t2")
    assert (again.progress().files, again.progress().skipped) == (3, 2)
    assert place.tree() == {"a": b"a", "b": b"changed", "c": b"c", "own": b"stays"}
    (other.files / "a").write_text("differs too")
    assert place.refused("src:/", "data:/", from_place=other, name="t3", existing="refuse") == "exists"
    assert (place.files / "a").read_text() == "a"


def test_a_folder_that_became_a_link_is_not_read_through(place: Place, other: Place, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("secret")
    (other.files / "sub").symlink_to(tmp_path / "secret")
    assert place.refused("src:/sub", "data:/", from_place=other) == "not_read"
    assert place.refused("src:/sub/key", "data:/", from_place=other, name="t2") == "not_read"
    assert place.refused("src:/nothing", "data:/", from_place=other, name="t3") == "nothing_there"
    assert place.tree() == {}


def test_more_than_the_volume_holds_is_refused_and_goes_on_when_there_is_room(
    place: Place, other: Place
) -> None:
    (other.files / "a").write_bytes(bytes(1000))
    (other.files / "b").write_bytes(bytes(1000))
    assert place.refused("src:/", "data:/", from_place=other, most=1500) == "no_room"
    assert list(place.tree()) == ["a"]
    run = place.done("src:/", "data:/", from_place=other, most=1500)
    assert (run.progress().files, run.progress().skipped) == (2, 1)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Place]:
    if os.geteuid() != 0:
        pytest.fail("a small disk can only be mounted by root")
    root = tmp_path / "small"
    root.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "small", root], check=True)
    made = Place(root)
    yield made
    for run in made.runs:
        run.stop()
    subprocess.run(["umount", root], check=True)


def test_a_full_disk_says_so_and_leaves_nothing_half_written(small: Place, other: Place) -> None:
    (other.files / "a").write_bytes(os.urandom(1 << 20))
    (other.files / "b").write_bytes(os.urandom(8 << 20))
    assert small.refused("src:/", "data:/", from_place=other) == "disk_full"
    assert list(small.tree()) == ["a"]
    assert small.refused("src:/a", "data:/c", from_place=other, reserve=3 << 20, name="t2") == "disk_full"


def test_a_worker_is_its_persons_user_and_writes_as_the_volumes_group(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.fail("users can only be changed by root")
    uid, gid, others = 61_001, 61_002, 61_003
    target = Place(tmp_path / "target", Hand(uid, gid, shared=True))
    source = Place(tmp_path / "source", Hand(uid, others, shared=True))
    for one, group in ((target, gid), (source, others)):
        os.chown(one.files, 0, group)
        one.files.chmod(0o2770)
    tmp_path.chmod(0o700)
    (source.files / "readable").write_text("1")
    os.chown(source.files / "readable", 0, others)
    (source.files / "readable").chmod(0o640)
    target.done("src:/", "data:/sub/", from_place=source)
    found = (target.files / "sub" / "readable").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (uid, gid, 0o660)
    (source.files / "secret").write_text("2")
    (source.files / "secret").chmod(0o600)
    assert target.refused("src:/", "data:/sub/", from_place=source, name="t2") == "not_read"
