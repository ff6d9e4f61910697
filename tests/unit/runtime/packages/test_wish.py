"""What a task wants installed, read from code that nobody trusts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from danlu.runtime.packages.wish import CannotInstall, content_of, key_of, read_wish


def wish(**keys: Any) -> Any:
    return read_wish(json.dumps({"keep": "/mnt/eve/.danlu/environments", **keys}))


def key(folder: Path, **keys: Any) -> str:
    one = wish(**keys)
    return key_of(one, content_of(one, str(folder)), {})


def test_equal_content_has_one_key_whatever_its_comments_and_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("numpy  # numbers\n\n# nothing\ntorch\n")
    before = key(tmp_path, requirements="a.txt")
    (tmp_path / "a.txt").write_text("numpy\ntorch\n")
    assert key(tmp_path, requirements="a.txt") == before
    assert key(tmp_path, pip=["a", "b"]) == key(tmp_path, pip=["b", "a "])
    assert key(tmp_path, pip=["a"]) != key(tmp_path, pip=["a==1"])


def test_what_a_file_includes_is_part_of_the_key(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "a.txt").write_text("-r more/b.txt\n--constraint=c.txt\n-c https://example.org/c.txt\n")
    (tmp_path / "more" / "b.txt").write_text("-r ../a.txt\n-rd.txt\nnumpy\n")
    (tmp_path / "more" / "d.txt").write_text("scipy\n")
    (tmp_path / "c.txt").write_text("numpy<2\n")
    before = key(tmp_path, requirements="a.txt")
    for name in ("more/b.txt", "more/d.txt", "c.txt"):
        with (tmp_path / name).open("a") as file:
            file.write("pandas\n")
        assert before != (before := key(tmp_path, requirements="a.txt")), name


def test_the_index_is_part_of_the_key() -> None:
    one = wish(pip=["a"])
    assert key_of(one, ["a"], {"PIP_INDEX_URL": "https://one"}) != key_of(one, ["a"], {})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("-r ../../etc/passwd", "no_file"),
        ("-r /etc/passwd", "no_file"),
        ("-r link.txt", "no_file"),
        ("-r folder/b.txt", "no_file"),
        ("-r pipe", "no_file"),
        ("-r huge.txt", "install"),
        ("-e .", "install"),
        ("./package", "install"),
        (".", "install"),
        ("file:///mnt/eve/a.whl", "install"),
    ],
)
def test_nothing_outside_the_code_and_nothing_endless_is_read(
    tmp_path: Path, line: str, problem: str
) -> None:
    import os

    code = tmp_path / "code"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.txt").write_text("secret\n")
    code.mkdir()
    (code / "a.txt").write_text(f"{line}\n")
    (code / "link.txt").symlink_to(tmp_path / "outside" / "b.txt")
    (code / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(code / "pipe")
    with (code / "huge.txt").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(CannotInstall) as caught:
        content_of(wish(requirements="a.txt"), str(code))
    assert caught.value.problem == problem


def test_more_files_than_anybody_writes_are_refused(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.txt").write_text(f"-r {number + 1}.txt\n")
    with pytest.raises(CannotInstall, match="more than 32 files"):
        content_of(wish(requirements="0.txt"), str(tmp_path))
