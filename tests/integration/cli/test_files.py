"""`danlu files` as a person runs it: up, down, around, and what is told when something fails."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Danlu

CONTENT = os.urandom(9 << 20)


@pytest.fixture
def volume(danlu: Danlu) -> str:
    name = f"v{secrets.token_hex(4)}"
    made = danlu("volume", "create", name, "--capacity", "1GiB")
    assert made.returncode == 0, made.stderr
    return name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "set"
    (made / "deep" / "empty").mkdir(parents=True)
    (made / "large.bin").write_bytes(CONTENT)
    for number in range(12):
        (made / "deep" / f"{number}.txt").write_text(str(number))
    (made / "link").symlink_to("/etc/passwd")
    return made


def listed(danlu: Danlu, place: str) -> list[str]:
    return [one["name"] for one in json.loads(danlu("files", "ls", place, "--json").stdout)]


def test_a_folder_goes_up_and_comes_down_again(
    danlu: Danlu, volume: str, folder: Path, tmp_path: Path
) -> None:
    sent = danlu("files", "put", "set", f"{volume}:/")
    assert sent.returncode == 0, sent.stderr
    assert listed(danlu, f"{volume}:/set") == ["deep", "large.bin"]
    assert listed(danlu, f"{volume}:/set/deep")[:2] == ["empty", "0.txt"]
    assert danlu("files", "cat", f"{volume}:/set/deep/3.txt").stdout == "3"
    got = danlu("files", "get", f"{volume}:/set", "-o", "again")
    assert got.returncode == 0, got.stderr
    assert (tmp_path / "again" / "large.bin").read_bytes() == CONTENT
    assert (tmp_path / "again" / "deep" / "empty").is_dir()
    (tmp_path / "again" / "deep" / "5.txt").unlink()
    rest = danlu("files", "get", f"{volume}:/set", "-o", "again")
    assert (rest.returncode, rest.stdout.strip()) == (0, "again/deep/5.txt")
    assert "12 were here already" in rest.stderr


def test_the_first_rows_of_a_table_are_shown(danlu: Danlu, volume: str, tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "unit" / "server" / "parquet" / "zstd.parquet"
    (tmp_path / "a.parquet").write_bytes(sample.read_bytes())
    (tmp_path / "b.txt").write_text("one\x1b[2J\ntwo\nthree\n")
    assert danlu("files", "put", "a.parquet", "b.txt", f"{volume}:/").returncode == 0
    shown = danlu("files", "head", f"{volume}:/a.parquet", "-n", "2")
    assert shown.stdout.split("\n")[0].split()[:4] == ["id", "big", "loss", "label"]
    assert shown.stdout.split("\n")[2].split()[:4] == ["1", str(2**64 - 1), "0.5", "dog"]
    assert "box" in shown.stderr
    assert "6 rows" in shown.stderr
    told = json.loads(danlu("files", "head", f"{volume}:/a.parquet", "-n", "1", "--json").stdout)
    assert told["rows"][0][3] == "猫"
    lines = danlu("files", "head", f"{volume}:/b.txt", "-n", "2").stdout
    assert lines.split("\n")[1:] == ["two", ""]
    assert "\x1b" not in lines


def test_a_link_is_printed(danlu: Danlu, volume: str, folder: Path) -> None:
    assert danlu("files", "put", "set/deep/1.txt", f"{volume}:/1.txt").returncode == 0
    link = danlu("files", "link", f"{volume}:/1.txt").stdout.strip()
    assert link.startswith("http")
    assert link.endswith("?file=1.txt")
    assert danlu("files", "link", "personal:/").returncode != 0


def test_what_exists_is_not_overwritten_and_the_others_go_on(danlu: Danlu, volume: str, folder: Path) -> None:
    assert danlu("files", "put", "set/deep/1.txt", f"{volume}:/1.txt").returncode == 0
    again = danlu("files", "put", "set/deep/1.txt", "set/deep/2.txt", f"{volume}:/")
    assert again.returncode == 1
    assert "set/deep/1.txt" in again.stderr
    assert listed(danlu, volume) == ["1.txt", "2.txt"]
    told = json.loads(
        danlu("files", "put", "set/deep/1.txt", "set/deep/3.txt", f"{volume}:/", "--json").stdout
    )
    assert [one["code"] for one in told["failed"]] == ["name_taken"]
    assert danlu("files", "put", "set/deep/1.txt", f"{volume}:/", "--overwrite").returncode == 0


def test_files_are_moved_copied_deleted_and_restored(danlu: Danlu, volume: str, folder: Path) -> None:
    danlu("files", "put", "set/deep/1.txt", f"{volume}:/a/1.txt")
    assert danlu("files", "mkdir", f"{volume}:/b/c").stdout.strip() == f"{volume}:/b/c"
    assert danlu("files", "mv", f"{volume}:/a/1.txt", f"{volume}:/b").stdout.strip() == f"{volume}:/b/1.txt"
    assert danlu("files", "cp", f"{volume}:/b", f"{volume}:/d").returncode == 0
    some = danlu("files", "rm", f"{volume}:/d", f"{volume}:/nothing")
    assert (some.returncode, "nothing" in some.stderr) == (1, True)
    assert listed(danlu, volume) == ["a", "b"]
    assert "d/" in danlu("files", "trash", volume).stdout
    assert danlu("files", "restore", volume, "/d").stdout.strip() == f"{volume}:/d"
    assert danlu("files", "restore", volume, "/d").returncode == 4
    danlu("files", "rm", f"{volume}:/d")
    assert danlu("files", "trash", volume, "--empty", "-y").returncode == 0
    assert json.loads(danlu("files", "trash", volume, "--json").stdout) == []


def test_a_copy_goes_to_one_s_own_directory(danlu: Danlu, volume: str, folder: Path) -> None:
    danlu("files", "put", "set/deep/1.txt", f"{volume}:/")
    name = secrets.token_hex(4)
    assert danlu("files", "cp", f"{volume}:/1.txt", f"archive:/{name}").returncode == 0
    assert danlu("files", "cat", f"archive:/{name}").stdout == "1"
    assert danlu("files", "mv", f"{volume}:/1.txt", "archive:/x").returncode == 2


@pytest.mark.parametrize(
    ("code", "args"),
    [
        (2, ("ls", "../etc")),
        (2, ("ls", "data:/../x")),
        (4, ("ls", "nobody-has-this:/")),
        (4, ("cat", "personal:/nothing")),
        (2, ("put", "no-such-file", "personal:/")),
    ],
)
def test_exit_codes_are_those_of_every_command(danlu: Danlu, code: int, args: tuple[str, ...]) -> None:
    assert danlu("files", *args).returncode == code


def test_odd_names_go_up_and_down(danlu: Danlu, volume: str, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.mkdir()
    names = [b"new\nline", b"\xff\xfe", b"50%.txt", b"-rf", b"x" * 255]
    for name in names:
        (odd / os.fsdecode(name)).write_bytes(name)
    assert danlu("files", "put", "odd", f"{volume}:/").returncode == 0
    got = danlu("files", "get", f"{volume}:/odd", "-o", "back")
    assert got.returncode == 0, got.stderr
    assert sorted(os.listdir(os.fsencode(tmp_path / "back"))) == sorted(names)
    assert (tmp_path / "back" / os.fsdecode(b"\xff\xfe")).read_bytes() == b"\xff\xfe"
