"""Environments in personal directories, whose owners may put there whatever they like."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import pytest

from danlu.data.environments import FileEnvironments

KEY, OTHER = "0" * 20, "1" * 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "eve" / ".danlu" / "environments"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def kept(tmp_path: Path) -> FileEnvironments:
    return FileEnvironments(tmp_path)


def make(folder: Path, key: str = KEY, **note: Any) -> None:
    (folder / key / "bin").mkdir(parents=True)
    (folder / key / "bin" / "python").symlink_to("/usr/bin/python3")
    (folder / f"{key}.lock").touch()
    told = {"v": 1, "kind": "pip", "packages": [["numpy", "1.0"]], "content": ["numpy"], "size": 7, **note}
    (folder / f"{key}.json").write_text(json.dumps(told))


def test_the_one_used_last_comes_first(kept: FileEnvironments, folder: Path) -> None:
    make(folder)
    make(folder, OTHER, file="requirements.txt")
    os.utime(folder / f"{KEY}.lock", (1, 1))
    first, second = kept.of("eve")
    assert (first.made_from, second.made_from, second.used_at) == ("requirements.txt", "numpy", 1000)
    assert [(one.name, one.version) for one in first.installed] == [("numpy", "1.0")]
    assert not first.in_use
    assert kept.of("nobody") == []


def test_one_that_a_task_uses_stays(kept: FileEnvironments, folder: Path) -> None:
    make(folder)
    with (folder / f"{KEY}.lock").open() as task:
        fcntl.flock(task, fcntl.LOCK_SH)
        assert kept.of("eve")[0].in_use
        assert kept.remove("eve", KEY) is False
        assert (folder / KEY / "bin").is_dir()
    assert kept.remove("eve", KEY) is True
    assert kept.of("eve") == []
    assert not (folder / KEY).exists()
    assert kept.remove("eve", KEY) is True


def test_one_that_is_being_built_is_told_apart_from_what_a_crash_left(
    kept: FileEnvironments, folder: Path
) -> None:
    (folder / KEY).mkdir()
    (folder / f"{KEY}.lock").touch()
    assert kept.of("eve") == []
    with (folder / f"{KEY}.lock").open() as task:
        fcntl.flock(task, fcntl.LOCK_EX)
        assert [one.building for one in kept.of("eve")] == [True]


@pytest.mark.parametrize(
    "note", ["{", "[]", "null", '{"packages": {}, "size": "x", "content": [1, "a\\u001bb"]}']
)
def test_notes_that_make_no_sense_do_no_harm(kept: FileEnvironments, folder: Path, note: str) -> None:
    make(folder)
    (folder / f"{KEY}.json").write_text(note)
    found = kept.find("eve", KEY)
    assert found is not None
    assert (found.size, found.installed) == (0, ())
    assert all("\x1b" not in line for line in found.content)


def test_links_lead_nowhere(kept: FileEnvironments, folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").touch()
    make(folder)
    (folder / KEY / "inner").symlink_to(outside)
    (folder / OTHER).symlink_to(outside)
    (folder / f"{OTHER}.json").symlink_to(folder / f"{KEY}.json")
    assert kept.find("eve", OTHER) is None
    assert kept.remove("eve", OTHER) is True
    assert kept.remove("eve", KEY) is True
    assert (outside / "precious").exists()
    (tmp_path / "otto" / ".danlu").mkdir(parents=True)
    (tmp_path / "otto" / ".danlu" / "environments").symlink_to(folder)
    make(folder)
    assert kept.of("otto") == []
    assert kept.remove("otto", KEY) is True
    assert (folder / KEY).exists()


@pytest.mark.parametrize("key", ["..", "../../x", "", "0" * 19, "A" * 20, "0" * 20 + "/x"])
def test_only_keys_name_environments(kept: FileEnvironments, folder: Path, key: str) -> None:
    assert kept.find("eve", key) is None
