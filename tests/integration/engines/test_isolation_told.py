"""What the nodes of this machine say of how their tasks are kept apart: found out by a real launcher."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.bootstrap.clock import SystemClock
from danlu.domain.isolation import Ability, IsolationForm, LackCause
from danlu.domain.people import FIRST_UID
from danlu.engines.local import LocalEngine
from danlu.engines.virtual import virtual_nodes
from danlu.ports import supervision
from danlu.ports.clock import Clock
from danlu.telemetry.logs import log_path
from tests.fakes.clock import FakeClock


def local_engine(tmp_path: Path, isolation: str, clock: Clock) -> LocalEngine:
    return LocalEngine(
        uid_of=lambda _: FIRST_UID,
        share_user=False,
        runs=tmp_path / "runs",
        volumes=tmp_path / "volumes",
        hidden=(tmp_path,),
        log_path=lambda key: log_path(tmp_path / "logs", key),
        archive_path=lambda digest: tmp_path / digest,
        nodes=virtual_nodes("2x1xA100"),
        isolation=isolation,
        python=None,
        clock=clock,
    )


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LocalEngine]:
    made = local_engine(tmp_path, request.param, SystemClock())
    yield made
    made.close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})


@pytest.mark.parametrize("engine", ["auto"], indirect=True)
def test_nodes_tell_what_the_launcher_found(engine: LocalEngine):
    first, second = (node.isolation for node in engine.inventory())
    assert first is not None
    assert first == second
    told = {*first.abilities, *(lack.ability for lack in first.lacking)}
    assert told >= {Ability.SANDBOX, Ability.CGROUP, Ability.OWN_USERS}
    assert (Ability.OWN_USERS in first.abilities) is (os.geteuid() == 0)
    missing = {lack.ability: lack.cause for lack in first.lacking}
    assert (missing.get(Ability.SANDBOX) is LackCause.NOT_INSTALLED) is (shutil.which("bwrap") is None)


@pytest.mark.parametrize("engine", ["process"], indirect=True)
def test_nodes_tell_that_isolation_was_turned_off(engine: LocalEngine):
    told = engine.inventory()[0].isolation
    assert told is not None
    assert (told.form, told.abilities, told.root) == (IsolationForm.PROCESS, (), os.geteuid() == 0)
    assert {lack.cause for lack in told.lacking} == {LackCause.BY_SETTING}


def test_nodes_that_were_blocked_tell_by_themselves_that_tasks_start_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    clock = FakeClock()
    made = local_engine(tmp_path, "auto", clock)
    try:
        told = made.inventory()[0].isolation
        assert told is not None
        assert told.form is IsolationForm.BLOCKED
        (programs / "bwrap").symlink_to(shutil.which("bwrap", path="/usr/bin:/bin") or "")
        clock.advance(60_000)
        mended = made.inventory()
        told = mended[0].isolation
        assert told is not None
        assert told.form is IsolationForm.SANDBOX
        assert made.inventory() == mended
    finally:
        made.close()
        supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})
