"""A room for each test of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.loop_time import LoopTime
from tests.unit.engines.kubernetes.room import Room, Server


@pytest.fixture
def room(tmp_path: Path, loop_time: LoopTime) -> Iterator[Room]:
    made = Room(loop_time, Server(loop_time), tmp_path)
    yield made
    made.engine.close()
    made.server.close()
