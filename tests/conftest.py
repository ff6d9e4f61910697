"""What holds for all tiers: nothing is skipped, and asynchronous tests run on asyncio."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from _pytest.nodeid import coerce_node_id
from hypothesis import settings

from tests.effort import LONG, rounds, seed
from tests.fakes.loop_time import LeapingLoop
from tools.dev.strict_tests import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["anyio_backend", "pytest_make_collect_report", "pytest_runtest_makereport"]


pytest_plugins = ["tests.postgres", "tests.s3", "tests.nfs"]

BELOW_INTEGRATION = ("unit", "scenarios", "properties", "contracts", "simulation")


# Whatever the machine: how slow it is says nothing, and the seed decides, also where `CI` is set.
settings.register_profile(
    "danlu", deadline=None, derandomize=False, database=None, max_examples=rounds(40, 100)
)
settings.load_profile("danlu")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = seed()
    _take_signals()


def _take_signals() -> None:
    """Whoever starts tests under `nohup`, or in the background of a script, lets them ignore signals, and with them
    every process that they start; those count on being interrupted."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test has the id that its name says: schemathesis names each of its cases after they were given one for all."""
    named = f"{item.parent.nodeid}::{item.name}" if item.parent else item.nodeid
    if item.nodeid != named:
        item._id = coerce_node_id(named)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups of tests stay together under `--dist loadgroup`: xdist 3.8 appends a group's name to the id of a test where
    pytest 9.2 no longer looks for it, and so would hand out every test by itself."""
    for item in items:
        named = vars(item).get("_nodeid")
        if named is not None:
            item._id = coerce_node_id(named)
    # Workers know tests by their ids: of two with one id only one would run, and nobody would notice.
    twice = [name for name, times in Counter(item.nodeid for item in items).items() if times > 1]
    if twice:
        raise pytest.UsageError(f"tests with one id: {', '.join(twice[:5])}")


def pytest_report_header() -> str:
    return f"seed: {seed()}{', all rounds and examples' if LONG else ''}"


@pytest.fixture(autouse=True)
def no_real_waits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below integration a test waits for what happens, never for a while: that is slow, and one day too short.
    Only who watches real processes has to look again and again, and says so with the mark `processes`."""
    folder = request.path.relative_to(request.config.rootpath / "tests").parts[0]
    if folder not in BELOW_INTEGRATION or request.node.get_closest_marker("processes"):
        return
    monkeypatch.setattr(time, "sleep", _refusing(time.sleep))
    monkeypatch.setattr(asyncio, "sleep", _refusing(asyncio.sleep))


def _refusing(sleep: Callable[..., Any]) -> Callable[..., Any]:
    """Only what tests themselves ask for is refused, and not where time leaps."""

    def asked(seconds: float, *more: Any) -> Any:
        if seconds > 0 and sys._getframe(1).f_globals["__name__"].startswith("tests.") and not _leaps():
            pytest.fail(
                f"A test below integration sleeps for {seconds} s: take `loop_time`, or wait for an event."
            )
        return sleep(seconds, *more)

    return asked


def _leaps() -> bool:
    try:
        return isinstance(asyncio.get_running_loop(), LeapingLoop)
    except RuntimeError:
        return False


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
