"""The work that waits in the queue, by which people estimate how long it takes to get through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from danlu.domain.job import Job, JobClass
from danlu.scheduler import Lane


@dataclass(frozen=True, slots=True)
class WaitingWork:
    """Jobs that wait and how long they are to run, in milliseconds: as expected, else at most. `gpu_time` is that times
    their GPUs, in thousandths. Jobs that tell neither are `unknown` and add nothing: the rest is a lower bound then."""

    jobs: int = 0
    time: int = 0
    gpu_time: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Backlog:
    """By lane, where a job that accepts several GPU models counts in each; and by class, where it counts once."""

    lanes: Mapping[Lane, WaitingWork]
    classes: Mapping[JobClass, WaitingWork]

    def in_lane(self, lane: Lane) -> int:
        """How many jobs wait there."""
        work = self.lanes.get(lane)
        return work.jobs if work else 0


def backlog_of(lines: Mapping[Lane, tuple[Job, ...]]) -> Backlog:
    once = {job.id: job for jobs in lines.values() for job in jobs}
    by_class: dict[JobClass, list[Job]] = {}
    for job in once.values():
        by_class.setdefault(job.spec.job_class, []).append(job)
    return Backlog(
        {lane: _summed(jobs) for lane, jobs in lines.items() if jobs},
        {each: _summed(by_class[each]) for each in JobClass if each in by_class},
    )


def _summed(jobs: Iterable[Job]) -> WaitingWork:
    count = time = gpu_time = unknown = 0
    for job in jobs:
        spec = job.spec
        takes = spec.max_time if spec.expected_time is None else spec.expected_time
        count += 1
        if takes is None:
            unknown += 1
            continue
        time += takes
        gpu_time += takes * sum(role.resources.gpu_milli * role.replicas for role in spec.roles)
    return WaitingWork(count, time, gpu_time, unknown)
