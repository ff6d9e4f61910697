"""What running trainings reported last is kept beside their jobs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from danlu.control.plane.reported import Reported
from danlu.domain.job import Attempt, Job, JobState, Task
from danlu.ports.logs import LogKey
from danlu.ports.metrics import Latest
from tests.fakes import builders


def running(name: str = "train", tasks: int = 2) -> Job:
    placed = tuple(Task("worker", index, f"n{index}", "127.0.0.1") for index in range(tasks))
    return replace(builders.job(name), state=JobState.RUNNING, attempts=1, attempt=Attempt(1, placed, 0))


class Files:
    """What tasks reported, and what was written down of it."""

    def __init__(self) -> None:
        self.told: dict[LogKey, Latest] = {}
        self.kept: dict[str, Latest] = {}
        self.watched: Collection[LogKey] = ()
        self.writes = 0

    def look(self, run: LogKey) -> Latest | None:
        return self.told.get(run)

    def keep_only(self, runs: Collection[LogKey]) -> None:
        self.watched = runs

    def set_latest(self, reports: Mapping[str, Latest]) -> None:
        self.kept.update(reports)
        self.writes += len(reports)

    def latest(self, job_id: str) -> Latest | None:
        return self.kept.get(job_id)

    def tell(self, task: str, step: int) -> Latest:
        told = self.told[LogKey("train", 1, task)] = Latest(step, step, None, "loss", 1.0)
        return told


def test_the_first_task_that_reports_is_kept_and_written_only_when_it_changed():
    files, jobs = Files(), [running()]
    reported = Reported(lambda: jobs, files, files)
    reported.look()
    assert files.kept == {}

    told = files.tell("worker-1", 3)
    reported.look()
    reported.look()
    assert (files.kept, files.writes) == ({"train": told}, 1)

    first = files.tell("worker-0", 4)
    reported.look()
    assert (files.kept, files.writes) == ({"train": first}, 2)


def test_what_a_job_reported_just_before_its_end_is_kept_too():
    files, jobs = Files(), [running()]
    reported = Reported(lambda: jobs, files, files)
    files.tell("worker-0", 3)
    reported.look()

    last = files.tell("worker-0", 9)
    jobs.clear()
    reported.look()
    assert files.kept == {"train": last}
    assert not files.watched

    files.tell("worker-0", 10)
    reported.look()
    assert files.kept == {"train": last}


def test_a_job_that_only_waits_is_not_looked_at():
    files, jobs = Files(), [replace(running(), state=JobState.QUEUED)]
    files.tell("worker-0", 3)
    Reported(lambda: jobs, files, files).look()
    assert files.kept == {}
