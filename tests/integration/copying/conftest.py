"""Copies as a program runs them, and as a person does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.sdk.copying.copying import Copier
from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.copying.globs import GlobRule
from danlu.sdk.copying.options import CopyProgress, Differs, Options
from danlu.sdk.http.http import Http
from tests.live import PATIENCE

Danlu = Callable[..., "subprocess.CompletedProcess[str]"]


def no_server() -> Http:
    raise AssertionError("no volume is named")


def copying(http: Callable[[], Http] = no_server, sign_in: SignIn | None = None, **chosen: Any) -> Copier:
    rules = [GlobRule(*one) for one in chosen.pop("rules", [])]
    told = chosen.pop("told", None)
    may_delete = chosen.pop("may_delete", None)
    differs = Differs(chosen.pop("differs", "refuse"))
    options = Options(rules, differs, **{"parallel": 4, **chosen})
    return Copier(http, options, sign_in or SignIn(), CopyProgress(), told, may_delete)


def tree(folder: Path) -> dict[str, bytes | None]:
    """What is in a folder: contents of files, None for folders."""
    found: dict[str, bytes | None] = {}
    for path in sorted(folder.rglob("*")):
        name = os.fsencode(path.relative_to(folder)).decode("latin-1")
        found[name] = None if path.is_dir() else path.read_bytes()
    return found


@pytest.fixture
def danlu(tmp_path: Path) -> Danlu:
    """Run one command line in a folder of the test's own, without a server."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DANLU_", "AWS_"))}

    def run(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "danlu.cli.main", *args],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=tmp_path,
            env={**env, "DANLU_CONFIG_DIR": str(tmp_path / "config"), "NO_COLOR": "1", **more},
        )

    return run


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with a bit of everything."""
    made = tmp_path / "source"
    (made / "deep" / "er").mkdir(parents=True)
    (made / "empty").mkdir()
    (made / "a-b").write_text("sorted before the folder a/")
    (made / "a").mkdir()
    (made / "a" / "x").write_text("x")
    (made / "large.bin").write_bytes(os.urandom((20 << 20) + 17))
    (made / "run.sh").write_text("#!/bin/sh\n")
    (made / "run.sh").chmod(0o755)
    (made / "nothing").touch()
    for name in (b"\xff\xfe", b"new\nline", "训练.txt".encode(), b"-rf", b"a%20b", b" "):
        Path(os.fsdecode(os.fsencode(made / "deep") + b"/" + name)).write_bytes(name)
    (made / "deep" / "er" / "z").write_text("z")
    for path in made.rglob("*"):
        os.utime(path, ns=(1_600_000_000_123_456_789, 1_600_000_000_123_456_789))
    return made
