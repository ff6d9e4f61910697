"""What deletes or evicts asks first, and does nothing where nobody can be asked."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from danlu.cli.main import cli
from tests.fakes.http_server import FakeServer, Reply
from tests.unit.cli.conftest import Danlu

HARMFUL = (
    "rm train",
    "env rm abc",
    "template rm lin:bert",
    "project rm nlp",
    "project leave nlp",
    "priority rm high",
    "cluster rm lab",
    "cluster rm lab --force",
    "pool rm big",
    "flavor rm a",
    "flavor rm a b",
    "limit rm nlp-all",
    "quota rm lin",
    "quota rm lin --raises",
    "maintenance create bios --start now --for 1h --nodes a",
    "maintenance rm bios",
    "drain a b",
    "token rm t1",
    "key rm k1",
    "user disable lin --jobs stop",
    "user reset lin",
    "user rm lin",
    "group rm nlp",
    "volume rm imagenet --forever",
    "files trash imagenet --empty",
    "dataset rm bert@v1",
    "dataset rm bert --forever",
    "transfer rm t1",
    "transfer schedule rm s1",
)
EASILY_UNDONE = {"context rm", "files rm"}
"""`danlu login` brings a context back, which is on this machine alone; files are in the trash of their volume."""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif command is not None and not command.hidden:
            yield " ".join((*path, name)), command


@pytest.mark.parametrize("line", HARMFUL)
def test_harm_is_refused_where_nobody_can_be_asked(danlu: Danlu, server: FakeServer, line: str) -> None:
    result = danlu(*line.split())
    assert result.code == 2
    assert "-y (--yes)" in result.err
    assert server.requests == []


@pytest.mark.parametrize("line", HARMFUL)
def test_somebody_at_the_terminal_is_asked_and_may_decline(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr("danlu.cli.shared.asking.can_ask", lambda: True)
    nothing = {"nodes": ["a"], "jobs": [], "drain_by": None}
    server.on("GET", "jobs/train", {"id": "j1", "name": "train"})
    server.on("POST", "nodes/drain", nothing)
    server.on("POST", "maintenance/preview", nothing)
    server.on("POST", "flavors/delete", {"items": []})
    result = danlu(*line.split(), stdin="n\n")
    assert result.code != 0
    assert "[y/N]" in result.out
    changing = [one for one in server.requests if one.method != "GET"]
    assert all(one.method == "POST" and "preview" in f"{one.path}{one.body!r}" for one in changing)


@pytest.mark.parametrize("verb", ["rm", "drain", "leave", "reset"])
def test_every_command_that_removes_takes_yes(verb: str) -> None:
    asked = {line.partition(" ")[0] if line.startswith(("rm", "drain")) else line for line in HARMFUL}
    for path, command in commands(cli):
        if path.split()[-1] != verb or path in EASILY_UNDONE or path == "reset":
            continue
        assert any("--yes" in param.opts for param in command.params), path
        assert any(line == path or line.startswith(f"{path} ") for line in asked), path


def test_with_yes_it_is_done_at_once(danlu: Danlu, server: FakeServer) -> None:
    server.on("DELETE", "pools/big", Reply(204))
    server.on("DELETE", "tokens/t1", Reply(204))
    assert danlu("pool", "rm", "big", "--yes").err == "Removed pool big.\n"
    assert danlu("token", "rm", "t1", "-y").code == 0


def test_the_refusal_says_what_would_be_lost_in_both_languages(
    danlu: Danlu, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Its members, share and bounds are lost." in danlu("project", "rm", "nlp").err
    monkeypatch.setenv("DANLU_LANG", "zh")
    assert "移除项目组 nlp？其成员、份额与上限设置都会丢失。" in danlu("project", "rm", "nlp").err


@pytest.mark.parametrize("jobs", ["train", "train other"])
def test_deleting_says_that_result_files_go(danlu: Danlu, jobs: str) -> None:
    assert "logs and result files" in danlu("rm", *jobs.split()).err
