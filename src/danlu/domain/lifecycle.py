"""The life cycle of a job as a pure state machine: it takes events and returns the next job and what to record.

created ──start──▶ queued ──placed──▶ starting ──all run──▶ running ──all ended──▶ completed | failed
   ▲                 │ ▲                  │                    │
   │               stop└────── requeue ───┴─── stop, trouble ──┤
 reset               ▼                                         ▼
   └──────────── stopped ◀──────────── last task ended ───── stopping

Nothing here talks to an engine: what an engine must be told follows from the job's state (`owed`), so
that a control plane which crashed between deciding and doing tells it again after its restart."""

from __future__ import annotations

from dataclasses import dataclass, replace

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain import remedies
from danlu.domain.attempts import MADE_TO_LEAVE, explained
from danlu.domain.errors import WrongState
from danlu.domain.job import (
    ACTIVE,
    Attempt,
    Ending,
    Job,
    JobState,
    Remedy,
    Saved,
    Task,
    TaskState,
    Time,
    Trouble,
    Turn,
)
from danlu.domain.reasons import Reason
from danlu.domain.terms import STATES
from danlu.domain.words import Words, listed, say

KILL_AT_ONCE = 0
_REMEMBERED = 16
"""How many of the jobs that it was evicted for a job remembers."""
_PROMPTLY = 1_500
"""The longest grace period of tasks when another task of their gang is gone: their communication has failed anyway."""


@dataclass(frozen=True, slots=True)
class Advanced:
    """The job after an event, and the events to record; `changed` is false if the event had no effect."""

    job: Job
    records: tuple[ev.Event, ...]

    @property
    def changed(self) -> bool:
        return bool(self.records)


@dataclass(frozen=True, slots=True)
class OwedStart:
    """The engine must start this attempt (or report on it, if it has it already)."""

    job: Job


@dataclass(frozen=True, slots=True)
class OwedStop:
    """The engine must end this attempt, or only these tasks of it, within `grace` milliseconds."""

    job: Job
    grace: int
    tasks: tuple[str, ...] = ()


def advance(job: Job, event: ev.Event, now: Time) -> Advanced:
    """Feed one event to a job. An event that no longer matters changes nothing; a request that the
    state forbids raises WrongState."""
    match event:
        case ev.StartRequested():
            return _start(job, event, now)
        case ev.StopRequested(by=by, replaced=replaced):
            return _stop(job, event, now, JobState.STOPPED, why.StoppedBy(by, replaced))
        case ev.RestartRequested(by=by, fresh=fresh):
            if not job.active:
                return _start(job, event, now)
            anew = replace(job, turn=replace(job.turn, fetched=False))  # what has changed there comes
            return _stop(_taken(anew), event, now, JobState.QUEUED, why.RestartedBy(by), fresh=fresh)
        case ev.ResetRequested(by=by):
            return _reset(job, event, why.ResetBy(by))
        case ev.Placed():
            return _place(job, event, now)
        case ev.Nominated() | ev.Grown() | ev.Evicted() | ev.Pinned() | ev.Unpinned() | ev.Reordered():
            return _in_queue(job, event, now)
        case ev.InputsFetched() | ev.InputLost():
            return _inputs(job, event, now)
        case ev.CheckpointSaved():
            return _save(job, event)
        case ev.TaskEvent():
            return _task(job, event, now)
        case ev.JobHung(attempt_id=attempt_id, quiet=quiet):
            if job.state is not JobState.RUNNING or attempt_id != job.attempt_id:
                return _unchanged(job)
            return _remedied(job, (event,), now, why.Hung(quiet), None)
        case ev.MountChanged():
            return Advanced(job, (event,) if job.active and event.attempt_id == job.attempt_id else ())
        case ev.VolumeOverrun(attempt_id, volume, used, capacity):
            if job.state not in (JobState.STARTING, JobState.RUNNING) or attempt_id != job.attempt_id:
                return _unchanged(job)
            # Without a remedy: the next attempt would find the volume as full.
            return _end(job, (event,), now, JobState.FAILED, why.VolumeFull(volume, used, capacity))
        case ev.FailureRead():
            known = explained(job, event.attempt_id, event.reason)
            return Advanced(known, () if known is job else (event,))
        case ev.ExpectedTimePassed():
            if job.warned or job.state is not JobState.RUNNING:
                return _unchanged(job)
            return Advanced(replace(job, warned=True), (event,))
        case ev.MaxTimePassed(limit=limit):
            if job.state not in (JobState.STARTING, JobState.RUNNING):
                return _unchanged(job)
            return _end(job, (event,), now, JobState.FAILED, why.OverTime(limit))
        case ev.StopOverdue(waited=waited):
            if job.state is not JobState.STOPPING or isinstance(job.reason, why.StopHangs):
                return _unchanged(job)
            names = ", ".join(task.name for task in job.live_tasks)
            return Advanced(replace(job, reason=why.StopHangs(names, waited)), (event,))
    raise TypeError(f"{type(event).__name__} is not fed to the life cycle")


