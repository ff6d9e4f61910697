"""One data directory, one Danlu, or several that share it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.data.directory import DataDirectory
from danlu.domain.errors import Conflict, Unavailable


def test_a_second_danlu_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    first = DataDirectory(tmp_path / "data")
    first.announce("http://127.0.0.1:8910")
    with pytest.raises(Conflict, match=rf"process {os.getpid()} .* at http://127.0.0.1:8910"):
        DataDirectory(tmp_path / "data")
    first.release()
    DataDirectory(tmp_path / "data").release()


def test_those_who_share_a_directory_may_be_many_and_keep_out_one_who_does_not(tmp_path: Path) -> None:
    first, second = (
        DataDirectory(tmp_path / "data", shared=True),
        DataDirectory(tmp_path / "data", shared=True),
    )
    with pytest.raises(Conflict, match="is in use by another Danlu"):
        DataDirectory(tmp_path / "data")
    first.release()
    second.release()
    alone = DataDirectory(tmp_path / "data")
    with pytest.raises(Conflict, match="is in use by another Danlu"):
        DataDirectory(tmp_path / "data", shared=True)
    alone.release()


def test_a_directory_keeps_its_name(tmp_path: Path) -> None:
    first, other = DataDirectory(tmp_path / "data"), DataDirectory(tmp_path / "other")
    name = first.id
    first.release()
    again = DataDirectory(tmp_path / "data")
    assert again.id == name != other.id
    assert len(name) == 16
    again.release()
    other.release()


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="choose another with --data"):
        DataDirectory(tmp_path / "file" / "data")


def test_the_directory_is_for_its_owner_alone(tmp_path: Path) -> None:
    DataDirectory(tmp_path / "data").release()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
