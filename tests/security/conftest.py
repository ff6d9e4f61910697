"""Attacks on the real thing: a launcher and supervisors, or a whole server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from danlu.domain.people import FIRST_UID
from tests.integration.runtime.conftest import MODES, Runs, own_runs, runs, shared_runs
from tests.ordinary import FIRST_SUBORDINATE, UID, OrdinaryUser, ordinary_user

__all__ = ["Runs", "either_runs", "own_runs", "runs", "shared_runs", "subordinate_runs"]

# As `danlu up` does it: a namespace, in which everything else is started.
LAUNCH = """
import sys
from danlu.runtime.isolation import subordinate
from danlu.runtime import launcher
subordinate.enter(subordinate.make_namespace(int(sys.argv[2]), sys.argv[3]))
sys.exit(launcher.main([sys.argv[1]]))
"""
# As a server that starts while the launcher is at work.
ENTER = """
import sys
from danlu.ports import supervision
from danlu.runtime import enter
from danlu.runtime.isolation import subordinate
subordinate.enter(subordinate.namespace_of(supervision.ask_launcher(sys.argv[1], {"ping": True})[0]["pid"]))
sys.exit(enter.main(sys.argv[2:]))
"""


class SubordinateRuns(Runs):
    """Those of an ordinary user who has subordinate ids."""

    def __init__(self, user: OrdinaryUser) -> None:
        super().__init__(user.root)
        self.user = user
        self.somebody = {"uid": FIRST_UID + 7, "gid": FIRST_UID + 7, "name": "alice"}
        self.isolation = MODES["sandbox"]

    def acting(self) -> Any:
        return self.user.acting()

    def owner(self, person: dict[str, Any] | None) -> int:
        return FIRST_SUBORDINATE + person["uid"] - FIRST_UID if person else UID

    def command(self) -> list[str]:
        words = [sys.executable, "-c", LAUNCH, str(self.path), str(FIRST_UID), str(self.base)]
        return self.user.command(*words)

    def entering(self, folder: str, *words: str) -> list[str]:
        return self.user.command(sys.executable, "-c", ENTER, str(self.path), folder, "--", *words)


@pytest.fixture(scope="session")
def subordinate_runs() -> Iterator[SubordinateRuns]:
    with ordinary_user() as user:
        runs = SubordinateRuns(user)
        runs.open_launcher()
        yield runs
        runs.close()


@pytest.fixture(params=["root", "ordinary"])
def either_runs(request: pytest.FixtureRequest) -> Any:
    """A launcher of root, and one of an ordinary user with subordinate ids: to the attacker they are the same."""
    return request.getfixturevalue("shared_runs" if request.param == "root" else "subordinate_runs")