def owed(job: Job) -> OwedStart | OwedStop | None:
    """What the engine must have been told for a job in this state."""
    if not job.live_tasks:
        return None
    if job.state in (JobState.STARTING, JobState.RUNNING):
        return OwedStart(job)
    if job.state is JobState.STOPPING:
        given = job.ending.grace if job.ending is not None else None
        return OwedStop(job, job.spec.checkpoint.grace if given is None else given)
    return OwedStop(job, KILL_AT_ONCE)


def shed(job: Job) -> OwedStop | None:
    """Which single tasks the engine must end while the job keeps running."""
    leaving = tuple(task.name for task in job.live_tasks if task.leaving is not None)
    if not leaving or job.state not in (JobState.STARTING, JobState.RUNNING):
        return None
    return OwedStop(job, job.spec.checkpoint.grace, leaving)


# ── requests ─────────────────────────────────────────────────────────────────────────────────────────


def _start(job: Job, event: ev.StartRequested | ev.RestartRequested, now: Time) -> Advanced:
    if job.active:
        raise WrongState(_is(job, "only a job that is not active can be started", "未启动或已结束时才能启动"))
    if job.live_tasks:
        raise WrongState(
            say(
                "{name} still has tasks that are ending ({tasks}); try again shortly",
                "{name} 仍有子任务正在结束（{tasks}），请稍后重试",
                name=job.title,
                tasks=listed(task.name for task in job.live_tasks),
            )
        )
    queued = replace(job, restarts=0, ended_at=None, saved=None if event.fresh else job.saved)
    return _queue(queued, (event,), now, None)


def _is(job: Job, en: str, zh: str) -> Words:
    return say(
        "{name} is {state}; {rest}",
        "{name} {state}，{rest}",
        name=job.title,
        state=STATES[job.state],
        rest=Words(en, zh),
    )


def _stop(
    job: Job, event: ev.Event, now: Time, state: JobState, reason: Reason, *, fresh: bool = False
) -> Advanced:
    if not job.active:
        raise WrongState(_is(job, "there is nothing to stop", "无需停止"))
    if fresh:
        job = replace(job, saved=None)
    if job.state is not JobState.STOPPING:
        return _end(job, (event,), now, state, reason, fresh=fresh)
    ending = job.ending
    if ending is None or (ending.state is state and (ending.fresh or not fresh)):
        return _unchanged(job)
    if ending.state is not state:
        ending = Ending(state, reason, ending.since, grace=ending.grace, fresh=ending.fresh)
    return Advanced(replace(job, ending=replace(ending, fresh=ending.fresh or fresh)), (event,))


def _reset(job: Job, event: ev.Event, reason: Reason) -> Advanced:
    """Back to the initial state at once; tasks that still live must be ended (see `owed`)."""
    if not job.resettable:
        raise WrongState(
            _is(job, "only active or failed jobs can be reset", "只有进行中或失败的任务才能重置")
        )
    fresh = replace(
        job, restarts=0, queued_at=None, started_at=None, ended_at=None, ending=None, warned=False, saved=None
    )
    return _move(fresh, JobState.CREATED, reason, (event,))


def _place(job: Job, event: ev.Placed, now: Time) -> Advanced:
    if job.state is not JobState.QUEUED or job.live_tasks:
        return _unchanged(job)
    attempt = Attempt(number=event.number, tasks=event.tasks, created_at=now, resumed=job.saved)
    placed = replace(job, attempt=attempt, attempts=event.number, turn=replace(job.turn, nominated=()))
    return _move(placed, JobState.STARTING, None, (event,))


