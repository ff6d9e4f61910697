"""Each kind of sign alone shows that a task goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.ports.logs import LogKey
from danlu.ports.reports import CHECKPOINTS_FILE, METRICS_FILE, reports_folder
from danlu.ports.samples import COUNTED, UNKNOWN, Head, Sample, SampleFile
from danlu.telemetry.logs import log_path
from danlu.telemetry.signs import FileSigns
from danlu.telemetry.usage import task_path
from tests.fakes.clock import START, FakeClock

KEY = LogKey("job", 1, "worker-0")
MINUTE = 60_000
NOW = START + 60 * MINUTE


@pytest.fixture
def signs(tmp_path: Path) -> FileSigns:
    log_path(tmp_path, KEY).parent.mkdir(parents=True)
    return FileSigns(tmp_path, FakeClock(NOW))


def write(path: Path, at: int, text: str = "something\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(at * 1_000_000, at * 1_000_000))


def report(root: Path, name: str) -> Path:
    return Path(reports_folder(str(log_path(root, KEY)))) / name


def measure(root: Path, *busy: tuple[int, int], gpus: tuple[int, ...] = (0, 1)) -> None:
    """At each time, how busy the second card was; the first is idle."""
    file = SampleFile(str(task_path(root, KEY)), Head(START, 5_000, COUNTED, gpus))
    for at, percent in busy:
        cards = ((0, 1), (percent, 1))[: len(gpus)]
        assert file.append(Sample(at, 1, 1, cards))


def test_a_task_that_left_no_trace_gave_no_sign(signs: FileSigns) -> None:
    assert signs.last(KEY, 0) is None


def test_output_is_a_sign_until_it_is_too_old(signs: FileSigns, tmp_path: Path) -> None:
    write(log_path(tmp_path, KEY), NOW - 5 * MINUTE)
    assert signs.last(KEY, NOW - 6 * MINUTE) == NOW - 5 * MINUTE
    assert signs.last(KEY, NOW - 5 * MINUTE) is None


@pytest.mark.parametrize("name", [METRICS_FILE, CHECKPOINTS_FILE])
def test_a_step_or_a_checkpoint_told_of_is_a_sign(signs: FileSigns, tmp_path: Path, name: str) -> None:
    write(log_path(tmp_path, KEY), NOW - 50 * MINUTE)
    write(report(tmp_path, name), NOW - MINUTE)
    assert signs.last(KEY, NOW - 2 * MINUTE) == NOW - MINUTE


def test_an_empty_file_is_no_sign(signs: FileSigns, tmp_path: Path) -> None:
    write(log_path(tmp_path, KEY), NOW - MINUTE, "")
    assert signs.last(KEY, 0) is None


def test_a_gpu_in_use_is_a_sign(signs: FileSigns, tmp_path: Path) -> None:
    measure(tmp_path, (NOW - 9 * MINUTE, 0), (NOW - 8 * MINUTE, 1), (NOW - MINUTE, 0))
    assert signs.last(KEY, NOW - 10 * MINUTE) == NOW - 8 * MINUTE
    assert signs.last(KEY, NOW - 7 * MINUTE) is None


def test_gpus_that_are_idle_unknown_or_not_measured_are_none(signs: FileSigns, tmp_path: Path) -> None:
    measure(tmp_path, (NOW - 2 * MINUTE, 0), (NOW - MINUTE, UNKNOWN))
    assert signs.last(KEY, NOW - 10 * MINUTE) is None
    task_path(tmp_path, KEY).unlink()
    measure(tmp_path, (NOW - MINUTE, 0), gpus=())
    assert signs.last(KEY, NOW - 10 * MINUTE) is None


def test_a_file_from_the_future_counts_as_written_now(signs: FileSigns, tmp_path: Path) -> None:
    write(log_path(tmp_path, KEY), NOW + 600 * MINUTE)
    assert signs.last(KEY, NOW - MINUTE) == NOW
