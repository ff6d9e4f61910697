"""`--print-settings`: a settings file that says what set each setting."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Danlu

FILE = """
port = 1
projects = ["public", "nlp"]

[[oidc]]
name = "lab"
issuer = "https://id.example.org"
client_id = "danlu"
"""


@pytest.mark.parametrize("command", ["up", "server", "controller"])
def test_every_setting_names_what_set_it(danlu: Danlu, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    Path("danlu.toml").write_text(FILE)
    monkeypatch.setenv("DANLU_NODE_FAILURES", "5")
    monkeypatch.setenv("DANLU_DEFAULT_MAX_TIME", "single=12h")
    result = danlu(command, "--engine", "simulated", "--print-settings")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    file = Path("danlu.toml").absolute()
    assert f"port = 1  # file {file}" in lines
    assert f'projects = ["public", "nlp"]  # file {file}' in lines
    assert "node_failures = 5  # variable DANLU_NODE_FAILURES" in lines
    assert 'engine = "simulated"  # option --engine' in lines
    assert 'host = "127.0.0.1"  # default' in lines
    assert "# public_url =  # default" in lines
    assert "demo = false  # default" in lines


def test_where_settings_are_written_is_told(danlu: Danlu) -> None:
    place = Path("danlu.toml").absolute()
    assert f"# Read from {place} (which is not there): " in danlu("up", "--print-settings").out
    place.write_text("port = 1")
    assert f"# Read from {place} (which is there): " in danlu("up", "--print-settings").out


def test_what_is_printed_can_be_a_settings_file_again(danlu: Danlu, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("danlu.toml").write_text(FILE)
    first = danlu("up", "--print-settings").out
    assert tomllib.loads(first)["oidc"][0]["issuer"] == "https://id.example.org"
    Path("again.toml").write_text(first)
    monkeypatch.setenv("DANLU_SETTINGS", "again.toml")
    assert tomllib.loads(danlu("up", "--print-settings").out) == tomllib.loads(first)


def test_origins_are_told_in_chinese_too(danlu: Danlu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DANLU_LANG", "zh")
    monkeypatch.setenv("DANLU_PORT", "7")
    lines = danlu("up", "--print-settings").out.splitlines()
    assert "port = 7  # 环境变量 DANLU_PORT" in lines
    assert 'host = "127.0.0.1"  # 默认' in lines