def _in_queue(job: Job, event: ev.Event, now: Time) -> Advanced:
    """Changes to a job's place in the queue, by people and the scheduler."""
    turn = job.turn
    match event:
        case ev.Pinned():
            return Advanced(replace(job, turn=replace(turn, pinned_at=now)), (event,))
        case ev.Unpinned():
            pinned = turn.pinned_at is not None
            return Advanced(replace(job, turn=replace(turn, pinned_at=None)), (event,) if pinned else ())
        case ev.Reordered(slot_at=slot_at, slot_id=slot_id):
            return Advanced(replace(job, turn=replace(turn, slot_at=slot_at, slot_id=slot_id)), (event,))
        case ev.Nominated(tasks=tasks):
            returning = job.ending is not None and job.ending.state is JobState.QUEUED
            if turn.nominated == tasks or not (job.state is JobState.QUEUED or returning):
                return _unchanged(job)
            return Advanced(replace(job, turn=replace(turn, nominated=tasks)), (event,))
        case ev.Grown():
            return _grow(job, event)
        case ev.Evicted():
            return _evict(job, event, now)
    raise TypeError(type(event).__name__)


def _inputs(job: Job, event: ev.InputsFetched | ev.InputLost, now: Time) -> Advanced:
    if not job.fetching or event.since != job.queued_at:
        return _unchanged(job)
    if isinstance(event, ev.InputLost):
        return _end(job, (event,), now, JobState.FAILED, event.reason)
    return Advanced(replace(job, turn=replace(job.turn, fetched=True)), (event,))


def _grow(job: Job, event: ev.Grown) -> Advanced:
    if not _runs(job, event.number):
        return _unchanged(job)
    assert job.attempt is not None
    known = {task.name for task in job.attempt.tasks}
    fresh = tuple(task for task in event.tasks if task.name not in known)
    if not fresh:
        return _unchanged(job)
    return Advanced(replace(job, attempt=replace(job.attempt, tasks=(*job.attempt.tasks, *fresh))), (event,))


def _evict(job: Job, event: ev.Evicted, now: Time) -> Advanced:
    if not _runs(job, event.number):
        return _unchanged(job)
    assert job.attempt is not None
    if event.tasks:
        tasks = tuple(
            replace(task, leaving=event.reason) if task.live and task.name in event.tasks else task
            for task in job.attempt.tasks
        )
        return Advanced(replace(job, attempt=replace(job.attempt, tasks=tasks)), (event,))
    if event.made_for:
        gave_way = (*(other for other in job.turn.gave_way_to if other != event.made_for), event.made_for)
        job = replace(job, turn=replace(job.turn, gave_way_to=gave_way[-_REMEMBERED:]))
    remedy = remedies.of_job(job.spec, Trouble.EVICTED)
    return _end(job, (event,), now, remedies.STATES[remedy], event.reason, remedy)


def _save(job: Job, event: ev.CheckpointSaved) -> Advanced:
    """The newest checkpoint of any attempt counts, except while the job is being ended to start from the beginning:
    tasks save when they are told to end, and an engine may repeat old reports."""
    number = int(event.attempt_id.rpartition("-")[2])
    given_up = job.state is JobState.CREATED or (job.ending is not None and job.ending.fresh)
    # A later attempt continued from there, whatever the clocks of its nodes say.
    newest = (job.saved.attempt, job.saved.at) if job.saved is not None else (0, 0)
    if given_up or newest >= (number, event.at):
        return _unchanged(job)
    saved = Saved(event.path, event.step, event.at, number)
    attempt = job.attempt
    if attempt is not None and attempt.number == number:
        before, attempt = attempt, replace(attempt, saved=saved)
        if attempt.ended_at is not None and attempt.lost:
            less = remedies.lost(before) - remedies.lost(attempt)
            attempt = replace(attempt, lost=max(0, attempt.lost - less))
    return Advanced(replace(job, saved=saved, attempt=attempt), (event,))


def _runs(job: Job, number: int) -> bool:
    return job.state in (JobState.STARTING, JobState.RUNNING) and job.attempts == number


# ── what engines see ─────────────────────────────────────────────────────────────────────────────────


