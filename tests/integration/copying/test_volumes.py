"""To and from volumes of a Danlu that is up."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from danlu.sdk import Client
from danlu.sdk.copying.entries import CHUNK
from tests.integration.copying.conftest import copying, tree
from tests.live import PATIENCE, LiveServer


@pytest.fixture
def client(shared: LiveServer) -> Client:
    return shared.client()


@pytest.fixture
def volume(client: Client) -> str:
    name = f"v{secrets.token_hex(4)}"
    client.volumes.create(name, "1GiB")
    return name


def test_a_folder_goes_up_and_comes_back_as_it_was(
    client: Client, volume: str, source: Path, tmp_path: Path
) -> None:
    up = client.copy(str(source), f"vol:{volume}/set")
    assert (up.copied, up.failed) == (12, 0)
    again = client.copy(str(source), f"{volume}:/set")
    assert (again.copied, again.same) == (0, 12)
    down = client.copy(f"{volume}:/set", str(tmp_path / "back"))
    assert (down.copied, down.failed) == (12, 0)
    assert tree(tmp_path / "back") == tree(source)
    assert (tmp_path / "back" / "run.sh").stat().st_mode & 0o111
    assert (tmp_path / "back" / "a" / "x").stat().st_mtime_ns // 10**6 == 1_600_000_000_123
    assert client.copy(f"{volume}:/set", str(tmp_path / "back")).same == 12


def test_from_volume_to_volume_the_server_copies(
    client: Client, volume: str, source: Path, tmp_path: Path
) -> None:
    client.copy(str(source), f"{volume}:/set")
    other = f"w{secrets.token_hex(4)}"
    client.volumes.create(other, "1GiB")
    assert client.copy(f"{volume}:/set", f"{other}:/deep/copy").copied == 12
    (source / "a" / "x").write_text("changed")
    client.sync(str(source), f"{volume}:/set")
    changed = client.sync(f"{volume}:/set", f"{other}:/deep/copy")
    assert (changed.copied, changed.same, changed.failed) == (1, 11, 0)
    client.copy(f"{other}:/deep/copy", str(tmp_path / "back"))
    assert tree(tmp_path / "back") == tree(source)


def test_what_a_sync_deletes_from_a_volume_is_in_its_trash(client: Client, volume: str, source: Path) -> None:
    client.copy(str(source), f"{volume}:/set")
    client.copy(str(source / "run.sh"), f"{volume}:/beside")
    (source / "a" / "x").unlink()
    (source / "a").rmdir()
    done = client.sync(str(source), f"{volume}:/set", delete=True)
    assert (done.deleted, done.failed) == (2, 0)
    assert {one.path for one in client.volumes.files(volume).trash()} == {"set/a/x", "set/a"}
    assert "beside" in {one.name for one in client.volumes.files(volume).ls()}


def test_single_files_go_where_they_are_meant_to(
    client: Client, volume: str, source: Path, tmp_path: Path
) -> None:
    client.copy(str(source / "run.sh"), f"{volume}:/bin/")
    client.copy(str(source / "run.sh"), f"{volume}:/bin/other.sh")
    client.copy(f"{volume}:/bin/other.sh", str(tmp_path))
    assert (tmp_path / "other.sh").read_text() == "#!/bin/sh\n"
    assert sorted(one.name for one in client.volumes.files(volume).ls("bin")) == ["other.sh", "run.sh"]
    refused = client.copy(str(source / "nothing"), f"{volume}:/bin/run.sh")
    assert [getattr(one.error, "code", "") for one in refused.failures] == ["name_taken"]
    client.copy(f"{volume}:/b*/*.sh", str(tmp_path / "globbed"))
    assert sorted(tree(tmp_path / "globbed")) == ["bin", "bin/other.sh", "bin/run.sh"]


def test_after_a_kill_an_upload_goes_on(
    shared: LiveServer, volume: str, client: Client, tmp_path: Path
) -> None:
    data = os.urandom(5 * CHUNK)
    (tmp_path / "big").write_bytes(data)
    command = [sys.executable, "-m", "danlu.cli.main", "cp", "big", f"{volume}:/big"]
    slow = subprocess.Popen([*command, "--limit-rate", "12MiB"], cwd=tmp_path, env=shared.env())
    deadline = time.monotonic() + PATIENCE
    while not any(one.offset for one in client.volumes.files(volume).uploads()):
        assert slow.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    had = client.volumes.files(volume).uploads()[0].offset
    again = subprocess.run(
        [*command, "--json"], cwd=tmp_path, env=shared.env(), capture_output=True, text=True, check=True
    )
    told = json.loads(again.stdout)
    assert told["resumed"] >= had
    assert told["bytes"] == len(data) - told["resumed"]
    assert client.volumes.files(volume).read("big") == data


def test_after_a_kill_a_download_goes_on(
    shared: LiveServer, volume: str, client: Client, tmp_path: Path
) -> None:
    data = os.urandom(5 * CHUNK)
    (tmp_path / "big").write_bytes(data)
    client.copy(str(tmp_path / "big"), f"{volume}:/big")
    command = [sys.executable, "-m", "danlu.cli.main", "cp", f"{volume}:/big", "target"]
    slow = subprocess.Popen([*command, "--limit-rate", "12MiB"], cwd=tmp_path, env=shared.env())
    deadline = time.monotonic() + PATIENCE
    while not any(b"\1" in one.read_bytes()[len(data) :] for one in tmp_path.glob(".danlu-*.part")):
        assert slow.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    again = subprocess.run(
        [*command, "--json"], cwd=tmp_path, env=shared.env(), capture_output=True, text=True, check=True
    )
    told = json.loads(again.stdout)
    assert told["resumed"] >= CHUNK
    assert told["bytes"] == len(data) - told["resumed"]
    assert (tmp_path / "target").read_bytes() == data


def test_what_is_not_there_or_not_allowed_ends_it_with_its_own_code(
    shared: LiveServer, volume: str, source: Path
) -> None:
    missing = shared.cli("cp", str(source), "nosuch:/x")
    assert (missing.returncode, "no volume 'nosuch'" in missing.stderr) == (4, True)
    assert shared.cli("cp", f"{volume}:/nix", str(source / "y")).returncode == 4


def test_no_server_is_asked_where_no_volume_is_named(source: Path, tmp_path: Path) -> None:
    assert copying().copy([str(source / "a")], str(tmp_path / "b")).copied == 1
