"""The command line in this process, against a server whose answers the test decides."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from danlu.cli.main import main
from tests.fakes.http_server import FakeServer


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Danlu = Callable[..., Result]


@pytest.fixture(autouse=True)
def a_place_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("DANLU_") or name in ("LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DANLU_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    found = FakeServer()
    monkeypatch.setenv("DANLU_URL", found.url)
    monkeypatch.setenv("DANLU_TOKEN", "danlu_secret")
    yield found
    found.close()


@pytest.fixture
def danlu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Danlu:
    def run(*args: str, stdin: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(args)
        said = capsys.readouterr()
        return Result(code, said.out, said.err)

    return run
