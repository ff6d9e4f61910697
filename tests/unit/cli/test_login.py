"""Signing in from a terminal, and the places that are remembered."""

from __future__ import annotations

import pytest

from danlu.sdk.http import config
from tests.fakes.http_server import FakeServer, Reply, problem
from tests.unit.cli.conftest import Danlu


def test_login_with_a_token_remembers_the_place(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.delenv("DANLU_URL")
    monkeypatch.delenv("DANLU_TOKEN")
    server.on("GET", "session", {"user": {"name": "ann"}})
    result = danlu("login", server.url, "--token", "-", stdin="danlu_abc\n")
    assert result.code == 0, result.err
    assert config.resolve().token == "danlu_abc"
    assert server.requests[0].headers["authorization"] == "Bearer danlu_abc"
    assert "local" in danlu("context", "ls").out
    assert "danlu_abc" not in danlu("context", "ls", "--json").out


def test_login_with_a_password_from_a_pipe(danlu: Danlu, server: FakeServer):
    session = {"user": {"name": "ann"}, "csrf": "c", "must_set_password": False}
    server.on("POST", "session", Reply(200, session, {"Set-Cookie": "danlu_session=s; Path=/"}))
    server.on("POST", "tokens", Reply(201, {"id": "t", "secret": "danlu_new"}))
    server.on("DELETE", "session", Reply(204))
    result = danlu("login", server.url, "--name", "ann", "--password-stdin", "--as", "lab", stdin="pw\n")
    assert result.code == 0, result.err
    assert config.load().contexts["lab"].token == "danlu_new"
    assert "DANLU_URL is set and takes precedence" in result.err


@pytest.mark.parametrize(
    ("url", "warned"),
    [("http://danlu.invalid", True), ("http://127.0.0.1:1", False), ("danlu.invalid:8443", False)],
)
def test_login_warns_before_a_secret_goes_out_in_clear(danlu: Danlu, url: str, warned: bool):
    result = danlu("login", url, "--token", "danlu_abc")
    assert result.code != 0
    assert ("is not encrypted" in result.err) is warned


def test_login_with_a_wrong_token_blames_that_token(danlu: Danlu, server: FakeServer, monkeypatch):
    monkeypatch.delenv("DANLU_TOKEN")
    config.save_context(config.Context("local", server.url, "danlu_good"))
    server.on("GET", "session", problem(401, "not_signed_in", "Sign in first"))
    result = danlu("login", server.url, "--token", "danlu_bad")
    assert result.code == 3
    assert result.err == f"danlu: {server.url} does not accept this token; nothing was changed.\n"
    assert config.load().contexts["local"].token == "danlu_good"


def test_login_with_a_wrong_password_is_exit_3(danlu: Danlu, server: FakeServer):
    server.on("POST", "session", problem(401, "wrong_credentials", "Wrong user name or password"))
    result = danlu("login", server.url, "--name", "ann", "--password-stdin", stdin="pw\n")
    assert (result.code, result.err) == (3, "danlu: Wrong user name or password.\n")


def test_contexts_are_switched_and_forgotten(danlu: Danlu):
    config.save_context(config.Context("a", "http://a"))
    config.save_context(config.Context("b", "http://b"))
    assert danlu("context", "use", "a").code == 0
    assert config.load().current == "a"
    assert danlu("context", "rm", "a").code == 0
    assert list(config.load().contexts) == ["b"]
