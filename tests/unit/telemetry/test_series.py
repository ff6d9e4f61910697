"""Metrics from the files that tasks write: joined over tries, read as they grow, whatever is in them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from danlu.ports.logs import LogKey
from danlu.ports.metrics import MOST_NAMES, Point, Run, Series, WantedMetrics
from danlu.ports.reports import METRICS_FILE, reports_folder
from danlu.telemetry import columns
from danlu.telemetry.logs import log_path
from danlu.telemetry.series import MOST_SERIES, FileMetrics


class Told:
    """Tasks that tell."""

    def __init__(self, logs: Path) -> None:
        self.logs, self.reader = logs, FileMetrics(logs)

    def file(self, run: Run) -> Path:
        folder = Path(reports_folder(str(log_path(self.logs, run.key))))
        folder.mkdir(parents=True, exist_ok=True)
        return folder / METRICS_FILE

    def tell(self, run: Run, *rows: tuple[int, dict[str, Any]], at: int = 1_000) -> Run:
        """Step by step, a second apart."""
        with self.file(run).open("a") as file:
            for step, values in rows:
                file.write(json.dumps([at + 1_000 * step, step, values]) + "\n")
        return run

    def every(self, runs: list[Run], names: Sequence[str] = ()) -> list[tuple[Run, str, Point]]:
        return [one for batch in self.reader.points(runs, names) for one in batch]

    def line(self, runs: list[Run], name: str = "loss", **wanted: Any) -> Series:
        (series,) = self.reader.read(runs, WantedMetrics((name,), **wanted)).series
        return series


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def run(attempt: int = 1, name: str = "worker-0", task: str = "", until: int | None = None) -> Run:
    task = task or name
    return Run(LogKey("job1", attempt, name), task.rpartition("-")[0], task, until)


def losses(steps: range, value: float = 1.0) -> list[tuple[int, dict[str, Any]]]:
    return [(step, {"loss": value}) for step in steps]


def test_what_was_told_is_read_as_a_line(told: Told):
    one = told.tell(run(), (1, {"loss": 0.5, "lr": 1}), (2, {"loss": 0.25}))
    found = told.reader.read([one], WantedMetrics())
    assert [(name.name, name.tasks, name.last) for name in found.names] == [
        ("loss", ("worker-0",), Point(2, 3_000, 0.25)),
        ("lr", ("worker-0",), Point(1, 2_000, 1.0)),
    ]
    assert found.series[0] == Series(
        "loss", "worker", "worker-0", 1, [1, 2], [2_000, 3_000], [0.5, 0.25], [0.5, 0.25], [0.5, 0.25]
    )


def test_what_an_attempt_did_after_the_checkpoint_the_next_resumed_from_is_left_out(told: Told):
    first = told.tell(run(1, until=5), *losses(range(10), 1.0))
    second = told.tell(run(2), *losses(range(7, 12), 2.0))
    line = told.line([first, second])
    assert line.steps == [*range(6), *range(7, 12)]
    assert line.values == [1.0] * 6 + [2.0] * 5
    assert line.attempt == 2


def test_where_two_tries_overlap_the_later_counts_even_if_nobody_told_of_a_checkpoint(told: Told):
    first = told.tell(run(1), *losses(range(10), 1.0))
    second = told.tell(run(1, "worker-0-r1", "worker-0"), *losses(range(4, 6), 2.0))
    line = told.line([first, second])
    assert (line.steps, line.values) == ([0, 1, 2, 3, 4, 5], [1.0] * 4 + [2.0] * 2)
    assert line.task == "worker-0"


def test_a_metric_with_steps_of_its_own_is_cut_by_its_own(told: Told):
    first = told.tell(
        run(1, until=1_000), *losses(range(0, 2_000, 500)), (1, {"epoch": 1}), (2, {"epoch": 2})
    )
    second = told.tell(run(2), (1_500, {"loss": 2.0}), (2, {"epoch": 2.5}))
    assert told.line([first, second], "epoch").values == [1.0, 2.5]
    assert told.line([first, second]).steps == [0, 500, 1_000, 1_500]


def test_the_latest_value_is_of_what_counts(told: Told):
    first = told.tell(run(1, until=5), *losses(range(10)), (8, {"late": 1}))
    (name,) = told.reader.read([first, run(2)], WantedMetrics()).names
    assert (name.name, name.last.step) == ("loss", 5)


def test_every_task_has_a_line_if_asked_and_the_first_that_told_otherwise(told: Told):
    runs = [
        run(name="chief-0"),
        told.tell(run(name="worker-0"), (1, {"loss": 1})),
        told.tell(run(name="worker-1"), (1, {"loss": 2, "own": 3})),
    ]
    found = told.reader.read(runs, WantedMetrics())
    assert [(one.name, one.task) for one in found.series] == [("loss", "worker-0"), ("own", "worker-1")]
    assert found.names[0].tasks == ("worker-0", "worker-1")
    every = told.reader.read(runs, WantedMetrics(("loss",), all_tasks=True)).series
    assert [(one.task, one.values) for one in every] == [("worker-0", [1.0]), ("worker-1", [2.0])]


def test_a_file_is_read_on_from_where_it_was(told: Told):
    one = told.tell(run(), *losses(range(3)))
    assert told.line([one]).steps == [0, 1, 2]
    file = told.file(one)
    with file.open("a") as open_file:
        open_file.write('[9000, 3, {"loss"')
    assert told.line([one]).steps == [0, 1, 2]
    with file.open("a") as open_file:
        open_file.write(": 4.0}]\n")
    assert told.line([one]).steps == [0, 1, 2, 3]


def test_one_that_was_replaced_or_cut_is_read_anew(told: Told):
    one = told.tell(run(), *losses(range(5)))
    assert len(told.line([one]).steps) == 5
    file = told.file(one)
    file.write_text('[1, 7, {"loss": 1.0}]\n')
    assert told.line([one]).steps == [7]
    fresh = file.with_name("new")
    fresh.write_text("".join(f'[1, {step}, {{"loss": 1.0}}]\n' for step in range(20, 30)))
    os.replace(fresh, file)
    assert told.line([one]).steps == list(range(20, 30))
    file.unlink()
    assert told.reader.read([one], WantedMetrics()).names == ()


def test_garbage_is_passed_over(told: Told):
    one = run()
    told.file(one).write_bytes(
        b'\n[]\nnonsense\n\xff\xfe\n[1, 2]\n{"loss": 1}\n[1, "2", {"loss": 1}]\n[1, 2, {"loss": "high"}]\n'
        b'[1, 3, {"loss": 1e999}]\n[1, 4, {"loss": "nan"}]\n[1, 5, {"loss": 0.5}]\n'
    )
    line = told.line([one])
    assert (line.steps, line.values) == ([3, 4, 5], [None, None, 0.5])


def test_what_is_no_plain_file_is_not_read(told: Told, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text('[1, 1, {"loss": 1.0}]\n')
    linked, piped = run(name="worker-0"), run(name="worker-1")
    told.file(linked).symlink_to(secret)
    os.mkfifo(told.file(piped))
    assert told.reader.read([linked, piped], WantedMetrics()).names == ()
    assert told.every([linked, piped]) == []


def test_thousands_of_names_are_bounded(told: Told):
    one = run()
    for chunk in range(12):
        told.tell(one, (1, {f"name{chunk * 100 + number:04}": 1.0 for number in range(100)}))
    found = told.reader.read([one], WantedMetrics())
    assert len(found.names) == MOST_NAMES
    assert len(found.series) == MOST_SERIES
    assert len(told.reader.read([one], WantedMetrics(("name0500",))).series) == 1


def test_too_many_points_are_merged_and_keep_their_extremes(told: Told, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(columns, "MOST_POINTS", 100)
    one = told.tell(
        run(),
        *((step, {"loss": 9.0 if step == 500 else -1.0 if step == 501 else 0.0}) for step in range(999)),
    )
    line = told.line([one], points=5_000)
    assert len(line.steps) <= 100
    assert line.steps[-1] == 998
    assert (max(line.high), min(line.low)) == (9.0, -1.0)  # type: ignore[type-var]
    told.tell(one, (1_000, {"loss": 5.0}))
    assert told.line([one]).values[-1] == 5.0
    assert len(told.every([one])) == 1_000


def test_a_file_beyond_measure_is_read_in_several_looks(told: Told, monkeypatch: pytest.MonkeyPatch):
    one = told.tell(run(), *losses(range(100_000)))
    monkeypatch.setattr(columns, "MOST_AT_ONCE", 1)
    found = [told.reader.read([one], WantedMetrics()).names[0].last.step for _ in range(3)]
    assert 0 < found[0] < found[1] < found[2] == 99_999


def test_all_files_of_a_look_together_are_bounded(told: Told):
    runs = [told.tell(run(name=f"worker-{at}"), *losses(range(1_000))) for at in range(3)]
    size = told.file(runs[0]).stat().st_size
    budget = columns.ReadingBudget(size + 1)
    files = [columns.MetricsFile(str(told.file(one).parent)) for one in runs]
    assert [bool(file.seen(budget)) for file in files] == [True, True, False]
    assert [bool(file.seen(columns.ReadingBudget())) for file in files] == [True] * 3


def test_a_file_of_terabytes_that_holds_nothing_is_read_at_once(told: Told):
    one = told.tell(run(), *losses(range(3)))
    os.truncate(told.file(one), 4 << 40)
    told.tell(one, *losses(range(3, 5)))
    os.truncate(told.file(one), 8 << 40)
    assert told.line([one]).steps == [0, 1, 2, 3, 4]
    batches = list(told.reader.points([one], ()))
    assert [point.step for batch in batches for _, _, point in batch] == [0, 1, 2, 3, 4]
    assert len(batches) < 10


def test_an_export_reads_little_at_a_time(told: Told):
    one = run()
    told.file(one).write_bytes(b"[]\n" * 400_000)
    told.tell(one, (1, {"loss": 1.0}))
    batches = list(told.reader.points([one], ()))
    assert len(batches) > 5
    assert [len(batch) for batch in batches if batch] == [1]


def test_nobody_waits_long_for_another_who_reads_the_same_file(told: Told, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(columns, "PATIENCE_S", 0.01)
    one = told.tell(run(), *losses(range(3)))
    assert told.line([one]).steps == [0, 1, 2]
    told.tell(one, *losses(range(3, 5)))
    with told.reader._files[one.key]._lock:
        assert told.line([one]).steps == [0, 1, 2]
    assert told.line([one]).steps == [0, 1, 2, 3, 4]


def test_a_file_that_another_still_reads_for_the_first_time_is_not_forgotten(
    told: Told, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(columns, "PATIENCE_S", 0.01)
    one = told.tell(run(), *losses(range(3)))
    file = told.reader._files[one.key] = columns.MetricsFile(str(told.file(one).parent))
    with file._lock:
        assert told.reader.read([one], WantedMetrics()).names == ()
    assert told.reader._files[one.key] is file


def test_what_is_kept_in_memory_is_bounded_and_what_was_let_go_is_read_again(tmp_path: Path):
    told = Told(tmp_path)
    told.reader = FileMetrics(tmp_path, kept_bytes=4_000)
    runs = [told.tell(run(name=f"worker-{at}"), *losses(range(100))) for at in range(5)]
    for _ in range(2):
        every = told.reader.read(runs, WantedMetrics(("loss",), all_tasks=True)).series
        assert [len(one.steps) for one in every] == [100] * 5
    assert len(told.reader._files) == 1


def test_every_value_that_counts_is_given_out_as_it_was_told(told: Told):
    first = told.tell(run(1, until=2), *losses(range(5)), (1, {"other": "inf"}))
    second = told.tell(run(2), *losses(range(2, 4), 2.0))
    every = told.every([first, second])
    assert [(one.key.attempt, name, point.step) for one, name, point in every] == [
        (1, "loss", 0), (1, "loss", 1), (1, "other", 1), (2, "loss", 2), (2, "loss", 3),
    ]  # fmt: skip
    assert every[2][2] == Point(1, 2_000, math.inf)
    assert [name for _, name, _ in told.every([first, second], ["other"])] == ["other"]


def test_the_pace_is_that_of_the_latest_attempt_within_the_window(told: Told):
    first = told.tell(run(1), *losses(range(100)))
    second = told.tell(run(2), *losses(range(50, 80)), (3, {"epoch": 1.0}))
    whole = told.reader.pace([first, second], None)
    assert whole is not None
    assert (whole.first.step, whole.last.step) == (50, 79)
    recent = told.reader.pace([first, second], 10_000)
    assert recent is not None
    assert (recent.first.step, recent.last.step) == (69, 79)
    slow = told.reader.pace([first, second], 10)
    assert slow is not None
    assert (slow.first.step, slow.last.step) == (78, 79)


def test_there_is_no_pace_before_the_second_step(told: Told):
    assert told.reader.pace([run()], None) is None
    assert told.reader.pace([told.tell(run(), *losses(range(1)))], None) is None
