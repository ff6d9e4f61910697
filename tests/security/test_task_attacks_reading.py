"""A task writes what its supervisor and the server read: it must neither hold them up nor lead them astray."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from danlu.ports import reports, samples, supervision
from danlu.ports.logs import LogKey
from danlu.ports.metrics import Run
from danlu.telemetry.columns import MetricsFile, ReadingBudget
from danlu.telemetry.logs import FileLogs, log_path
from danlu.telemetry.samples import read_samples
from danlu.telemetry.series import FileMetrics
from tests.integration.runtime.conftest import Runs, until
from tests.integration.runtime.test_training import reporting

SANDBOX = {"bubblewrap": True, "cgroup": True}
PLAIN = {"bubblewrap": False, "cgroup": False}
HUGE = 4 << 40
KEY = LogKey("job", 1, "worker-0")
SPARSE = """
import os, sys, time
folder = os.environ["DANLU_REPORTS"]
for name in ("checkpoints.jsonl", "metrics.jsonl"):
    with open(folder + "/" + name, "w") as file:
        file.truncate(%d)
    with open(folder + "/" + name, "a") as file:
        file.write('[7,7,"/ckpt/7"]\\n' if name[0] == "c" else '[7,7,{"loss":0.5}]\\n')
open("ready", "w").write("\\n")
time.sleep(1000)
"""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("isolation", [SANDBOX, PLAIN], ids=["sandbox", "process"])
def test_terabytes_of_holes_keep_no_supervisor_from_its_work(runs: Runs, isolation: dict[str, bool]) -> None:
    task, _ = reporting(runs, SPARSE % HUGE, isolation=isolation)
    task.file("ready")
    assert task.wait_for(supervision.CHECKPOINT, 30)["path"] == "/ckpt/7"
    task.wait_for(supervision.WARNING, 30)
    task.stop(500)
    assert task.exited(30)["stopped"]
    warnings = [record for record in task.records() if record["event"] == supervision.WARNING]
    assert {record["code"] for record in warnings} == {"reports_skipped"}
    assert len(warnings) == 2, "each file is told of once"


def test_neither_pipes_nor_links_in_the_reports_hold_up_or_mislead(runs: Runs, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "checkpoints.jsonl").write_bytes(reports.save_line(reports.Save(1, 1, "/secret")))
    program = f"""
import os, time
folder = os.environ["DANLU_REPORTS"]
os.mkfifo(folder + "/checkpoints.jsonl")
os.symlink("{secret}/checkpoints.jsonl", folder + "/metrics.jsonl")
open("ready", "w").write("\\n")
time.sleep(3)
os.unlink(folder + "/checkpoints.jsonl")
os.symlink("{secret}/checkpoints.jsonl", folder + "/checkpoints.jsonl")
time.sleep(2)
os.unlink(folder + "/checkpoints.jsonl")
open(folder + "/checkpoints.jsonl", "w").write('[5,5,"/own"]\\n')
"""
    task, _ = reporting(runs, program, isolation=PLAIN)
    assert task.exited(60)["code"] == 0
    told = [record["path"] for record in task.records() if record["event"] == supervision.CHECKPOINT]
    assert told == ["/own"]


def test_a_folder_of_reports_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere, own = tmp_path / "elsewhere", tmp_path / "worker-0.reports"
    elsewhere.mkdir()
    (elsewhere / "metrics.jsonl").write_bytes(b'[1,1,{"salary":1}]\n')
    own.symlink_to(elsewhere)
    assert reports.read_points(str(own)) == ([], 0)
    assert MetricsFile(str(own)).seen(ReadingBudget()) == {}
    with pytest.raises(NotADirectoryError):
        reports.append(str(own), "metrics.jsonl", b"x\n")
    assert (elsewhere / "metrics.jsonl").read_bytes() == b'[1,1,{"salary":1}]\n'


def test_what_was_cut_off_or_exchanged_is_read_from_its_beginning(runs: Runs) -> None:
    program = """
import os, time
folder = os.environ["DANLU_REPORTS"]
def save(mode, step, pad=0):
    with open(folder + "/checkpoints.jsonl", mode) as file:
        file.write('[5,%d,"/%s"]\\n' % (step, "x" * pad + str(step)))
