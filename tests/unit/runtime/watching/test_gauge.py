"""What the gauge writes down of a task, and that nothing it meets can hurt the task."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from danlu.ports.samples import COUNTED, UNKNOWN, read_head
from danlu.runtime.isolation import tree
from danlu.runtime.isolation.cgroups import ControlGroup
from danlu.runtime.watching.gauge import Gauge
from danlu.runtime.watching.gpus import GpuReader
from danlu.telemetry.samples import Readings, read_samples


class FakeGroup(ControlGroup):
    def __init__(self, *readings: tuple[int | None, int | None]) -> None:
        super().__init__([], [])
        self._readings = list(readings)

    def cpu_us(self) -> int | None:
        return self._readings[0][0]

    def memory_used(self) -> int | None:
        return self._readings.pop(0)[1]


def taken(folder: Path) -> Readings:
    found = read_samples(folder / "worker-0.usage", 10**12)
    assert found is not None
    return found


def run(gauge: Gauge, count: int) -> None:
    for _ in range(count):
        gauge.look(gauge.next_look)


def test_samples_are_taken_when_due_and_only_then(tmp_path: Path) -> None:
    group = FakeGroup((500_000, 1 << 20), (5_500_000, 2 << 20))
    gauge = Gauge(str(tmp_path / "worker-0.log"), group, 0, ())
    first = gauge.next_look
    gauge.look(first - 0.01)
    assert list(tmp_path.iterdir()) == []
    gauge.look(first)
    gauge.look(first + 4.99)
    gauge.look(first + 5)
    found = taken(tmp_path)
    assert found.values[1].tolist() == [1 << 20, 2 << 20]
    assert found.values[0][1] == pytest.approx(1.0, rel=0.01)
    head = read_head((tmp_path / "worker-0.usage").read_bytes())
    assert head is not None
    assert (head.cpu, head.every, head.gpus) == (COUNTED, 5_000, ())


def test_a_clock_that_is_set_back_does_not_disorder_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauge = Gauge(str(tmp_path / "worker-0.log"), FakeGroup(*[(0, 0)] * 3), 0, ())
    run(gauge, 1)
    behind = time.time() - 20
    monkeypatch.setattr(time, "time", lambda: behind)
    run(gauge, 2)
    times = taken(tmp_path).times.tolist()
    assert [later - earlier for earlier, later in itertools.pairwise(times)] == [5_000, 5_000]


def test_a_clock_that_was_far_ahead_is_believed_once_it_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gauge = Gauge(str(tmp_path / "worker-0.log"), FakeGroup(*[(0, 0)] * 4), 0, ())
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 30 * 86_400)
    run(gauge, 1)
    monkeypatch.setattr(time, "time", lambda: right)
    run(gauge, 2)
    assert taken(tmp_path).times.tolist() == [int(right * 1000), int(right * 1000) + 5_000]


def test_without_a_group_the_processes_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reaped, running = iter([100, 100, 300]), iter([400, 150])
    monkeypatch.setattr(tree, "descendants", lambda _: [7, 8])
    monkeypatch.setattr(tree, "reaped_cpu_ms", lambda: next(reaped))
    monkeypatch.setattr(tree, "cpu_ms", lambda pids: next(running) if pids == [7, 8] else 0)
    monkeypatch.setattr(tree, "memory_of", lambda pids, limit: limit // len(pids))
    gauge = Gauge(str(tmp_path / "worker-0.log"), None, 4096, ())
    run(gauge, 2)
    found = taken(tmp_path)
    assert found.values[1].tolist() == [2048, 2048]
    assert found.values[0][1] == 0, "a counter that lost something does not go back"


def test_a_group_that_only_knows_memory_leaves_the_processor_to_the_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "descendants", lambda _: [7])
    monkeypatch.setattr(tree, "cpu_ms", lambda _: 500)
    gauge = Gauge(str(tmp_path / "worker-0.log"), FakeGroup((None, 77)), 0, ())
    run(gauge, 1)
    found = taken(tmp_path)
    assert found.values[1].tolist() == [77]
    assert found.values[0][0] > 0


def test_a_kernel_that_talks_nonsense_costs_a_sample_and_nothing_else(tmp_path: Path) -> None:
    class Broken(FakeGroup):
        def cpu_us(self) -> int | None:
            raise ValueError("invalid literal for int()")

    gauge = Gauge(str(tmp_path / "worker-0.log"), Broken(), 0, ())
    run(gauge, 3)
    assert list(tmp_path.iterdir()) == []


def test_cards_without_a_library_are_unknown_and_it_is_tried_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    class Missing:
        def __init__(self) -> None:
            tried.append(self)
            raise OSError("libnvidia-ml.so.1: cannot open shared object file")

    monkeypatch.setattr("danlu.runtime.watching.gpus._Nvml", Missing)
    gpus = GpuReader((0, 1))
    assert [gpus.read(), gpus.read()] == [((UNKNOWN, UNKNOWN),) * 2] * 2
    assert len(tried) == 1


def test_a_driver_that_hangs_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Answers(GpuReader):
        def _serve(self, indexes: tuple[int, ...]) -> None:
            """Nobody answers."""

    gpus = Answers((0,))
    real = gpus._answers

    class Counted:
        def get(self, timeout: float) -> object:
            waits.append(timeout)
            return real.get(timeout=timeout / 100)

    monkeypatch.setattr(gpus, "_answers", Counted())
    assert [gpus.read() for _ in range(3)] == [((UNKNOWN, UNKNOWN),)] * 3
    assert waits == [0.05, 0.0, 0.0]
    real.put(((80, 5),))
    assert gpus.read() == ((80, 5),)
    # Asked again at once: whoever is slow has the time until the next look.
    real.put(((90, 5),))
    assert gpus.read() == ((90, 5),)
    assert waits[-1] == 0.0
