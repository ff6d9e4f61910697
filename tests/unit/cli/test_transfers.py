"""Transfers on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.http_server import FakeServer
from tests.unit.cli.conftest import Danlu

AWAY = {"text": {"en": "no address is known of example.org", "zh": "无法解析 example.org 的地址"}}


def test_without_a_terminal_each_problem_is_told_once_while_a_transfer_is_waited_for(
    danlu: Danlu, server: FakeServer
) -> None:
    server.on(
        "GET",
        "transfers/t1",
        {"id": "t1", "state": "running"},
        {"id": "t1", "state": "queued", "problem": AWAY},
        {"id": "t1", "state": "queued", "problem": AWAY},
        {"id": "t1", "state": "failed", "problem": AWAY},
    )
    shown = danlu("transfer", "show", "t1", "--wait")
    assert shown.err.count("Transfer t1 will be tried again: no address is known of example.org") == 1


@pytest.mark.parametrize("source", ["/data/set", "./set", "~/set", "here"])
def test_who_imports_a_folder_of_this_machine_is_told_how_to_send_it(
    danlu: Danlu, a_place_of_its_own: None, source: str
) -> None:
    Path("here").mkdir()
    told = danlu("import", source, "raw:/set")
    assert told.code == 2
    assert f"danlu cp {source} raw:/set" in told.err
