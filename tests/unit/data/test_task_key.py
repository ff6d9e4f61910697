"""The key that tasks' tokens are signed with."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from danlu.data.task_key import task_key
from danlu.domain.errors import Unavailable


def test_the_key_is_made_once_and_for_danlus_eyes_only(tmp_path: Path) -> None:
    key = task_key(tmp_path)
    assert len(key) == 32
    assert task_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == ["task-key"]
    assert stat.S_IMODE((tmp_path / "task-key").stat().st_mode) == 0o600


def test_all_who_ask_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: task_key(tmp_path), range(64)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["task-key"]


def test_two_directories_have_two_keys(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    assert task_key(tmp_path / "one") != task_key(tmp_path / "two")


def test_a_directory_that_cannot_keep_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"cannot be read or written at .*no-such/task-key"):
        task_key(tmp_path / "no-such")
