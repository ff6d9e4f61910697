"""Reports of tasks over the network: metrics are stored, checkpoints are fed to the life cycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from danlu.domain.errors import NotAllowed, Stale, Unavailable, WrongState
from danlu.domain.events import CheckpointSaved
from danlu.domain.job import Job
from danlu.domain.lifecycle import advance
from danlu.domain.permissions import Caller
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.report_store import ReportStore
from danlu.ports.reports import ReportedPoint, Save
from danlu.ports.store import JobChange, JobStore

_TRIES = 20


class Reports:
    """Accepts reports of live tasks; reports of ended tasks are refused."""

    def __init__(self, store: JobStore, kept: ReportStore, clock: Clock, wake: Callable[[], None]) -> None:
        self._store, self._kept, self._clock, self._wake = store, kept, clock, wake

    def take(
        self, caller: Caller, attempt: int, run: str, points: Sequence[ReportedPoint], saves: Sequence[Save]
    ) -> None:
        """NotAllowed unless a task asks; WrongState unless `run` is a live task of its job's present attempt."""
        if caller.job is None:
            raise NotAllowed(
                Words(
                    "only a task can report on its own training, with its own token",
                    "只有子任务自身才能用其专用令牌上报训练情况",
                )
            )
        self._find(caller.job, attempt, run)
        if saves:  # first: a job must know its last checkpoint even if there is no space for its metrics
            self._feed(caller.job, attempt, run, max(saves, key=lambda save: save.time))
        self._kept.keep(LogKey(caller.job, attempt, run), points, saves)

    def _feed(self, job_id: str, attempt: int, run: str, save: Save) -> None:
        for _ in range(_TRIES):
            job, now = self._find(job_id, attempt, run), self._clock.now()
            # A task's clock may be ahead: its checkpoint must not count as newer than all later ones.
            saved = CheckpointSaved(job.attempt_id, run, min(save.time, now), save.path, save.step)
            step = advance(job, saved, now)
            if not step.records:
                return
            try:
                self._store.save([JobChange(step.job, step.records)], now)
            except Stale:
                continue
            self._wake()
            return
        raise Unavailable(Words("the job keeps changing; report it again", "任务一直在变化，请重新上报"))

    def _find(self, job_id: str, attempt: int, run: str) -> Job:
        job = self._store.get(job_id)
        if job is None or job.attempt is None or job.attempt.number != attempt:
            raise WrongState(
                say(
                    "attempt {attempt} is over: its reports are no longer accepted",
                    "第 {attempt} 次运行已结束，不再接收其上报",
                    attempt=attempt,
                )
            )
        if all(task.run != run for task in job.live_tasks):
            raise WrongState(
                say(
                    "'{run}' is not a running task of attempt {attempt}",
                    "“{run}”不是第 {attempt} 次运行中仍在运行的子任务",
                    run=run,
                    attempt=attempt,
                )
            )
        return job
