"""How to sign in to clusters: kept in files for Danlu alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from danlu.data.secrets import FileClusterSecrets
from danlu.domain.errors import Unavailable
from danlu.ports.clusters import ClusterCredentials

LAB = ClusterCredentials("apiVersion: v1\nkind: Config", "lab")


def test_what_is_kept_is_found_again_by_another_process(tmp_path: Path) -> None:
    FileClusterSecrets(tmp_path).keep("lab", LAB)
    FileClusterSecrets(tmp_path).keep("own", ClusterCredentials())

    assert FileClusterSecrets(tmp_path).access("lab") == LAB
    assert FileClusterSecrets(tmp_path).access("own") == ClusterCredentials()


def test_nobody_else_may_read_it_and_no_draft_is_left(tmp_path: Path) -> None:
    FileClusterSecrets(tmp_path).keep("lab", LAB)

    (file,) = (tmp_path / "clusters").iterdir()
    assert file.name == "lab.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_later_one_replaces_an_earlier_one(tmp_path: Path) -> None:
    secrets = FileClusterSecrets(tmp_path)
    secrets.keep("lab", LAB)
    secrets.keep("lab", ClusterCredentials("newer"))

    assert secrets.access("lab") == ClusterCredentials("newer")


def test_what_is_removed_or_was_never_there_is_none(tmp_path: Path) -> None:
    secrets = FileClusterSecrets(tmp_path)
    assert secrets.access("lab") is None
    secrets.keep("lab", LAB)
    secrets.remove("lab")
    secrets.remove("lab")

    assert secrets.access("lab") is None


def test_a_file_that_makes_no_sense_is_as_good_as_none(tmp_path: Path) -> None:
    secrets = FileClusterSecrets(tmp_path)
    secrets.keep("lab", LAB)
    (tmp_path / "clusters" / "lab.json").write_text('{"kube')

    assert secrets.access("lab") is None


def test_a_place_that_cannot_be_written_is_told_without_the_secret(tmp_path: Path) -> None:
    (tmp_path / "clusters").write_text("in the way")
    with pytest.raises(Unavailable, match="cluster lab cannot be written") as refused:
        FileClusterSecrets(tmp_path).keep("lab", LAB)
    assert "apiVersion" not in str(refused.value)


def test_a_secret_is_not_printed_with_what_holds_it() -> None:
    assert "apiVersion" not in repr(LAB)
