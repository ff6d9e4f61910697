"""A snapshot whose store is on a disk that fills up: it says so, keeps nothing half, and succeeds when there is room."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.data.datasets.objects import Objects
from danlu.data.datasets.verifying import Verification

MIB = 1 << 20


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.fail("a small disk can only be mounted by root")
    root = tmp_path / "store"
    root.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "small", root], check=True)
    yield root
    subprocess.run(["umount", "-l", root], check=True)


def made(store: Path, folder: Path) -> dict[str, Any]:
    """What the real worker says in the end."""
    wish = {
        "act": "snapshot",
        "store": str(store),
        "root": str(folder),
        "path": "",
        "known": str(store / "known" / "x"),
        "roots": [],
        "reread": False,
        "most": None,
        "workers": 1,
    }
    done = subprocess.run(
        [sys.executable, "-m", "danlu.data.datasets.worker"],
        input=json.dumps(wish) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    last: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return last


def test_a_snapshot_on_a_full_disk_says_so_and_succeeds_when_there_is_room(
    store: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "volume"
    folder.mkdir()
    for number in range(6):
        (folder / f"f{number}").write_bytes(os.urandom(2 * MIB))
    told = made(store, folder)
    assert told["failed"] == "full"
    subprocess.run(["mount", "-o", "remount,size=64m", store], check=True)
    again = made(store, folder)
    assert (again["done"]["files"], again["done"]["bytes"]) == (6, 12 * MIB)
    verification = Verification(Objects(store), lambda *_: None)
    verification.run(bytes.fromhex(again["done"]["root"]))
    assert verification.damaged == 0
