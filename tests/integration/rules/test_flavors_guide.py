"""The guide to flavors does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.rules.test_guide import BLOCK, run
from tests.live import live_server

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "flavors.md"


@pytest.mark.timeout(300)
def test_the_commands_of_the_guide_work(tmp_path: Path) -> None:
    with live_server(tmp_path, "--engine", "simulated", "--virtual-nodes", "2x8xA100") as server:
        said = []
        for block in BLOCK.findall(GUIDE.read_text()):
            result = run(server, tmp_path, block)
            assert result.returncode == 0, f"{block}\n{result.stdout}{result.stderr}"
            said.append(result.stdout + result.stderr)
        made, offered, _, removed = said
        assert "Nothing was created. Use --yes to create them." in made
        assert "Created a100-1, a100-2, a100-8." in made
        assert "available (best)" in offered
        assert "Removed flavors a100-2, a100-8." in removed
        (left,) = server.client().flavors.list()
        assert (left.name, left.classes, left.description) == (
            "a100-1",
            ("workspace", "single"),
            "For trying things out",
        )
