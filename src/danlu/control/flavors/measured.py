"""The peak usage of a job's earlier runs, and which size would have been enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from danlu.domain.job import Attempt, Job, Role, Time
from danlu.domain.quantity import GIB, show_milli
from danlu.domain.resources import Resources
from danlu.domain.words import Words
from danlu.ports.logs import LogKey
from danlu.ports.store import JobPage, JobQuery
from danlu.ports.usage import Line, TimeWindow, Usage, UsageReader

_RUNS = 5
_LOOKED_AT = 20
_TASKS = 32
"""How many measured runs count, among how many recent runs they are looked for, and how many tasks of each."""
_LONGEST = 7 * 86_400_000
_KIN = 50
_COPY = re.compile(r"-\d+$")
_BUSY = 1.0
"""From this utilisation in percent on, a GPU counts as used."""
MARGIN = 1.2


@dataclass(frozen=True, slots=True)
class Measured:
    """The peak usage of one task over this many runs: CPU cores, bytes of memory, how many GPUs were used, the
    utilisation of the busiest GPU (0 to 1) and the largest memory use of one; None if no GPU was measured."""

    runs: int
    cpus: float
    memory: int
    gpus: int | None = None
    gpu_use: float | None = None
    gpu_memory: int | None = None

    def text(self, asked: Resources) -> Words:
        """`its last 3 runs used at most 3.1 of 8 CPUs and 10 of 64 GiB`."""
        runs = Words("run" if self.runs == 1 else f"{self.runs} runs", f"{self.runs}")
        used = {"cpus": f"{self.cpus:.1f}".removesuffix(".0"), "of_cpus": show_milli(asked.cpu_milli)}
        memory = {"memory": _gib(self.memory), "of_memory": _gib(asked.memory)}
        english = "its last {runs} used at most {cpus} of {of_cpus} CPUs and {memory} of {of_memory} GiB"
        chinese = "最近 {runs} 次运行最多使用 {cpus}/{of_cpus} 核 CPU、{memory}/{of_memory} GiB 内存"
        text = Words(
            english.format(runs=runs.en, **used, **memory), chinese.format(runs=runs.zh, **used, **memory)
        )
        if self.gpus is None or self.gpus >= asked.whole_gpus:
            return text
        cards = {"gpus": self.gpus, "of_gpus": show_milli(asked.gpu_milli)}
        more = Words(" and {gpus} of {of_gpus} GPUs", "、{gpus}/{of_gpus} 卡").fill(**cards)
        return Words(text.en + more.en, text.zh + more.zh)

    def needs(self, asked: Resources) -> Resources:
        """The size that would have been enough, with a margin; as many GPUs as were used."""
        unused = 0 if self.gpus is None else max(0, asked.whole_gpus - max(1, self.gpus))
        return replace(
            asked,
            cpu_milli=round(self.cpus * 1000 * MARGIN),
            memory=round(self.memory * MARGIN),
            gpu_milli=asked.gpu_milli - 1000 * unused,
        )


class Runs(Protocol):
    """The parts of the store that are needed here."""

    def get(self, job_id: str) -> Job | None: ...

    def page(self, query: JobQuery) -> JobPage: ...

    def attempts(self, job_id: str) -> tuple[Attempt, ...]: ...


class Measurements:
    """Any thread; reads files of samples."""

    def __init__(self, store: Runs, usage: UsageReader) -> None:
        self._store, self._usage = store, usage

    def of(self, job: Job) -> Measured | None:
        """The peaks over the last runs of the job and of its owner's copies of it; None where none was measured."""
        role = main_role(job)
        runs = [(one, attempt) for one in self._kin(job) for attempt in self._store.attempts(one.id)]
        runs.sort(key=lambda run: run[1].created_at, reverse=True)
        found: list[Measured] = []
        for one, attempt in runs[:_LOOKED_AT]:
            peaks = list(self._peaks(one, attempt, role.name))
            if peaks:
                found.append(_highest(peaks, 1))
            if len(found) == _RUNS:
                break
        return _highest(found, len(found)) if found else None

    def _kin(self, job: Job) -> Iterator[Job]:
        """The job, other runs of its name, the job it was cloned from, and other clones of either."""
        yield job
        origin = job.cloned_from.id if job.cloned_from else job.id
        name = _COPY.sub("", job.cloned_from.name if job.cloned_from else job.spec.name)
        page = self._store.page(JobQuery(owners=(job.owner,), search=name, limit=_KIN))
        for row in page.rows:
            one = self._store.get(row.id) if row.id != job.id and row.attempts else None
            kin = (one.id, one.cloned_from.id if one.cloned_from else None) if one else ()
            if one and (origin in kin or one.spec.name == job.spec.name):
                yield one

    def _peaks(self, job: Job, attempt: Attempt, role: str) -> Iterator[Measured]:
        span = TimeWindow(_LONGEST, 2, _end(attempt))
        tasks = [task for task in attempt.tasks if task.role == role][:_TASKS]
        for task in tasks:
            used = self._usage.of_task(LogKey(job.id, attempt.number, task.run), span)
            if (peak := _peak(used)) is not None:
                yield peak


def _end(attempt: Attempt) -> Time | None:
    """When it was over; None while it is not."""
    ends = [attempt.ended_at, *(task.ended_at for task in attempt.tasks)]
    return None if attempt.live_tasks else max((one for one in ends if one is not None), default=None)


def main_role(job: Job) -> Role:
    """The role whose size matters most."""
    return max(
        job.spec.roles, key=lambda one: (one.resources.gpu_milli * one.replicas, one.resources.cpu_milli)
    )


def asked_by(job: Job) -> Resources:
    """What one task of its main role requests; with `nodes: auto`, as it was divided last."""
    role = main_role(job)
    task = next((one for one in job.attempt.tasks if one.role == role.name), None) if job.attempt else None
    return job.size_of(task) if task else role.resources


def _peak(used: Usage) -> Measured | None:
    cpus, memory = _top(used.cpus), _top(used.memory)
    if cpus is None or memory is None:
        return None
    busy = [top for card in used.gpus if (top := _top(card.busy)) is not None]
    held = [top for card in used.gpus if (top := _top(card.memory)) is not None]
    return Measured(
        1,
        cpus,
        int(memory),
        sum(top >= _BUSY for top in busy) if busy else None,
        max(busy) / 100 if busy else None,
        int(max(held)) if held else None,
    )


def _highest(peaks: list[Measured], runs: int) -> Measured:
    def most(name: str) -> float | None:
        return max((value for one in peaks if (value := getattr(one, name)) is not None), default=None)

    gpus, gpu_memory = most("gpus"), most("gpu_memory")
    return Measured(
        runs,
        max(one.cpus for one in peaks),
        max(one.memory for one in peaks),
        None if gpus is None else int(gpus),
        most("gpu_use"),
        None if gpu_memory is None else int(gpu_memory),
    )


def _top(line: Line) -> float | None:
    return max((value for value in line.high if value is not None), default=None)


def _gib(size: int) -> str:
    return f"{size / GIB:.1f}".removesuffix(".0")
