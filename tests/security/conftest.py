"""A launcher of its own for attacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.runtime.conftest import Runs


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    runs = Runs(tmp_path / "data")
    runs.open_launcher()
    yield runs
    runs.close()
