"""The guide does what it says: its commands are run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import PATIENCE, LiveServer, live_server

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "getting-started.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run(server: LiveServer, folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env={**server.env(), "PATH": path}, capture_output=True,
        text=True, timeout=2 * PATIENCE,
    )  # fmt: skip


@pytest.mark.timeout(600)
def test_the_commands_of_the_guide_work_as_written(tmp_path: Path) -> None:
    blocks = BLOCK.findall(GUIDE.read_text())
    assert len(blocks) == 7
    folder = tmp_path / "work"
    folder.mkdir()
    with live_server(tmp_path, "--virtual-nodes", "2x8xA100") as server:
        said = []
        for block in blocks:
            done = run(server, folder, block)
            assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
            said.append(done.stdout + done.stderr)
    hello, first, look, wrong, fails, _, sdk = said
    assert "hello from Danlu" in hello
    assert {"rank 0 step 5 loss 0.200", "rank 1 step 5 loss 0.200"} <= set(
        re.findall(r"rank \d step \d loss \S+", first)
    )
    assert "a100-0" in look
    assert "wrong.yaml:1:7: kind: 'trainning' is not one of" in wrong
    assert "did you mean 'command'?" in wrong
    assert "9 is more than any node has (8)" in wrong
    assert "exit code 2" in wrong or "exit code 1" in wrong
    assert "exit code 3" in fails
    assert "completed\nhello from the SDK" in sdk
