"""One data directory, one Danlu."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.data.directory import DataDirectory
from danlu.domain.errors import Conflict, Unavailable


def test_a_second_danlu_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    first = DataDirectory(tmp_path / "data")
    first.announce("http://127.0.0.1:8910")
    with pytest.raises(Conflict, match=rf"process id {os.getpid()} .* at http://127.0.0.1:8910"):
        DataDirectory(tmp_path / "data")
    first.release()
    DataDirectory(tmp_path / "data").release()


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="choose another with --data"):
        DataDirectory(tmp_path / "file" / "data")


def test_the_directory_is_for_its_owner_alone(tmp_path: Path) -> None:
    DataDirectory(tmp_path / "data").release()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
