"""Samples as lines: cores from a counter, windows, gaps, and stretches that keep what is highest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.ports.logs import LogKey
from danlu.ports.samples import COUNTED, RATED, UNKNOWN, Head, Sample, SampleFile
from danlu.ports.usage import TimeWindow
from danlu.telemetry import curves
from danlu.telemetry.samples import Readings
from danlu.telemetry.usage import FileUsage, node_path, task_path
from tests.fakes.clock import FakeClock

KEY = LogKey("job", 1, "worker-0")
START = 1_800_000_000_000
EVERY = 5_000
HOUR = 3_600_000
EMPTY: tuple[list[int], list[float | None], list[float | None]] = ([], [], [])


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(START)


@pytest.fixture
def usage(tmp_path: Path, clock: FakeClock) -> FileUsage:
    task_path(tmp_path, KEY).parent.mkdir(parents=True)
    return FileUsage(tmp_path, tmp_path, clock)


def record(root: Path, *samples: Sample, gpus: tuple[int, ...] = ()) -> None:
    file = SampleFile(str(task_path(root, KEY)), Head(START, EVERY, COUNTED, gpus))
    for one in samples:
        assert file.append(one)


def lines(found: object) -> tuple[list[int], list[float | None], list[float | None]]:
    return found.times, found.cpus.mean, found.memory.mean  # type: ignore[attr-defined]


def test_cores_are_what_was_used_since_the_sample_before(
    usage: FileUsage, tmp_path: Path, clock: FakeClock
) -> None:
    record(
        tmp_path,
        Sample(START + 1_000, 500_000, 10),
        Sample(START + 6_000, 10_500_000, 20),
        Sample(START + 11_000, 10_500_000, 30),
    )
    clock.advance(12_000)
    assert lines(usage.of_task(KEY, TimeWindow(HOUR, 300))) == (
        [START + 1_000, START + 6_000, START + 11_000],
        [0.5, 2.0, 0.0],
        [10, 20, 30],
    )


def test_what_nobody_knows_is_null(usage: FileUsage, tmp_path: Path, clock: FakeClock) -> None:
    record(
        tmp_path,
        Sample(START + 1_000, UNKNOWN, UNKNOWN, ((UNKNOWN, UNKNOWN), (50, 1 << 30))),
        Sample(START + 6_000, 5_000_000, 20, ((99, 2 << 30), (51, UNKNOWN))),
        Sample(START + 11_000, 4_000_000, 20, ((99, 2 << 30), (51, UNKNOWN))),
        gpus=(0, 4),
    )
    clock.advance(12_000)
    found = usage.of_task(KEY, TimeWindow(HOUR, 300))
    assert found.cpus.mean == [None, None, None], (
        "neither after an unknown one nor when the counter went back"
    )
    assert found.memory.mean == [None, 20, 20]
    assert [(one.index, one.busy.mean, one.memory.mean) for one in found.gpus] == [
        (0, [None, 99.0, 99.0], [None, 2 << 30, 2 << 30]),
        (4, [50.0, 51.0, 51.0], [1 << 30, None, None]),
    ]


def test_the_window_ends_now_or_with_what_is_over(usage: FileUsage, tmp_path: Path, clock: FakeClock) -> None:
    record(tmp_path, *(Sample(START + EVERY * number, 0, number) for number in range(1, 101)))
    clock.advance(EVERY * 100)
    assert usage.of_task(KEY, TimeWindow(4 * EVERY, 300)).memory.mean == [97, 98, 99, 100]
    clock.advance(HOUR)
    assert lines(usage.of_task(KEY, TimeWindow(4 * EVERY, 300))) == EMPTY
    over = TimeWindow(4 * EVERY, 300, end=START + EVERY * 101)
    assert usage.of_task(KEY, over).memory.mean == [98, 99, 100]


def test_a_clock_set_back_hides_nothing(usage: FileUsage, tmp_path: Path, clock: FakeClock) -> None:
    record(tmp_path, *(Sample(START + HOUR + EVERY * number, 0, number) for number in range(1, 4)))
    assert usage.of_task(KEY, TimeWindow(HOUR, 300)).memory.mean == [1, 2, 3]


def test_a_window_far_from_the_beginning_knows_its_first_cores(
    usage: FileUsage, tmp_path: Path, clock: FakeClock
) -> None:
    record(tmp_path, *(Sample(START + EVERY * number, 5_000_000 * number, 0) for number in range(1, 1_001)))
    clock.advance(EVERY * 1_000)
    assert usage.of_task(KEY, TimeWindow(20_000, 300)).cpus.mean == [1.0] * 4


def test_no_line_is_drawn_across_what_is_missing(usage: FileUsage, tmp_path: Path, clock: FakeClock) -> None:
    record(tmp_path, *(Sample(START + EVERY * number, 0, 5) for number in (1, 2, 10, 11)))
    clock.advance(EVERY * 12)
    times, _, memory = lines(usage.of_task(KEY, TimeWindow(HOUR, 300)))
    assert memory == [5, 5, None, 5, 5]
    assert times[2] == START + EVERY * 6


def test_what_was_never_measured_is_empty(usage: FileUsage) -> None:
    assert lines(usage.of_task(KEY, TimeWindow(HOUR, 300))) == EMPTY
    assert lines(usage.of_node("a100-0", TimeWindow(HOUR, 300))) == EMPTY
    assert usage.present(KEY) is None


def test_a_file_that_is_garbage_is_empty(usage: FileUsage, tmp_path: Path) -> None:
    task_path(tmp_path, KEY).write_bytes(b"DANLUUSE" + bytes(range(200)))
    node_path(tmp_path, "a100-0").write_bytes(b"")
    assert lines(usage.of_task(KEY, TimeWindow(HOUR, 300))) == EMPTY
    assert lines(usage.of_node("a100-0", TimeWindow(HOUR, 300))) == EMPTY


def test_a_node_is_rated_not_counted(usage: FileUsage, tmp_path: Path) -> None:
    file = SampleFile(str(node_path(tmp_path, "a100-0")), Head(0, 15_000, RATED, ()))
    assert file.append(Sample(START - 15_000, 2_500, 7))
    assert file.append(Sample(START, 500, 8))
    assert lines(usage.of_node("a100-0", TimeWindow(HOUR, 300))) == (
        [START - 15_000, START],
        [2.5, 0.5],
        [7, 8],
    )


def test_the_present_is_the_latest_sample_while_it_is_recent(
    usage: FileUsage, tmp_path: Path, clock: FakeClock
) -> None:
    record(
        tmp_path,
        Sample(START + 1_000, 0, 1, ((7, 8),)),
        Sample(START + 6_000, 10_000_000, 2, ((9, 10),)),
        gpus=(3,),
    )
    clock.advance(20_000)
    present = usage.present(KEY)
    assert present is not None
    assert (present.cpus, present.memory, present.gpus) == (2.0, 2.0, {3: (9.0, 10.0)})
    clock.advance(2_000)
    assert usage.present(KEY) is None


numbers = st.floats(0, 1e12) | st.just(float("nan"))


@given(st.lists(st.tuples(st.integers(1, 60_000), numbers), max_size=200), st.integers(10, 60))
def test_stretches_keep_the_mean_and_what_is_highest(taken: list[tuple[int, float]], points: int) -> None:
    times = START + np.cumsum([EVERY + passed for passed, _ in taken], dtype=np.int64)
    values = np.array([value for _, value in taken], dtype=np.float64)
    readings = Readings((), EVERY, times, np.vstack([values, values]))
    found = curves.draw(readings, START, START + 10**12, points)
    assert len(found.times) == len(found.memory.mean) == len(found.memory.high) <= max(points, 0)
    assert found.times == sorted(set(found.times))
    known = values[np.isfinite(values)]
    highs = [value for value in found.memory.high if value is not None]
    assert bool(highs) == bool(known.size)
    if known.size:
        assert max(highs) == round(known.max())
        assert min(value for value in found.memory.mean if value is not None) >= round(known.min())
    for mean, high in zip(found.memory.mean, found.memory.high, strict=True):
        assert (mean is None) == (high is None)
        assert mean is None or high is None or mean <= high


def test_a_stretch_stays_where_it_is_as_time_goes_on() -> None:
    times = START + EVERY * np.arange(2_000, dtype=np.int64)
    values = np.vstack([np.arange(2_000.0), np.arange(2_000.0)])
    readings = Readings((), EVERY, times, values)
    drawn = [curves.draw(readings, begin, begin + HOUR, 50) for begin in (START, START + EVERY)]
    earlier, later = (dict(zip(one.times, one.memory.mean, strict=True)) for one in drawn)
    shared = sorted(earlier.keys() & later.keys())[1:-1]
    assert len(shared) > 40
    assert [earlier[time] for time in shared] == [later[time] for time in shared]
