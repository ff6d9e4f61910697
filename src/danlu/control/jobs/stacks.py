"""Taking the stacks of a job's tasks, keeping them, and showing what was kept."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait

from danlu.domain.errors import DanluError, NotFound, TooMany, Unavailable, WrongState
from danlu.domain.job import Job, Task, TaskState
from danlu.domain.terms import STATES
from danlu.domain.words import Words, say
from danlu.ports.clock import Clock
from danlu.ports.engine import Inspectable
from danlu.ports.logs import LogKey
from danlu.ports.stacks import Cause, Stacks, StackStore

log = logging.getLogger(__name__)

PATIENCE_S = 20.0
"""The time limit for taking stacks; for tasks that did not answer in time, that is reported instead."""
_MOST_TASKS = 64
_AT_ONCE = 4


class StackInspector:
    """Takes stacks through the engine; None if nothing really runs (simulation). Any thread; blocks for seconds."""

    def __init__(self, engine: Inspectable | None, store: StackStore, clock: Clock) -> None:
        self._engine, self._store, self._clock = engine, store, clock
        self._workers = ThreadPoolExecutor(_AT_ONCE, "stacks")
        self._turns = threading.BoundedSemaphore(_AT_ONCE)

    def asked(self, job: Job, task: str | None = None) -> tuple[Stacks, ...]:
        """Like `take`, on request of a person; TooMany while several other requests are running."""
        if not self._turns.acquire(blocking=False):
            raise TooMany(
                Words(
                    "the stacks of several other jobs are being taken right now; try again shortly",
                    "正在获取多个任务的调用栈，请稍后重试",
                ),
                retry_after=10,
            )
        try:
            return self.take(job, Cause.ASKED, task)
        finally:
            self._turns.release()

    def kept(self, job: Job, attempt: int | None = None, task: str | None = None) -> tuple[Stacks, ...]:
        """The stored stacks of a job, latest first; also works without an engine."""
        return self._store.of_job(job.id, attempt, task)

    def take(self, job: Job, cause: Cause, task: str | None = None) -> tuple[Stacks, ...]:
        """Take the stacks of the running tasks, or of one, and store them beside the logs. If a task's stacks cannot
        be taken, the reason is stored instead. For a large job only the first tasks are taken.

        WrongState if no task runs, Unavailable if the engine cannot take stacks."""
        if self._engine is None:
            raise Unavailable(
                Words("this engine cannot take the stacks of tasks", "此引擎不支持获取子任务的调用栈")
            )
        tasks = _running(job, task)[:_MOST_TASKS]
        work = {self._workers.submit(self._one, job, one, cause): one for one in tasks}
        done, late = wait(work, timeout=PATIENCE_S)
        for future in late:
            future.cancel()
        taken = [future.result() for future in work if future in done]
        silent = f"there was no answer within {PATIENCE_S:.0f} s\n"
        taken += [self._kept(job, work[future], cause, silent) for future in late]
        return tuple(taken)

    def _one(self, job: Job, task: Task, cause: Cause) -> Stacks:
        assert self._engine is not None
        try:
            text = self._engine.stacks(job.attempt_id, task)
        except DanluError as error:
            text = f"{error.detail}\n"
        except Exception as error:
            log.exception("could not take the stacks of %s of %s", task.run, job.attempt_id)
            text = f"could not take its stacks: {error}\n"
        return self._kept(job, task, cause, text)

    def _kept(self, job: Job, task: Task, cause: Cause, text: str) -> Stacks:
        stacks = Stacks(task.name, job.attempts, self._clock.now(), cause, text)
        return self._store.keep(LogKey(job.id, job.attempts, task.run), stacks)


def _running(job: Job, name: str | None) -> list[Task]:
    tasks: Iterable[Task] = job.attempt.tasks if job.attempt else ()
    if name is not None and name not in {task.name for task in tasks}:
        raise NotFound(say("the job has no task '{name}'", "该任务没有名为“{name}”的子任务", name=name))
    running = [
        task for task in tasks if task.state is TaskState.RUNNING and (name is None or task.name == name)
    ]
    if not running:
        raise WrongState(
            say(
                "{name} is {state}; only a running task has stacks",
                "{name} {state}，只能获取运行中子任务的调用栈",
                name=job.title,
                state=STATES[job.state],
            )
        )
    return running
