"""Git as a stranger would run it."""

import os
import time

import pytest

from danlu.ports.supervision import Git
from danlu.runtime.code import repository
from danlu.runtime.isolation import tree
from danlu.runtime.task import CannotStart

GIT: Git = {"url": "https://example.org/x", "ref": "main"}


@pytest.fixture
def fake_git(tmp_path, monkeypatch):
    """Put a script in git's place; where it writes is the answer."""
    monkeypatch.chdir(tmp_path)

    def install(script):
        program = tmp_path / "bin" / "git"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    return install


def test_nothing_of_the_server_s_identity_reaches_git(fake_git, tmp_path, monkeypatch):
    for name in (
        "SSH_AUTH_SOCK",
        "GIT_ASKPASS",
        "GIT_CONFIG_COUNT",
        "XDG_CONFIG_HOME",
        "AWS_SECRET_ACCESS_KEY",
    ):
        monkeypatch.setenv(name, "server's")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    fake_git("env > seen")
    repository.clone(GIT, str(tmp_path), lambda: None)
    seen = dict(line.split("=", 1) for line in (tmp_path / "seen").read_text().splitlines())
    assert "server's" not in seen.values()
    assert seen["HOME"] == str(tmp_path)
    assert (seen["GIT_CONFIG_NOSYSTEM"], seen["GIT_CONFIG_GLOBAL"]) == ("1", "/dev/null")
    assert seen["GIT_TERMINAL_PROMPT"] == "0"
    assert "BatchMode=yes" in seen["GIT_SSH_COMMAND"]
    assert "IdentityFile=/dev/null" in seen["GIT_SSH_COMMAND"]
    assert seen["HTTPS_PROXY"] == "http://proxy:3128"


def test_a_fetch_that_takes_too_long_is_ended_with_all_its_helpers(fake_git, tmp_path, monkeypatch):
    monkeypatch.setattr(repository, "_SECONDS", 0.5)
    fake_git("sleep 1000 & echo $! > helper; wait")
    with pytest.raises(CannotStart, match=r"longer than .* minutes") as caught:
        repository.clone(GIT, str(tmp_path), lambda: None)
    assert caught.value.reason == "code_failed"
    helper = int((tmp_path / "helper").read_text())
    deadline = time.monotonic() + 10.0
    while not tree.is_zombie(helper):
        assert time.monotonic() < deadline


def test_ten_minutes_are_the_most():
    assert repository._SECONDS == 600
