"""Stacks are kept beside logs, bounded, and read back the latest first."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.ports.logs import LogKey
from danlu.ports.stacks import Cause, Stacks
from danlu.telemetry.logs import FileLogs
from danlu.telemetry.stacks import FileStacks, stacks_path


@pytest.fixture
def kept(tmp_path: Path) -> FileStacks:
    return FileStacks(tmp_path)


def keep(
    kept: FileStacks, at: int, task: str = "worker-0", attempt: int = 1, run: str = "", text: str = "x"
) -> Stacks:
    key = LogKey("job", attempt, run or task)
    return kept.keep(key, Stacks(task, attempt, at, Cause.ASKED, text))


def test_nothing_was_kept_of_a_job_that_never_hung(kept: FileStacks) -> None:
    assert kept.of_job("job") == ()


def test_what_was_kept_is_read_back_by_attempt_and_time(kept: FileStacks) -> None:
    first = keep(kept, 1, text="in a collective\n")
    second = keep(kept, 5, "worker-1", run="worker-1-r2")
    third = kept.keep(LogKey("job", 2, "worker-0"), Stacks("worker-0", 2, 3, Cause.HUNG, "等待\n"))
    assert kept.of_job("job") == (third, second, first)
    assert kept.of_job("job", attempt=1) == (second, first)
    assert kept.of_job("job", task="worker-0") == (third, first)
    assert kept.of_job("other") == ()


def test_of_one_run_the_latest_few_are_kept(kept: FileStacks) -> None:
    for at in range(20):
        keep(kept, at)
    assert [one.taken_at for one in kept.of_job("job")] == [19, 18, 17, 16, 15, 14, 13, 12]


def test_a_long_text_is_cut_between_characters(kept: FileStacks) -> None:
    text = keep(kept, 1, text="炉" * 200_000).text
    assert text.startswith("炉炉")
    assert text.endswith("too long and was cut off\n")
    assert "\ufffd" not in text
    assert len(text.encode()) < 300_000


def test_nothing_that_moves_a_terminal_is_kept(kept: FileStacks) -> None:
    assert keep(kept, 1, text="a\x1b[2Jb\r\tc\x9bd\n").text == "a[2Jb\tcd\n"


def test_an_answer_is_bounded(kept: FileStacks) -> None:
    for task in range(30):
        for at in range(8):
            keep(kept, at, f"worker-{task}")
    assert len(kept.of_job("job")) == 100


def test_a_torn_or_strange_line_is_passed_over(kept: FileStacks, tmp_path: Path) -> None:
    one = keep(kept, 1)
    path = stacks_path(tmp_path, LogKey("job", 1, "worker-0"))
    path.write_bytes(b'[]\n{"task": "x"}\n' + path.read_bytes() + b'{"torn')
    assert kept.of_job("job") == (one,)


def test_stacks_go_with_the_logs_of_their_job(kept: FileStacks, tmp_path: Path) -> None:
    keep(kept, 1)
    FileLogs(tmp_path).remove("job")
    assert kept.of_job("job") == ()