save("w", 1, 100)
while not os.path.exists("cut"): time.sleep(0.05)
save("w", 2)
while not os.path.exists("exchange"): time.sleep(0.05)
os.rename(folder + "/checkpoints.jsonl", folder + "/checkpoints.1")
save("w", 3, 300)
while not os.path.exists("go"): time.sleep(0.05)
"""
    task, _ = reporting(runs, program, isolation=PLAIN)

    def told() -> list[int]:
        return [record["step"] for record in task.records() if record["event"] == supervision.CHECKPOINT]

    for number, name in enumerate(("cut", "exchange", "go"), 1):
        until(lambda number=number: number in told(), f"checkpoint {number}")
        (task.work / name).touch()
    task.exited()
    assert told() == [1, 2, 3]


# ── by the server ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    log_path(tmp_path, KEY).parent.mkdir(parents=True)
    return tmp_path


def sparse(path: Path, end: bytes) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)
        file.seek(HUGE)
        file.write(end)


@pytest.mark.timeout(60)
def test_metrics_behind_terabytes_of_holes_are_found_at_once(logs: Path) -> None:
    folder = Path(reports.reports_folder(str(log_path(logs, KEY))))
    folder.mkdir()
    sparse(folder / "metrics.jsonl", b'[7,7,{"loss":0.5}]\n')
    run = Run(KEY, "worker", "worker-0")
    assert [point.value for batch in FileMetrics(logs).points([run], []) for _, _, point in batch] == [0.5]
    assert list(MetricsFile(str(folder)).seen(ReadingBudget())["loss"].points.values) == [0.5]


@pytest.mark.timeout(60)
def test_garbage_costs_a_look_little(logs: Path) -> None:
    folder = Path(reports.reports_folder(str(log_path(logs, KEY))))
    folder.mkdir()
    for garbage in (b"\n", b"x\n", b"9" * 900_000 + b"\n", b"[" * 99 + b"\n"):
        (folder / "metrics.jsonl").write_bytes(garbage * (8_000_000 // len(garbage)))
        assert MetricsFile(str(folder)).seen(ReadingBudget()) == {}


@pytest.mark.timeout(60)
def test_a_log_of_holes_is_read_within_bounds(logs: Path) -> None:
    sparse(log_path(logs, KEY), b"1800000000.000 o last\n")
    reader = FileLogs(logs)
    assert len(reader.read(KEY, 0, 1000).records) <= 4 << 20
    assert reader.tail(KEY, 10) == 0  # a hole is passed over, and has no lines
    assert reader.since(KEY, 1) <= HUGE + 22
    assert len(reader.find(KEY, "last", 0, 10).records) <= 1
    os.unlink(log_path(logs, KEY))
    os.mkfifo(log_path(logs, KEY))
    assert reader.read(KEY, 0, 1000).records == b""


@pytest.mark.timeout(60)
def test_samples_of_terabytes_are_read_from_their_end(logs: Path) -> None:
    path = logs / "x.usage"
    sparse(path, b"")
    with path.open("r+b") as file:
        file.write(samples.pack_head(samples.Head(1, 1, samples.COUNTED, ())))
    readings = read_samples(path, 10**12)
    assert readings is not None
    assert not readings.times.size


@pytest.mark.timeout(60)
def test_records_of_a_supervisor_that_somebody_blew_up_are_read_in_pieces(tmp_path: Path) -> None:
    sparse(tmp_path / supervision.STATUS_FILE, b'{"event":"exited"}\n')
    records, end = supervision.read_status(str(tmp_path))
    assert (records, end) == ([{"event": "exited"}], HUGE + 19)
    os.truncate(tmp_path / supervision.STATUS_FILE, 0)
    assert supervision.read_status(str(tmp_path), end) == ([], 0)
    for name in (supervision.STATUS_FILE, supervision.TASK_FILE):
        (tmp_path / name).unlink(missing_ok=True)
        os.mkfifo(tmp_path / name)
    assert supervision.read_status(str(tmp_path)) == ([], 0)
    assert supervision.read_json(str(tmp_path / supervision.TASK_FILE)) is None
    os.mkfifo(tmp_path / supervision.LOCK_FILE)
    assert not supervision.is_alive(str(tmp_path))
    os.mkfifo(tmp_path / "x.usage")
    file = samples.SampleFile(str(tmp_path / "x.usage"), samples.Head(1, 1, samples.COUNTED, ()))
    assert not file.append(samples.Sample(1, 1, 1))
