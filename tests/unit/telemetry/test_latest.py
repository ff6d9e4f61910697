"""What trainings reported last, from files that grow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from danlu.ports.logs import LogKey
from danlu.ports.metrics import Latest
from danlu.ports.reports import METRICS_FILE, READ_AT_ONCE, reports_folder
from danlu.telemetry.latest import FileLatest
from danlu.telemetry.logs import log_path

RUN = LogKey("job1", 1, "worker-0")


class Training:
    def __init__(self, logs: Path) -> None:
        self.reader = FileLatest(logs)
        folder = Path(reports_folder(str(log_path(logs, RUN))))
        folder.mkdir(parents=True)
        self.file = folder / METRICS_FILE

    def tell(self, step: int, **values: Any) -> None:
        with self.file.open("a") as file:
            file.write(json.dumps([1_000 * step, step, values]) + "\n")

    def latest(self) -> Latest | None:
        return self.reader.look(RUN)


@pytest.fixture
def training(tmp_path: Path) -> Training:
    return Training(tmp_path)


def test_who_reported_nothing_has_no_latest_report(training: Training):
    assert training.latest() is None


def test_the_latest_report_is_the_last_step_its_total_and_its_loss(training: Training):
    training.tell(0, total_steps=100)
    training.tell(1, loss=0.5, accuracy=0.1)
    assert training.latest() == Latest(1, 1_000, 100, "loss", 0.5)

    training.tell(2, loss=0.231)
    training.tell(3, lr=0.001)
    assert training.latest() == Latest(3, 3_000, 100, "loss", 0.231)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("accuracy", "loss", "train/loss"), "loss"),
        (("eval_loss", "train_loss"), "train_loss"),
        (("accuracy", "eval_loss"), "eval_loss"),
        (("reward", "epoch", "lr"), "reward"),
        (("epoch", "lr"), None),
    ],
)
def test_the_metric_that_says_most_is_chosen(training: Training, names: tuple[str, ...], chosen: str | None):
    training.tell(1, **dict.fromkeys(names, 1.0))
    latest = training.latest()
    assert latest is not None
    assert latest.metric == chosen


def test_a_loss_that_is_no_number_has_no_value(training: Training):
    training.tell(1, loss="nan")
    assert training.latest() == Latest(1, 1_000, None, "loss", None)


def test_of_a_long_file_only_the_beginning_and_the_end_are_read(training: Training):
    training.tell(0, total_steps=9)
    line = json.dumps([1, 1, {"loss": 9.0, "x" * 100: 1.0}]) + "\n"
    with training.file.open("a") as file:
        file.write(line * (3 * READ_AT_ONCE // len(line)))
    training.tell(7, loss=0.25)

    assert training.latest() == Latest(7, 7_000, 9, "loss", 0.25)


def test_a_file_that_began_anew_is_read_anew(training: Training):
    for step in range(5):
        training.tell(step, loss=0.5)
    training.latest()
    training.file.unlink()
    training.tell(1, reward=2.0)
    assert training.latest() == Latest(1, 1_000, None, "reward", 2.0)


def test_what_nobody_watches_is_forgotten(training: Training):
    training.tell(5, loss=0.5)
    training.latest()
    training.reader.keep_only(())
    training.file.unlink()
    assert training.latest() is None