def _task(job: Job, event: ev.TaskEvent, now: Time) -> Advanced:
    task = _find(job, event)
    if task is None or not task.live:
        return _unchanged(job)
    match event:
        case ev.TaskStarting(mark=step):
            if task.state is TaskState.RUNNING or task.step == step:
                return _unchanged(job)
            return Advanced(_with(job, replace(task, state=TaskState.STARTING, step=step)), (event,))
        case ev.TaskDelayed(step=step):
            # Still pending: it was never launched, and may be.
            if task.state is not TaskState.PENDING or task.step == step:
                return _unchanged(job)
            return Advanced(_with(job, replace(task, step=step)), (event,))
        case ev.TaskRunning(at=at, isolation=isolation):
            if task.state is TaskState.RUNNING:
                return _unchanged(job)
            running = replace(task, state=TaskState.RUNNING, step="", started_at=at, isolation=isolation)
            return _all_run(_with(job, running), (event,), at)
        case ev.RestartDue():
            if task.not_before is None:
                return _unchanged(job)
            return Advanced(_with(job, replace(task, not_before=None)), (event,))
        case ev.TaskEnded():
            return _task_ended(job, task, event, now)
    return _unchanged(job)


def _all_run(job: Job, records: tuple[ev.Event, ...], at: Time) -> Advanced:
    """A starting job is running once no task is still to start: the last one started, or was told to end before
    that."""
    assert job.attempt is not None
    waiting = any(task.state in (TaskState.PENDING, TaskState.STARTING) for task in job.attempt.tasks)
    if waiting or job.state is not JobState.STARTING:
        return Advanced(job, records)
    return _move(replace(_taken(job), started_at=at), JobState.RUNNING, None, records)


def _taken(job: Job) -> Job:
    """Forget rejections by clusters: the job was accepted."""
    return replace(job, turn=replace(job.turn, refusals=0, held_until=None))


def _done_after_all(job: Job) -> bool:
    """Evicted, but all its tasks completed before they could be stopped."""
    assert job.ending is not None
    assert job.attempt is not None
    evicted = isinstance(job.ending.reason, MADE_TO_LEAVE)
    working = [task for task in job.attempt.tasks if not job.spec.role(task.role).serves]
    return evicted and all(task.state is TaskState.SUCCEEDED for task in working)


def _task_ended(job: Job, task: Task, event: ev.TaskEnded, now: Time) -> Advanced:
    ended = remedies.ended(job, task, event.reason, event.exit_code, event.at)
    job = _with(job, ended)
    if job.state is JobState.STOPPING:
        assert job.ending is not None
        if job.live_tasks:
            return Advanced(job, (event,))
        if _done_after_all(job):
            return _land(job, (event,), now, JobState.COMPLETED, None)
        return _land(job, (event,), now, job.ending.state, job.ending.reason, job.ending.then)
    if job.state not in (JobState.STARTING, JobState.RUNNING):
        return Advanced(_closed(job, now, job.reason), (event,))  # the leftovers of a reset
    refused = isinstance(event.reason, why.NotAdmitted)
    if ended.reason is None and task.leaving is None:
        return _task_completed(job, ended, event, now)
    # A running job continues without the tasks that it was to grow by.
    if task.leaving is not None or (refused and job.state is JobState.RUNNING):
        return _went_on(job, (event,), now)
    if refused:
        return _end(remedies.held_back(job, now), (event,), now, JobState.QUEUED, event.reason)
    assert ended.reason is not None
    return _remedied(job, (event,), now, ended.reason, ended)


def _task_completed(job: Job, task: Task, event: ev.TaskEnded, now: Time) -> Advanced:
    match job.spec.remedy(task.role, Trouble.TASK_COMPLETED):
        case Remedy.COMPLETE:
            return _end(job, (event,), now, JobState.COMPLETED, None)
        case Remedy.RESTART_TASK if task.tries < job.spec.task_restarts(task.role):
            return Advanced(_with(job, remedies.again(task, job.spec.backoff, now)), (event,))
    return _went_on(job, (event,), now)


def _went_on(job: Job, records: tuple[ev.Event, ...], now: Time) -> Advanced:
    """The job continues without one of its tasks; it is completed when no task is left that would end by itself."""
    if remedies.working(job):
        return _all_run(job, records, now)
    return _end(job, records, now, JobState.COMPLETED, None)


