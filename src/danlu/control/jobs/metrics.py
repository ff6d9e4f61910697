"""How a training goes: what its tasks told of it, how fast its steps are, and what seems to hold it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from danlu.control.jobs.hints import Load, hint
from danlu.domain.job import Attempt, Job, Task, Time
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.metrics import Metrics, MetricsReader, Pace, Point, Run, WantedMetrics
from danlu.ports.usage import TimeWindow, Usage, UsageReader

RECENT = 300_000
"""The last minutes of a job that runs, over which its pace and its GPUs are judged."""
MOST_TASKS = 64
"""So many tasks of an attempt are looked at: the first ones."""
MOST_ATTEMPTS = 100
_LONGEST = 31 * 86_400_000
_USE_POINTS = 60


@dataclass(frozen=True, slots=True)
class Throughput:
    """Steps per second over so many milliseconds; None when nobody knows."""

    steps_per_second: float | None = None
    over: int = 0


@dataclass(frozen=True, slots=True)
class Going:
    """`busy` is the mean of all GPUs in percent; None where none is measured."""

    metrics: Metrics
    latest_step: int | None
    throughput: Throughput
    busy: float | None
    hint: Words | None


class TrainingMetrics:
    """Any thread."""

    def __init__(self, reader: MetricsReader, usage: UsageReader, clock: Clock) -> None:
        self._reader, self._usage, self._clock = reader, usage, clock

    def of_job(
        self, job: Job, attempts: Sequence[Attempt], wanted: WantedMetrics, task: str | None = None
    ) -> Going:
        """Of these attempts of a job, the oldest first; of one task only, if it is named."""
        runs = runs_of(job.id, attempts, task)
        metrics = self._reader.read(runs, wanted)
        latest = max((one.last.step for one in metrics.names), default=None)
        if not attempts:
            return Going(metrics, latest, Throughput(), None, None)
        now, attempt = self._clock.now(), attempts[-1]
        live = bool(attempt.live_tasks)
        throughput = _throughput(self._reader.pace(runs, RECENT if live else None), now if live else None)
        loads = self._loads(job, attempt, now, task)
        busy = _mean([load.gpu for load in loads if load.gpu is not None])
        return Going(metrics, latest, throughput, busy, hint(loads) if live else None)

    def points(
        self, job: Job, attempts: Sequence[Attempt], names: Sequence[str], task: str | None = None
    ) -> Iterator[tuple[Run, str, Point]]:
        """Every value that counts, as it was told."""
        return self._reader.points(runs_of(job.id, attempts, task), names)

    def _loads(self, job: Job, attempt: Attempt, now: Time, only: str | None) -> list[Load]:
        loads = []
        for task in attempt.tasks[:MOST_TASKS]:
            if only in (None, task.name) and task.gpus and task.started_at is not None:
                end = task.ended_at or now
                window = min(_LONGEST, end - task.started_at) if task.ended_at else RECENT
                key = LogKey(job.id, attempt.number, task.run)
                used = self._usage.of_task(key, TimeWindow(max(window, 1), _USE_POINTS, end))
                loads.append(_load(used, _cpus_given(job, attempt, task)))
        return loads


def runs_of(job_id: str, attempts: Sequence[Attempt], task: str | None = None) -> list[Run]:
    """The tries whose words count, the oldest first: of each, up to where a later attempt went on from."""
    runs: list[Run] = []
    until: int | None = None
    for attempt in reversed(attempts[-MOST_ATTEMPTS:]):
        runs[:0] = [
            Run(LogKey(job_id, attempt.number, replace(one, tries=number).run), one.role, one.name, until)
            for one in attempt.tasks[:MOST_TASKS]
            if task in (None, one.name)
            for number in range(one.tries + 1)
        ]
        step = attempt.resumed.step if attempt.resumed is not None else None
        if step is not None:
            until = step if until is None else min(until, step)
    return runs


def _throughput(pace: Pace | None, now: Time | None) -> Throughput:
    """`now` is given while it runs: when no step came for longer than one would expect, it stands still."""
    if pace is None:
        return Throughput()
    over, steps = pace.last.time - pace.first.time, pace.last.step - pace.first.step
    if now is not None and now - pace.last.time > max(RECENT, 3 * over):
        return Throughput(0.0, now - pace.last.time)
    return Throughput(steps * 1000 / over, over) if over > 0 and steps >= 0 else Throughput()


def _load(used: Usage, cpus_given: float) -> Load:
    cpus = _mean(used.cpus.mean)
    busy = [mean for card in used.gpus if (mean := _mean(card.busy.mean)) is not None]
    over = used.times[-1] - used.times[0] if used.times else 0
    share = None if cpus is None or not cpus_given else cpus / cpus_given
    return Load(_mean(busy), share, over)


def _cpus_given(job: Job, attempt: Attempt, task: Task) -> float:
    """0 where the job was edited since and has no such role any more."""
    if all(role.name != task.role for role in job.spec.roles):
        return 0
    return job.size_of(task, len(attempt.tasks)).cpu_milli / 1000


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
