"""Integration tests on two workers at once (`-n 2 --dist loadgroup`): who stays together, and who goes first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import PATIENCE, LiveServer, live_server

HERE = Path(__file__).parent

# They change or measure what the whole machine shares: mounts, control groups, memory, processor time.
_OWN_THE_MACHINE = {
    "runtime/test_limits.py",
    "runtime/test_protocol.py",
    "runtime/test_usage.py",
}
# A test that takes so long hangs; whatever it waits for in vain was told before.
_HANGS = 3 * PATIENCE


def pytest_configure(config: pytest.Config) -> None:
    """The order is ours: xdist would begin with the groups of most tests, which are quick ones."""
    config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A file stays on one worker, with the servers it shares; what owns the machine runs one after the other.

    The longest groups begin first, lest one worker wait for the last of them alone. Tests that may take long say so:
    the sum of the timeouts that a group asks for is its place, and its number of tests where none asks."""
    weights: dict[str, float] = defaultdict(float)
    ours = [item for item in items if HERE in item.path.parents]
    for item in ours:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(_usual_group(item)))
        asked = item.get_closest_marker("timeout")
        weights[_group(item)] += asked.args[0] if asked else 0.1
        if asked is None or asked.args[0] < _HANGS:
            item.add_marker(pytest.mark.timeout(_HANGS), append=False)
    if hasattr(config, "workerinput") and ours == items:
        items.sort(key=lambda item: (-weights[_group(item)], _group(item)))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A whole Danlu on this machine, of two virtual nodes: one for all tests of a worker that leave it as it was."""
    with live_server(tmp_path_factory.mktemp("shared"), "--virtual-nodes", "2x8xA100") as live:
        yield live


def _usual_group(item: pytest.Item) -> str:
    file = item.path.relative_to(HERE).as_posix()
    return "machine" if file in _OWN_THE_MACHINE else file


def _group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    return str(marker.args[0])