def _remedied(
    job: Job, records: tuple[ev.Event, ...], now: Time, reason: Reason, task: Task | None
) -> Advanced:
    """Apply the remedy that the policy names for this trouble, and record it as one sentence."""
    remedy = remedies.choose(job, reason, task)
    met = ev.TroubleMet(reason, remedy, *_kept(job))
    if task is not None and remedy is Remedy.RESTART_TASK:
        assert job.attempt is not None
        gone = job.attempt.lost + remedies.lost_by(task, job.attempt)
        job = replace(job, attempt=replace(job.attempt, lost=gone))
        return Advanced(_with(job, remedies.again(task, job.spec.backoff, now)), (*records, met))
    if remedy is Remedy.IGNORE:
        return _went_on(job, (*records, met), now)
    job = remedies.after(job, remedy, task, now)
    state = remedies.STATES[remedy]
    return _end(job, (*records, met), now, state, reason, remedy, min(job.spec.checkpoint.grace, _PROMPTLY))


def _kept(job: Job) -> tuple[int | None, bool]:
    """The step of the checkpoint that a restart would continue from, and whether there is one."""
    return (job.saved.step, True) if job.saved is not None else (None, False)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────


def _end(
    job: Job,
    records: tuple[ev.Event, ...],
    now: Time,
    state: JobState,
    reason: Reason | None,
    then: Remedy | None = None,
    grace: int | None = None,
    *,
    fresh: bool = False,
) -> Advanced:
    """End the job: at once if no task lives, else through stopping."""
    if not job.live_tasks:
        return _land(job, records, now, state, reason, then)
    ending = Ending(state, reason, now, then, grace, fresh)
    return _move(replace(job, ending=ending), JobState.STOPPING, reason, records)


def _land(
    job: Job,
    records: tuple[ev.Event, ...],
    now: Time,
    state: JobState,
    reason: Reason | None,
    then: Remedy | None = None,
) -> Advanced:
    open_attempt = job.attempt is not None and job.attempt.ended_at is None
    if then is not None and isinstance(reason, MADE_TO_LEAVE):  # only now that it has saved what it could
        records = (*records, ev.TroubleMet(reason, then, *_kept(job)))
    job = replace(_closed(job, now, reason, then), ending=None, warned=False)
    if state is JobState.QUEUED:
        return _queue(job, records, now, reason)
    ended_at = job.attempt.ended_at if job.attempt is not None and open_attempt else now
    return _move(replace(job, ended_at=ended_at), state, reason, records)


def _closed(job: Job, now: Time, reason: Reason | None, then: Remedy | None = None) -> Job:
    """The attempt ends when its last task ended, not when that was noticed."""
    if job.attempt is None or job.attempt.ended_at is not None or job.live_tasks:
        return job
    ended_at = max((task.ended_at for task in job.attempt.tasks if task.ended_at is not None), default=now)
    over = replace(job.attempt, ended_at=ended_at, reason=reason, then=then)
    lost = over.lost + (remedies.lost(over) if reason is not None else 0)
    return replace(job, attempt=replace(over, lost=lost))


def _queue(job: Job, records: tuple[ev.Event, ...], now: Time, reason: Reason | None) -> Advanced:
    waiting = replace(job, queued_at=now, started_at=None, ended_at=None, warned=False)
    return _move(waiting, JobState.QUEUED, reason, records)


def _move(job: Job, state: JobState, reason: Reason | None, records: tuple[ev.Event, ...]) -> Advanced:
    change = ev.StateChanged(job.state.value, state.value, reason)
    if state not in ACTIVE:  # a pin is only for this stay in the queue
        job = replace(job, turn=Turn(slot_at=job.turn.slot_at, slot_id=job.turn.slot_id))
    return Advanced(replace(job, state=state, reason=reason), (*records, change))


def _find(job: Job, event: ev.TaskEvent) -> Task | None:
    if job.attempt is None or event.attempt_id != job.attempt_id:
        return None
    return next((task for task in job.attempt.tasks if task.run == event.task), None)


def _with(job: Job, changed: Task) -> Job:
    assert job.attempt is not None
    tasks = tuple(changed if task.name == changed.name else task for task in job.attempt.tasks)
    return replace(job, attempt=replace(job.attempt, tasks=tasks))


def _unchanged(job: Job) -> Advanced:
    return Advanced(job, ())
