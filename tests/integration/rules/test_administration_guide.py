"""The guide to governing does what it says, step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.rules.test_guide import BLOCK, run
from tests.live import live_server

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "administration.md"


@pytest.mark.timeout(300)
def test_the_four_steps_work_as_they_stand(tmp_path: Path) -> None:
    with live_server(tmp_path, "--engine", "simulated", "--virtual-nodes", "2x8xA100") as server:
        for block in BLOCK.findall(GUIDE.read_text()):
            result = run(server, tmp_path, block)
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
        client = server.client()
        assert {one.name for one in client.flavors.list()} >= {"a100-1", "a100-8"}
        assert {one.name for one in client.quotas.list()} == {"default", "user:mei"}
        assert [one.user for one in client.projects.members("nlp")] == ["admin", "mei"]
        assert client.audit.verify().ok
