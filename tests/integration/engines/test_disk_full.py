"""A disk that fills between placing and launching: the job waits and starts when there is room."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from danlu.domain.errors import DiskFull
from danlu.domain.events import TaskDelayed, TaskEnded
from danlu.engines.local import engine as module
from danlu.ports import supervision
from tests.contracts.engine.harness import LocalHarness, ended, order, watch


def test_a_gang_that_finds_the_disk_full_waits_whole_and_starts_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = LocalHarness(tmp_path, "process")
    engine = harness.engine()
    real = module.write_task  # type: ignore[attr-defined]
    refused: list[object] = []

    def full_for_the_second(*args: object) -> None:
        if args[1].name == "worker-1" and not refused:  # type: ignore[attr-defined]
            refused.append(args)
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "write_task", full_for_the_second)
    with pytest.raises(DiskFull):
        engine.start(order(harness, run_ms=100, tasks=2))
    delayed = [event for event in engine.events() if isinstance(event, TaskDelayed)]
    assert [(event.task, "No space left" in event.why) for event in delayed] == [("worker-1", True)]
    assert harness.launches("job-1") == 0
    engine.start(order(harness, run_ms=100, tasks=2))
    ends = [event for event in watch(harness, engine, ended(2)) if isinstance(event, TaskEnded)]
    assert [event.reason for event in ends] == [None, None]
    engine.close()
    supervision.ask_launcher(str(tmp_path / "runs"), {"quit": True})
