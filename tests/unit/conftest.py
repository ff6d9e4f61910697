"""Time that costs none."""

from __future__ import annotations

import asyncio

import pytest

from tests.fakes.loop_time import LoopTime


@pytest.fixture
def loop_time(monkeypatch: pytest.MonkeyPatch) -> LoopTime:
    """Of the test's own loop, and of all loops that are made from now on."""
    made = LoopTime()
    monkeypatch.setattr(asyncio, "new_event_loop", made.loop)
    return made


@pytest.fixture
def anyio_backend(request: pytest.FixtureRequest) -> object:
    if "loop_time" not in request.fixturenames:
        return "asyncio"
    return "asyncio", {"loop_factory": request.getfixturevalue("loop_time").driving_loop}
