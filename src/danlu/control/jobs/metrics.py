"""How a training runs: the metrics its tasks reported, its throughput, and what seems to slow it down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from danlu.control.jobs.hints import Load, hint
from danlu.domain.job import Attempt, Job, Task, Time
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.metrics import TOTAL_STEPS, Metrics, MetricsReader, Pace, Point, Run, WantedMetrics
from danlu.ports.reports import LARGEST_STEP
from danlu.ports.usage import TimeWindow, Usage, UsageReader

RECENT = 300_000
"""The last minutes of a running job, over which throughput and GPU utilisation are computed."""
MOST_TASKS = 64
"""How many tasks of an attempt are considered: the first ones."""
MOST_ATTEMPTS = 100
_LONGEST = 31 * 86_400_000
_USE_POINTS = 60


@dataclass(frozen=True, slots=True)
class Throughput:
    """Steps per second over this many milliseconds; None if unknown."""

    steps_per_second: float | None = None
    over: int = 0


@dataclass(frozen=True, slots=True)
class Going:
    """`busy` is the mean of all GPUs in percent; None where none is measured."""

    metrics: Metrics
    latest_step: int | None
    total_steps: int | None
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
        total = _total_steps(metrics)
        if not attempts:
            return Going(metrics, latest, total, Throughput(), None, None)
        now, attempt = self._clock.now(), attempts[-1]
        live = bool(attempt.live_tasks)
        throughput = _throughput(self._reader.pace(runs, RECENT if live else None), now if live else None)
        loads = self._loads(job, attempt, now, task)
        busy = _mean([load.gpu for load in loads if load.gpu is not None])
        return Going(metrics, latest, total, throughput, busy, hint(loads) if live else None)

    def points(
        self, job: Job, attempts: Sequence[Attempt], names: Sequence[str], task: str | None = None
    ) -> Iterator[list[tuple[Run, str, Point]]]:
        """Every value that counts, as it was reported; in batches, some of them empty."""
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
    """The tries whose reports count, oldest first: each up to the step from which a later attempt continued."""
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


def _total_steps(metrics: Metrics) -> int | None:
    """What was told last; None where it is no number of steps."""
    told = next((one.last.value for one in metrics.names if one.name == TOTAL_STEPS), None)
    return int(told) if told is not None and 1 <= told <= LARGEST_STEP else None


def _throughput(pace: Pace | None, now: Time | None) -> Throughput:
    """`now` is given while it runs: if no step came for longer than expected, the throughput is 0."""
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
    """The CPUs of a role; 0 if the job was edited since and no longer has it."""
    if all(role.name != task.role for role in job.spec.roles):
        return 0
    return job.size_of(task, len(attempt.tasks)).cpu_milli / 1000


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
