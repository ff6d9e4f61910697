"""Copies whose network breaks, whose server dies and whose source changes; and paths as long as the kernel has them."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk.copying.ends.sign_in import SignIn
from danlu.sdk.copying.entries import CHUNK
from danlu.sdk.http.errors import StorePassing
from tests.integration.copying.conftest import Danlu, copying
from tests.lines import BreakingLine
from tests.live import PATIENCE, eventually, live_server
from tools.testing.s3 import S3Server

MIB = 1 << 20
A_LEVEL, LEVELS = "d" * 250, 18


def variables(s3: S3Server, port: int) -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": s3.owner.key,
        "AWS_SECRET_ACCESS_KEY": s3.owner.secret,
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_REGION": s3.region,
    }


def port_of(line: BreakingLine) -> int:
    assert isinstance(line.address, tuple)
    return line.address[1]


def test_an_object_comes_whole_over_a_network_that_breaks(
    s3: S3Server, bucket: str, danlu: Danlu, tmp_path: Path
) -> None:
    data = os.urandom(2 * CHUNK)
    s3.ask("PUT", f"/{bucket}/big", body=data)
    line = BreakingLine(("127.0.0.1", s3.port), 3 * MIB, MIB)
    try:
        for _ in range(3):
            done = danlu("cp", f"s3://{bucket}/big", "target", "--json", **variables(s3, port_of(line)))
            if done.returncode == 0:
                break
            assert not (tmp_path / "target").exists()
    finally:
        line.close()
    assert done.returncode == 0, done.stderr
    assert line.broken == 2
    assert (tmp_path / "target").read_bytes() == data


def test_an_object_that_is_replaced_on_the_way_is_never_mixed(
    s3: S3Server, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.ask("PUT", f"/{bucket}/big", body=b"a" * 3 * CHUNK)
    line = BreakingLine(("127.0.0.1", s3.port), 5 * MIB)
    for name, value in variables(s3, port_of(line)).items():
        monkeypatch.setenv(name, value)

    def replace() -> None:
        eventually(lambda: line.broken)
        s3.ask("PUT", f"/{bucket}/big", body=b"b" * 3 * CHUNK)

    writer = threading.Thread(target=replace)
    writer.start()
    sign_in = SignIn(endpoint=f"http://127.0.0.1:{port_of(line)}", region=s3.region)
    try:
        done = copying(sign_in=sign_in).copy([f"s3://{bucket}/big"], str(tmp_path / "target"))
        failed = bool(done.failures)
    except StorePassing:
        failed = True
    finally:
        writer.join()
        line.close()
    there = (tmp_path / "target").read_bytes() if (tmp_path / "target").exists() else None
    assert failed == (there is None)
    assert there is None or len(set(there)) == 1


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder whose file has a path of more than 4,096 bytes, which no program can open by its whole name."""
    (tmp_path / "deep").mkdir()
    here = os.open(tmp_path / "deep", os.O_RDONLY)
    for _ in range(LEVELS):
        os.mkdir(A_LEVEL, dir_fd=here)
        here, above = os.open(A_LEVEL, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    with os.fdopen(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here), "wb") as file:
        file.write(b"far down")
    os.close(here)
    yield tmp_path / "deep"
    subprocess.run(["rm", "-rf", str(tmp_path / "deep"), str(tmp_path / "target")], check=False)


def at_the_end(folder: Path) -> bytes:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(LEVELS):
        here, above = os.open(A_LEVEL, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    try:
        with os.fdopen(os.open("file", os.O_RDONLY, dir_fd=here), "rb") as file:
            return file.read()
    finally:
        os.close(here)


def test_a_path_longer_than_the_kernel_takes_is_copied_or_named(deep: Path, tmp_path: Path) -> None:
    (deep / "near").write_text("near")
    done = copying().copy([str(deep)], str(tmp_path / "target"))
    assert (tmp_path / "target" / "near").read_text() == "near"
    if done.failed:
        assert any(A_LEVEL in one.path for one in done.failures)
        assert all(str(one.error) for one in done.failures)
    else:
        assert at_the_end(tmp_path / "target") == b"far down"


def test_a_copy_goes_on_by_itself_when_its_server_comes_back(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    with live_server(tmp_path / "live", "--virtual-nodes", "1x1xA100") as server:
        client = server.client()
        volume = f"v{secrets.token_hex(4)}"
        client.volumes.create(volume, "1GiB")
        data = os.urandom(2 * CHUNK)
        (tmp_path / "big").write_bytes(data)
        command = [sys.executable, "-m", "danlu.cli.main", "cp", "big", f"{volume}:/big"]
        with subprocess.Popen(
            [*command, "--json", "--limit-rate", "12MiB"],
            cwd=tmp_path,
            env=server.env(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as sending:
            files = client.volumes.files(volume)
            deadline = time.monotonic() + PATIENCE
            while not any(one.offset for one in files.uploads()):
                assert sending.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
            server.kill()
            server.start()
            told, said = sending.communicate(timeout=PATIENCE)
        if sending.returncode:  # it gave up, said so, and the next goes on
            assert said
            again = subprocess.run(
                [*command, "--json"], cwd=tmp_path, env=server.env(), capture_output=True, check=True
            )
            told = again.stdout
            assert json.loads(told)["resumed"] > 0
        assert json.loads(told)["failed"] == 0
        assert server.client().volumes.files(volume).read("big") == data
