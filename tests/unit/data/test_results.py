"""Results: put away when an attempt has ended, removed by age, size and a full disk, and never half."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection
from pathlib import Path

import pytest

from danlu.data.results.bounds import to_free, too_many
from danlu.data.results.collector import ResultCollector
from danlu.data.results.figures import FileResults
from danlu.data.results.shelf import Shelf
from danlu.domain.ids import make_id
from danlu.ports import supervision
from danlu.ports.results import GoneCause, KeptAttempt, RunKey
from tests.fakes.clock import FakeClock

DAY = 86_400_000
JOB, OTHER = make_id(1_800_000_000_000, 1), make_id(1_800_000_000_000, 2)


class Lab:
    def __init__(self, root: Path) -> None:
        self.root, self.clock = root, FakeClock(100 * DAY)
        for name in ("results", "runs", "volumes", "usage"):
            (root / name).mkdir()
        self.shelf = Shelf(root / "results", root / "runs", root / "volumes")
        self.results = FileResults(self.shelf, root / "usage" / "results.json")
        self.active: Collection[str] | None = ()
        self.total: int | None = None
        self.held: Collection[str] = ()

    def ran(self, job: str = JOB, attempt: int = 1, task: str = "worker-0", owner: str = "eve") -> Path:
        folder = self.root / "runs" / f"{job}-{attempt}"
        work = folder / task / supervision.WORK_DIR
        work.mkdir(parents=True)
        (work / "model.pt").write_bytes(b"x" * 10_000)
        supervision.write_json(str(folder / task / supervision.TASK_FILE), {"owner": owner})
        return folder

    def ended(self, job: str = JOB, days_ago: float = 0, attempt: int = 1) -> None:
        self.shelf.put_away(self.ran(job, attempt))
        at = (self.clock.now() - days_ago * DAY) / 1000
        os.utime(self.root / "results" / job / str(attempt), (at, at))

    def collect(self, life: int = 7 * DAY, reserve: int = 0) -> None:
        collector = ResultCollector(
            self.shelf,
            self.root / "usage" / "results.json",
            life,
            reserve,
            lambda: self.active,
            lambda _: self.total,
            self.clock,
            lambda: self.held,
        )
        collector.round(threading.Event())

    def there(self, job: str = JOB, attempt: int = 1) -> bool:
        return self.shelf.work(RunKey(job, attempt, "worker-0")) is not None


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_a_working_folder_is_found_while_the_task_runs_and_after(lab: Lab) -> None:
    folder, key = lab.ran(), RunKey(JOB, 1, "worker-0")
    running = lab.shelf.work(key)
    lab.shelf.put_away(folder)
    kept = lab.shelf.work(key)
    assert running is not None
    assert kept is not None
    assert (running.root, kept.root) == (str(lab.root / "runs"), str(lab.root / "results"))
    assert (lab.root / "results" / JOB / "1" / "worker-0" / "model.pt").exists()
    assert [one.owner for one in lab.shelf.of_job(JOB)] == ["eve"]


def test_putting_away_twice_keeps_what_is_there(lab: Lab) -> None:
    lab.shelf.put_away(lab.ran())
    (lab.root / "runs" / f"{JOB}-1" / "worker-0" / supervision.WORK_DIR).mkdir()
    lab.shelf.put_away(lab.root / "runs" / f"{JOB}-1")
    assert (lab.root / "results" / JOB / "1" / "worker-0" / "model.pt").exists()


def test_each_task_of_a_gang_has_a_folder(lab: Lab) -> None:
    lab.ran()
    lab.shelf.put_away(lab.ran(task="worker-1-r2"))
    assert lab.there()
    assert lab.shelf.work(RunKey(JOB, 1, "worker-1-r2")) is not None


def test_a_task_whose_order_names_nobody_leaves_nothing(lab: Lab) -> None:
    lab.shelf.put_away(lab.ran(owner=""))
    assert not (lab.root / "results" / JOB).exists()


def test_what_is_too_old_goes_and_is_remembered(lab: Lab) -> None:
    lab.ended(days_ago=8)
    lab.ended(OTHER, days_ago=6)
    lab.collect()
    gone = lab.results.gone(JOB, 1)
    assert (lab.there(), lab.there(OTHER)) == (False, True)
    assert gone is not None
    assert gone.cause is GoneCause.AGE
    assert list((lab.root / "results" / ".trash").iterdir()) == []
    assert [one.job_id for one in lab.results.of_owner("eve")] == [OTHER]


def test_the_oldest_goes_when_somebody_has_too_much(lab: Lab) -> None:
    lab.ended(days_ago=2)
    lab.ended(OTHER, days_ago=1)
    lab.total = 30_000
    lab.collect()
    gone = lab.results.gone(JOB, 1)
    assert (lab.there(), lab.there(OTHER)) == (False, True)
    assert gone is not None
    assert gone.cause is GoneCause.SIZE


def test_nothing_goes_of_an_active_job_or_one_to_keep_or_before_it_is_known_which_are_active(
    lab: Lab,
) -> None:
    lab.ended(days_ago=30)
    lab.ended(OTHER, days_ago=30)
    lab.active = None
    lab.collect()
    assert lab.there()
    lab.active = {JOB}
    lab.results.want(OTHER, True)
    lab.collect()
    assert lab.there()
    assert lab.there(OTHER)
    lab.results.want(OTHER, False)
    lab.active = ()
    lab.collect()
    assert not lab.there()
    assert not lab.there(OTHER)


@pytest.mark.parametrize("step", ["pathlib.Path.rename", "danlu.data.results.shelf.empty_folder"])
def test_a_crash_while_removing_is_finished_the_next_time(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    lab.ended(days_ago=8)

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(step, crash)
        with pytest.raises(KeyboardInterrupt):
            lab.collect()
    lab.collect()
    assert not lab.there()
    assert lab.results.gone(JOB, 1) is not None
    assert list((lab.root / "results" / ".trash").iterdir()) == []


def test_folders_nested_beyond_any_path_are_removed(lab: Lab) -> None:
    lab.ended(days_ago=8)
    at = os.open(lab.root / "results" / JOB / "1" / "worker-0", os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("deeper", dir_fd=at)
        inner = os.open("deeper", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.symlink("/", "outside", dir_fd=at)
    os.close(at)
    lab.collect()
    assert list((lab.root / "results" / ".trash").iterdir()) == []


def test_a_deleted_job_leaves_nothing(lab: Lab) -> None:
    lab.ended()
    lab.results.remove(JOB)
    lab.results.remove(JOB)
    lab.collect()
    assert list((lab.root / "results").iterdir()) == [lab.root / "results" / ".trash"]
    assert list((lab.root / "results" / ".trash").iterdir()) == []


def kept(job: str, ended_at: int, size: int = 10, **more: object) -> KeptAttempt:
    return KeptAttempt(job, 1, "eve", ended_at, size, **more)  # type: ignore[arg-type]


def test_what_is_to_be_kept_counts_and_stays() -> None:
    some = [kept("a", 1, wanted=True), kept("b", 2), kept("c", 3)]
    going = too_many(some, (), 0, lambda _: 20, 10)
    assert [(one.job_id, cause) for one, cause in going] == [("b", GoneCause.SIZE)]


def test_a_disk_that_is_nearly_full_takes_the_oldest_of_all() -> None:
    some = [kept("b", 2), kept("a", 1), kept("c", 3), kept("w", 0, wanted=True)]
    assert [one.job_id for one, _ in to_free(some, 15)] == ["a", "b"]
    assert to_free(some, 0) == []


def test_nothing_is_removed_while_an_output_of_it_is_not_made(lab: Lab) -> None:
    """Neither for its age, nor for its size, nor when the disk is full: else there would be nothing to make it of."""
    lab.ended(days_ago=30)
    lab.held, lab.total = (JOB,), 1
    lab.collect(reserve=1 << 60)
    assert lab.there()
    lab.held = ()
    lab.collect()
    assert not lab.there()


def test_what_a_task_left_is_on_the_shelf_only_once_it_was_put_away(lab: Lab) -> None:
    folder, key = lab.ran(), RunKey(JOB, 1, "worker-0")
    assert lab.shelf.shelved(key) is None
    lab.shelf.put_away(folder)
    kept = lab.shelf.shelved(key)
    assert kept is not None
    assert kept == lab.shelf.work(key)
