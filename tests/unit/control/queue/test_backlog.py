"""The work that waits: as long as jobs say they take, and how many do not say it."""

from __future__ import annotations

from danlu.control.queue.backlog import WaitingWork, backlog_of
from danlu.domain.job import Job, JobClass, JobSpec, JobState, Kind, Role
from danlu.domain.resources import Resources

HOUR = 3_600_000


def job(name: str, gpus: int, expected: int | None, most: int | None = None, replicas: int = 1) -> Job:
    role = Role("worker", replicas, Resources(1_000, 2**30, gpus * 1000, "A100|H100"), "true", replicas)
    spec = JobSpec(Kind.TRAINING, name, (role,), expected_time=expected, max_time=most)
    return Job(name, "lin", spec, 0, state=JobState.QUEUED, queued_at=0)


def test_the_work_is_what_jobs_expect_else_at_most_take() -> None:
    jobs = (job("expected", 2, HOUR, 9 * HOUR), job("bounded", 1, None, 2 * HOUR), job("silent", 8, None))
    found = backlog_of({("A100", JobClass.SINGLE): jobs}).lanes["A100", JobClass.SINGLE]
    assert found == WaitingWork(jobs=3, time=3 * HOUR, gpu_time=4_000 * HOUR, unknown=1)


def test_a_job_that_waits_in_two_lanes_counts_once_in_its_class() -> None:
    either, gang = job("either", 1, HOUR), job("gang", 8, HOUR, replicas=2)
    found = backlog_of(
        {
            ("A100", JobClass.SINGLE): (either,),
            ("H100", JobClass.SINGLE): (either,),
            ("A100", JobClass.DISTRIBUTED): (gang,),
            ("cpu", JobClass.SINGLE): (),
        }
    )
    assert [work.jobs for work in found.lanes.values()] == [1, 1, 1], "an empty lane is not told"
    assert found.classes[JobClass.SINGLE] == WaitingWork(1, HOUR, 1_000 * HOUR)
    assert found.classes[JobClass.DISTRIBUTED].gpu_time == 16_000 * HOUR
