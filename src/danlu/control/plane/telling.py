"""Sends orders to an engine; an order is not repeated unless it failed or changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from danlu.control.plane.mounts import MountAccess, NotGranted
from danlu.domain.job import Job, Task, TaskState
from danlu.domain.lifecycle import OwedStart, OwedStop, owed, shed
from danlu.ports.engine import AttemptOrder, Engine

OrderOf = Callable[[Job, tuple[str, ...]], AttemptOrder]
"""The order for a job's present attempt; for these tasks of it alone, where any are named."""


class Telling:
    """Sends an engine the orders for one job after another, and remembers what was sent.

    Repeating an order is harmless: after a restart everything is sent again. Tasks whose volumes are not granted when
    they are to start are `denied`, with the volume's name."""

    def __init__(
        self,
        engine: Engine,
        order_of: OrderOf,
        mounts: MountAccess,
        denied: Callable[[Job, Sequence[Task], str], None],
    ) -> None:
        self._engine, self._order_of = engine, order_of
        self._mounts, self._denied = mounts, denied
        self._told: dict[str, _Told] = {}
        self._told_to_leave: dict[str, tuple[str, ...]] = {}

    def has_told(self, job_id: str) -> bool:
        """Whether the engine knows the job's current attempt."""
        return job_id in self._told

    def tell(self, job_id: str, job: Job | None) -> None:
        """Send everything that an engine must know of a job as it is now; None for a deleted job."""
        debt = owed(job) if job else None
        self._forget_former(job_id, debt)  # 1 an attempt that is over
        if isinstance(debt, OwedStart):
            self._start(job_id, debt.job)  # 2 what is to run
        elif isinstance(debt, OwedStop):
            self._stop(job_id, debt)  # 3 or to end
        leaving = shed(job) if job else None
        if leaving is not None:
            self._stop_some(job_id, leaving)  # 4 and which of its tasks are to go while it runs on

    def _forget_former(self, job_id: str, debt: OwedStart | OwedStop | None) -> None:
        told = self._told.get(job_id)
        if told is None or (debt is not None and debt.job.attempt_id == told.attempt_id):
            return
        self._engine.forget(told.attempt_id)
        del self._told[job_id]
        self._told_to_leave.pop(job_id, None)

    def _start(self, job_id: str, job: Job) -> None:
        """Sent again when more tasks are due: added ones, or restarts whose wait is over."""
        assert job.attempt is not None
        due = frozenset(task.run for task in job.attempt.tasks if task.not_before is None)
        start = _Told(job.attempt_id, due=due)
        if self._told.get(job_id) == start:
            return
        unborn = [task for task in job.live_tasks if task.run in due and task.state is TaskState.PENDING]
        try:
            mounts = self._mounts.granted(job) if unborn else ()
            logins = self._mounts.logins(job) if unborn else {}
        except NotGranted as refused:
            self._deny(job, unborn, refused.volume)
        else:
            self._engine.start(_with(replace(self._order_of(job, ()), mounts=mounts), logins))
        self._told[job_id] = start

    def _deny(self, job: Job, unborn: Sequence[Task], volume: str) -> None:
        """First why they do not start; then whatever a former process may have launched of them is ended."""
        self._denied(job, unborn, volume)
        self._engine.stop(self._order_of(job, tuple(task.name for task in unborn)), 0)

    def _stop(self, job_id: str, debt: OwedStop) -> None:
        """Sent again when the grace period changes."""
        stop = _Told(debt.job.attempt_id, grace=debt.grace)
        if self._told.get(job_id) != stop:
            self._engine.stop(self._order_of(debt.job, ()), debt.grace)
            self._told[job_id] = stop

    def _stop_some(self, job_id: str, leaving: OwedStop) -> None:
        """Sent again when other tasks must end."""
        if self._told_to_leave.get(job_id) == leaving.tasks:
            return
        self._told_to_leave.pop(job_id, None)
        self._engine.stop(self._order_of(leaving.job, leaving.tasks), leaving.grace)
        self._told_to_leave[job_id] = leaving.tasks


def _with(order: AttemptOrder, logins: Mapping[str, str]) -> AttemptOrder:
    """They reach tasks as the task's token does."""
    if not logins:
        return order
    return replace(order, tasks=tuple(replace(task, env={**task.env, **logins}) for task in order.tasks))


@dataclass(frozen=True, slots=True)
class _Told:
    """Of an attempt: to start these runs of its tasks, or to end all of them within this grace."""

    attempt_id: str
    due: frozenset[str] | None = None
    grace: int | None = None
