"""What tasks of a root server must not see of the machine."""

import os
import time

import pytest

from danlu.runtime.isolation import covers
from danlu.runtime.isolation.covers import Covers


@pytest.fixture
def root(tmp_path):
    (tmp_path / "open").mkdir(mode=0o755)
    for name, mode in (("key", 0o600), ("open/key", 0o640), ("open/all", 0o644)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    (tmp_path / "closed").mkdir(mode=0o710)
    (tmp_path / "unlisted").mkdir(mode=0o711)
    (tmp_path / "link").symlink_to("key")
    return tmp_path


def below(root, found):
    return [os.path.relpath(path, root) for path in found.paths() if path.startswith(str(root))]


def test_what_is_not_open_to_everybody_is_covered(root):
    found = Covers([str(root)])
    assert below(root, found) == ["closed", "key", "open/key", "unlisted"]
    words = found.words()
    assert words[words.index(f"{root}/closed") - 1] == "--tmpfs"
    assert words[words.index(f"{root}/key") - 2 :][:2] == ["--ro-bind", "/dev/null"]


def test_what_comes_later_is_covered_at_the_next_look(root):
    found = Covers([str(root)])
    new = root / "open" / "new"
    new.touch(mode=0o600)
    found._trees[0]._next_quick = 0.0  # as after the pause of a slow machine
    found.look()
    assert "open/new" in below(root, found)
    new.unlink()
    assert str(new) not in found.words()


def test_a_mere_change_of_permissions_is_noticed_in_time(root, monkeypatch):
    found = Covers([str(root)])
    (root / "open" / "all").chmod(0o600)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 3600.0)
    found.look()
    assert "open/all" in below(root, found)


def test_too_many_secrets_hide_their_whole_directory(root, monkeypatch):
    monkeypatch.setattr(covers, "_MOST", 4)
    for number in range(5):
        (root / "open" / f"secret-{number}").touch(mode=0o600)
    assert below(root, Covers([str(root)])) == ["closed", "key", "open", "unlisted"]


def test_what_cannot_be_looked_at_in_time_stays_out_of_sight(root, monkeypatch):
    monkeypatch.setattr(covers, "_PATIENCE", -1.0)
    assert Covers([str(root)])._trees[0].closed == [str(root)]


def test_password_files_are_covered_without_any_root():
    assert "/etc/shadow" in Covers([]).paths()
