"""A room for each test of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.engines.kubernetes.room import Room, Server


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(Server(), tmp_path)
    yield made
    made.engine.close()
    made.server.close()
