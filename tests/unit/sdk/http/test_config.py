"""Whom a client talks to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from danlu.sdk.http import config
from danlu.sdk.http.config import Config, Context
from danlu.sdk.http.errors import BadConfig


def write(text: str) -> None:
    os.makedirs(config.folder(), exist_ok=True)
    Path(config.path()).write_text(text)


def test_without_anything_the_default_address_is_meant():
    assert config.resolve().url == "http://127.0.0.1:8910"
    assert config.resolve().token is None


def test_a_context_is_found_again_and_only_its_owner_can_read_it():
    config.save_context(Context("local", "http://127.0.0.1:8910", "danlu_x", "ann"))
    found = config.resolve()
    assert (found.url, found.token, found.said_by.en) == (
        "http://127.0.0.1:8910",
        "danlu_x",
        "context 'local'",
    )
    assert stat.S_IMODE(os.stat(config.path()).st_mode) == 0o600
    assert os.listdir(config.folder()) == ["config.toml"]


def test_explicit_wins_over_variables_and_these_over_the_file(monkeypatch):
    config.save_context(Context("local", "http://file", "t-file"))
    monkeypatch.setenv("DANLU_URL", "http://variable")
    monkeypatch.setenv("DANLU_TOKEN", "t-variable")
    assert config.resolve().url == "http://variable"
    assert config.resolve().token == "t-variable"
    assert config.resolve("http://given", "t-given").url == "http://given"
    assert config.resolve("http://given", "t-given").token == "t-given"
    assert config.resolve(context="local").token == "t-file"


def test_a_variable_for_a_known_address_borrows_its_token(monkeypatch):
    config.save_context(Context("local", "http://127.0.0.1:8910", "t-file"))
    monkeypatch.setenv("DANLU_URL", "http://127.0.0.1:8910/")
    assert config.resolve().token == "t-file"


def test_an_unknown_context_is_named_with_those_there_are():
    config.save_context(Context("local", "http://x"))
    with pytest.raises(BadConfig, match=r"no context 'lab'.*There are: local"):
        config.resolve(context="lab")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10.0.0.5:8910", "http://10.0.0.5:8910"),
        ("localhost", "http://localhost"),
        ("localhost:8910/lab", "http://localhost:8910/lab"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("[::1]:8910", "http://[::1]:8910"),
        ("::1", "http://[::1]"),
        ("danlu.example.org", "https://danlu.example.org"),
        ("danlu.example.org:8443", "https://danlu.example.org:8443"),
        ("127.example.org:80", "https://127.example.org:80"),
        ("https://danlu.example.org/lab/", "https://danlu.example.org/lab"),
    ],
)
def test_an_address_is_completed_as_people_mean_it(written, meant):
    assert config.normal_url(written) == meant


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "danlu.localhost", "127.0.0.2", "::1"])
def test_this_machine_is_known_by_its_names(name):
    assert config.is_loopback(name)


@pytest.mark.parametrize("name", ["", "10.0.0.5", "127.example.org", "localhost.example.org"])
def test_another_machine_is_not_taken_for_this_one(name):
    assert not config.is_loopback(name)


@pytest.mark.parametrize("wrong", ["ftp://x", "http://", "ssh://lab"])
def test_what_is_no_address_is_refused(wrong):
    with pytest.raises(BadConfig, match="not an address"):
        config.normal_url(wrong)


def test_odd_names_and_values_survive_the_file():
    odd = Context("my lab.1", 'http://x/"quoted"\\', "t\n#", None)
    assert config.parse(config.render(Config({odd.name: odd}, odd.name))) == {
        "current": "my lab.1",
        "contexts": {"my lab.1": {"url": 'http://x/"quoted"\\', "token": "t\n#"}},
    }


def test_a_file_written_by_hand_may_have_comments_and_either_quote():
    write(
        "# mine\ncurrent = 'lab' # here\n\n[contexts.lab]\nurl = \"http://lab\"  # there\nold = true\nn = 3\n"
    )
    assert config.resolve().url == "http://lab"


def test_toml_beyond_our_own_reader_is_still_read():
    write('current = """lab"""\ncontexts = { lab = { url = "http://lab" } }\n')
    assert config.resolve().url == "http://lab"


def test_a_broken_file_names_the_line():
    write('current = "lab"\nurl http://x\n')
    with pytest.raises(BadConfig, match=r"config\.toml:2: not understood: url http://x"):
        config.load()


def test_forgetting_the_current_context_leaves_none():
    config.save_context(Context("a", "http://a"))
    config.save_context(Context("b", "http://b"))
    assert config.forget_context("b")
    assert not config.forget_context("b")
    assert config.load() == Config({"a": Context("a", "http://a")}, None)
