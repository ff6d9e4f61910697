"""Stamps tell whether what something was made from has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.dev.console import source_files
from tools.dev.stamps import digest_of_files, digest_of_text, read_stamp, write_stamp
from tools.dev.venv import venv_digest

PYPROJECT = '[project]\nname = "danlu"\ndependencies = ["click"]\n[tool.ruff]\nline-length = 110\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "constraints.txt").write_text("click==8.1.7\n")
    return tmp_path


def test_the_order_of_files_does_not_change_their_digest(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    assert digest_of_files([one, two], tmp_path) == digest_of_files([two, one], tmp_path)


def test_a_renamed_file_changes_the_digest(tmp_path: Path):
    before = tmp_path / "before"
    before.write_text("same")
    digest = digest_of_files([before], tmp_path)
    assert digest_of_files([before.rename(tmp_path / "after")], tmp_path) != digest


def test_text_that_moves_from_one_file_to_the_next_changes_the_digest(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("ab")
    two.write_text("")
    digest = digest_of_files([one, two], tmp_path)
    one.write_text("a")
    two.write_text("b")
    assert digest_of_files([one, two], tmp_path) != digest


def test_parts_of_text_are_told_apart():
    assert digest_of_text("ab", "c") != digest_of_text("a", "bc")


def test_a_stamp_says_what_was_written(tmp_path: Path):
    stamp = tmp_path / "deep" / "stamp.json"
    write_stamp(stamp, {"digest": "abc"})
    assert read_stamp(stamp) == {"digest": "abc"}
    assert [file.name for file in stamp.parent.iterdir()] == ["stamp.json"]


@pytest.mark.parametrize("damaged", ["", "{", "[]", "null"])
def test_a_damaged_stamp_says_nothing(tmp_path: Path, damaged: str):
    stamp = tmp_path / "stamp.json"
    stamp.write_text(damaged)
    assert read_stamp(stamp) == {}


def test_a_missing_stamp_says_nothing(tmp_path: Path):
    assert read_stamp(tmp_path / "stamp.json") == {}


def test_a_new_dependency_changes_the_environment(checkout: Path):
    digest = venv_digest(checkout)
    (checkout / "pyproject.toml").write_text(PYPROJECT.replace('"click"', '"click", "PyYAML"'))
    assert venv_digest(checkout) != digest


def test_a_new_constraint_changes_the_environment(checkout: Path):
    digest = venv_digest(checkout)
    (checkout / "constraints.txt").write_text("click==8.1.8\n")
    assert venv_digest(checkout) != digest


def test_a_setting_of_a_tool_leaves_the_environment_alone(checkout: Path):
    digest = venv_digest(checkout)
    (checkout / "pyproject.toml").write_text(PYPROJECT.replace("110", "100"))
    assert venv_digest(checkout) == digest


def test_packages_builds_and_tests_are_no_sources_of_the_console(tmp_path: Path):
    for name in (
        "src/main.tsx",
        "src/main.test.tsx",
        "node_modules/x/index.js",
        "dist/index.html",
        "index.html",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = sorted(file.relative_to(tmp_path).as_posix() for file in source_files(tmp_path))
    assert found == ["index.html", "src/main.tsx"]
