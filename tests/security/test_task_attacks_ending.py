"""A task whose supervisor no longer answers: it ends nevertheless, and nobody gets its place before it has."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.domain.events import TaskEnded, TaskRunning
from danlu.domain.reasons import NodeLost, Signal
from danlu.engines.local import engine as local
from danlu.ports import supervision
from danlu.runtime.force import holders
from tests.contracts.engine.harness import FOREVER_MS, LocalHarness, order, watch
from tests.integration.runtime.conftest import MODES, Runs, process_lives, until
from tests.integration.runtime.test_survival import everyone_in, start_family
from tests.live import LiveServer, eventually, live_server, training

pytestmark = pytest.mark.timeout(200)


def supervisor_of(task_dir: str) -> int:
    return supervision.read_status(task_dir)[0][0]["supervisor"]


# ── the launcher ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=MODES)
def isolation(request: pytest.FixtureRequest) -> dict[str, bool]:
    return MODES[request.param]


def test_the_launcher_ends_a_task_whose_supervisor_is_stopped(runs: Runs, isolation: dict[str, bool]) -> None:
    task = start_family(runs, isolation=isolation)
    os.kill(supervisor_of(task.dir), signal.SIGSTOP)
    task.stop(0)
    assert runs.ask({"sweep": task.name}) == [{"ok": True}]
    assert everyone_in(task), "a sweep leaves alone what has a supervisor"
    assert runs.ask({"end": task.name}) == [{"ok": True}]
    assert not everyone_in(task)
    assert not supervision.is_alive(task.dir)
    *_, last = task.records()
    assert (last["event"], last["reason"], last["signal"]) == ("exited", "signal", signal.SIGKILL)
    assert (last["started"], last["stopped"]) == (True, True)
    assert "did not respond" in last["text"]
    assert [record["seq"] for record in task.records()] == list(range(1, len(task.records()) + 1))


def test_a_supervisor_that_is_well_records_the_end_itself(runs: Runs) -> None:
    task = runs.start(command="sleep 1000")
    task.wait_for("running")
    assert runs.ask({"end": task.name}) == [{"ok": True}]
    ended = task.exited()
    assert (ended["reason"], ended["text"]) == ("signal", "")
    assert runs.ask({"end": task.name}, {"end": "gone/worker-0"}) == [{"ok": True}] * 2


def test_only_who_holds_a_lock_counts_as_its_holder(runs: Runs) -> None:
    task = runs.start(command="sleep 1000")
    task.wait_for("running")
    lock = os.path.join(task.dir, supervision.LOCK_FILE)
    looking = os.open(lock, os.O_RDONLY)
    assert holders(lock) == {supervisor_of(task.dir)}
    os.close(looking)
    task.stop(0)
    task.exited()
    assert holders(lock) == set()


# ── the engine ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHarness]:
    monkeypatch.setattr(local, "NO_RESPONSE_MS", 500)
    harness = LocalHarness(tmp_path, "auto")
    yield harness
    harness.engine().sweep(())
    for engine in harness.engines:
        engine.close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})


@pytest.mark.parametrize("grace", [0, 300])
def test_a_stop_that_the_supervisor_does_not_hear_is_carried_out(
    harness: LocalHarness, tmp_path: Path, grace: int
) -> None:
    engine, long = harness.engine(), order(harness, run_ms=FOREVER_MS)
    engine.start(long)
    watch(harness, engine, lambda seen: any(isinstance(one, TaskRunning) for one in seen))
    folder = str(tmp_path / "runs" / "job-1" / "worker-0")
    record = next(one for one in supervision.read_status(folder)[0] if one["event"] == "running")
    os.kill(supervisor_of(folder), signal.SIGSTOP)
    engine.stop(long, grace)
    while process_lives(record["pid"]):
        assert not any(isinstance(one, TaskEnded) for one in engine.events()), "told before it was over"
        time.sleep(0.02)
    seen = watch(harness, engine, lambda seen: any(isinstance(one, TaskEnded) for one in seen))
    (ended,) = [one for one in seen if isinstance(one, TaskEnded)]
    assert ended.reason == Signal("worker-0", "SIGKILL")


def test_a_fresh_engine_ends_it_when_it_is_told_again(harness: LocalHarness, tmp_path: Path) -> None:
    engine, long = harness.engine(), order(harness, run_ms=FOREVER_MS)
    engine.start(long)
    watch(harness, engine, lambda seen: any(isinstance(one, TaskRunning) for one in seen))
    os.kill(supervisor_of(str(tmp_path / "runs" / "job-1" / "worker-0")), signal.SIGSTOP)
    engine.stop(long, 60_000)
    engine = harness.engine()
    engine.stop(long, 0)
    watch(harness, engine, lambda seen: any(isinstance(one, TaskEnded) for one in seen))


def test_a_lost_task_is_told_of_when_nothing_of_it_is_left(harness: LocalHarness, tmp_path: Path) -> None:
    """Without a sandbox, what a killed supervisor leaves is ended only by the sweep, which is not over yet."""
    harness._isolation = "process"
    engine, long = harness.engine(), order(harness, run_ms=FOREVER_MS)
    launcher = supervision.ask_launcher(str(tmp_path / "runs"), {"ping": True})[0]["pid"]
    engine.start(long)
    watch(harness, engine, lambda seen: any(isinstance(one, TaskRunning) for one in seen))
    os.kill(launcher, signal.SIGSTOP)
    os.kill(supervisor_of(str(tmp_path / "runs" / "job-1" / "worker-0")), signal.SIGKILL)
    try:
        until(lambda: not supervision.is_alive(str(tmp_path / "runs" / "job-1" / "worker-0")), "its death")
        for _ in range(30):
            assert not any(isinstance(one, TaskEnded) for one in engine.events())
            time.sleep(0.05)
    finally:
        os.kill(launcher, signal.SIGCONT)
    seen = watch(harness, engine, lambda seen: any(isinstance(one, TaskEnded) for one in seen))
    assert isinstance(seen[-1], TaskEnded)
    assert isinstance(seen[-1].reason, NodeLost)


def test_a_sweep_removes_no_traces_of_what_still_runs(harness: LocalHarness, tmp_path: Path) -> None:
    engine, long = harness.engine(), order(harness, run_ms=FOREVER_MS)
    engine.start(long)
    watch(harness, engine, lambda seen: any(isinstance(one, TaskRunning) for one in seen))
    folder = tmp_path / "runs" / "job-1" / "worker-0"
    supervisor = supervisor_of(str(folder))
    os.kill(supervisor, signal.SIGSTOP)
    engine.sweep(())
    until(lambda: not folder.exists() and not process_lives(supervisor), "the end of both")


# ── a whole server ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("ending"), "--virtual-nodes", "1x1xA100") as live:
        yield live


@pytest.mark.parametrize("way", ["stop", "reset", "max_time"])
def test_the_gpu_is_free_only_when_the_task_is_gone(server: LiveServer, way: str) -> None:
    keys = {"max_time": "3s"} if way == "max_time" else {}
    with server.client() as client:
        first = client.submit(
            training(f"stuck-{way}", "sleep 1000", resources={"gpus": 1}, checkpoint={"grace": "1s"}, **keys)
        )
        eventually(lambda: client.get(first.id).state in ("running", "stopping"))
        folder = server.data / "runs" / f"{first.id}-1" / "worker-0"
        record = eventually(
            lambda: next(
                (one for one in supervision.read_status(str(folder))[0] if one["event"] == "running"), None
            )
        )
        os.kill(supervisor_of(str(folder)), signal.SIGSTOP)
        waits = client.submit(training(f"next-{way}", "sleep 1000", resources={"gpus": 1}))
        if way != "max_time":
            getattr(client, way)(first.id)
        while process_lives(record["pid"]):
            assert client.get(waits.id).state == "queued", "it was given a GPU that is in use"
            time.sleep(0.05)
        eventually(lambda: client.get(waits.id).state == "running")
        assert not supervision.is_alive(str(folder))
        expected = {"stop": "stopped", "reset": "created", "max_time": "failed"}[way]
        eventually(lambda: client.get(first.id).state == expected)
        client.stop(waits.id)
        eventually(lambda: client.get(waits.id).state == "stopped")
