"""What is done about trouble: which remedy a job's policies choose, and what it leaves behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from danlu.domain import reasons as why
from danlu.domain.job import (
    KEEP_ALIVE,
    NO_FRAMEWORK,
    USUAL_REMEDIES,
    Attempt,
    Backoff,
    Job,
    JobSpec,
    JobState,
    Kind,
    Remedy,
    Task,
    TaskState,
    Time,
    Trouble,
)
from danlu.domain.reasons import Reason

TAKEN_AWAY = why.NodeLost | why.EvictedByNode | why.PreemptedElsewhere | why.DeletedElsewhere
"""The task did not end by itself: its node went away or ended it."""
HOPELESS = why.CommandNotFound | why.EnvironmentFailed
"""The next try would fail in the same way: what it lacks is in no other node."""
_ASKED_TO_LEAVE = {"SIGHUP": 129, "SIGINT": 130, "SIGTERM": 143}
"""By signal: how a shell tells of it."""
_EVICTED = why.EvictedByNode | why.PreemptedElsewhere

STATES: Mapping[Remedy, JobState] = {
    Remedy.FAIL: JobState.FAILED,
    Remedy.COMPLETE: JobState.COMPLETED,
    Remedy.RESTART_JOB: JobState.QUEUED,
    Remedy.REQUEUE: JobState.QUEUED,
}
"""The state of a job after a remedy that ends the attempt."""
_AGAIN = frozenset({Remedy.RESTART_JOB, Remedy.REQUEUE})
_HEALTHY_AFTER = 600_000
"""An attempt that ran at least this long resets the count of failures in a row."""
_FIRST_HOLD, _LONGEST_HOLD = 15_000, 600_000
"""How long a job is held back after a cluster's first rejection; twice as long after each further one, to a maximum."""
_AVOIDED = 8
"""How many nodes a job remembers to avoid: the latest on which it had trouble."""


def trouble_of(reason: Reason) -> Trouble:
    """Which kind of trouble an end is."""
    if isinstance(reason, why.OutOfMemory):
        return Trouble.OUT_OF_MEMORY
    if isinstance(reason, why.Hung):
        return Trouble.HUNG
    if isinstance(reason, _EVICTED):
        return Trouble.EVICTED
    return Trouble.NODE_LOST if isinstance(reason, TAKEN_AWAY) else Trouble.TASK_FAILED


def left(job: Job, task: Task, reason: Reason | None) -> bool:
    """Whether somebody inside a workspace ended the command that kept it: that completes it."""
    running = job.state in (JobState.STARTING, JobState.RUNNING) and task.leaving is None
    if job.spec.kind is not Kind.WORKSPACE or not running:
        return False
    if job.spec.role(task.role).command == KEEP_ALIVE:
        return isinstance(reason, why.ExitCode | why.Signal)
    match reason:
        case why.Signal(signal=name):
            return name in _ASKED_TO_LEAVE
        case why.ExitCode(exit_code=code):
            return code in _ASKED_TO_LEAVE.values()
    return False


def of_job(spec: JobSpec, trouble: Trouble) -> Remedy:
    """The remedy for trouble of the whole job."""
    remedy = spec.on.get(trouble) or USUAL_REMEDIES[trouble]
    return remedy if remedy in STATES else Remedy.REQUEUE


def choose(job: Job, reason: Reason, task: Task | None) -> Remedy:
    """The remedy, given the restarts left and the job without the failed task (None: all of the job has trouble)."""
    trouble = trouble_of(reason)
    if isinstance(reason, HOPELESS):
        return Remedy.FAIL
    if trouble is Trouble.HUNG or task is None:
        wanted = of_job(job.spec, trouble)
    else:
        wanted = job.spec.remedy(task.role, trouble)
    if wanted is Remedy.RESTART_TASK and task is not None:
        possible = task.tries < job.spec.task_restarts(task.role) and not isinstance(reason, TAKEN_AWAY)
        return Remedy.RESTART_TASK if possible else Remedy.FAIL
    if wanted is Remedy.IGNORE:
        wanted = Remedy.IGNORE if _does_without(job) else Remedy.RESTART_JOB
    if wanted in _AGAIN and trouble is not Trouble.EVICTED and job.restarts >= job.spec.restarts:
        return Remedy.FAIL
    return wanted


def after(job: Job, remedy: Remedy, task: Task | None, now: Time) -> Job:
    """The job with what a remedy that ends the attempt leaves behind: a restart used up, a wait before the next, and
    a node to avoid."""
    if remedy not in _AGAIN:
        return job
    turn, evicted = job.turn, task is not None and isinstance(task.reason, _EVICTED)
    held_out = job.attempt is not None and now - job.attempt.created_at >= _HEALTHY_AFTER
    troubles = 1 if held_out else turn.troubles + 1
    avoids = turn.avoids
    if task is not None and task.reason is not None:
        avoids = (*(node for node in avoids if node != task.node), task.node)[-_AVOIDED:]
    # Evictions by nodes do not count as restarts: without a wait, a job that every node evicts would loop forever.
    waits = evicted or remedy is Remedy.RESTART_JOB
    held_until = now + job.spec.backoff.after(troubles) if waits else None
    turn = replace(turn, troubles=troubles, avoids=avoids, held_until=held_until)
    return replace(job, restarts=job.restarts + (not evicted), turn=turn)


def held_back(job: Job, now: Time) -> Job:
    """Rejected after it was placed: not placed again for a while, longer each time."""
    refusals = job.turn.refusals + 1
    wait = min(_LONGEST_HOLD, _FIRST_HOLD << min(refusals - 1, 10))
    return replace(job, turn=replace(job.turn, refusals=refusals, held_until=now + wait))


def again(task: Task, backoff: Backoff, now: Time) -> Task:
    """The task while it waits for its own restart, on the same node and GPUs."""
    return Task(
        role=task.role,
        index=task.index,
        node=task.node,
        address=task.address,
        gpus=task.gpus,
        model=task.model,
        placed_at=task.placed_at,
        tries=task.tries + 1,
        not_before=now + backoff.after(task.tries + 1),
    )


def working(job: Job) -> bool:
    """Whether any live task will end by itself."""
    return any(not job.spec.role(task.role).serves for task in job.live_tasks)


def meeting_point(job: Job) -> Task | None:
    """The task through which the workers of an elastic framework find each other: without it, the others cannot
    continue."""
    if job.attempt is None or job.spec.framework == NO_FRAMEWORK:
        return None
    first = job.attempt.tasks[0]
    role = job.spec.role(first.role)
    return first if role.min < role.replicas else None


def lost(attempt: Attempt) -> int:
    """Work of its ended tasks since the last checkpoint, in GPU-milliseconds."""
    return sum(lost_by(task, attempt) for task in attempt.tasks)


def lost_by(task: Task, attempt: Attempt) -> int:
    if task.started_at is None or task.ended_at is None:
        return 0
    since = attempt.saved.at if attempt.saved is not None else 0
    worked = max(0, task.ended_at - max(since, task.started_at))
    return worked * sum(grant.milli for grant in task.gpus) // 1000


def _does_without(job: Job) -> bool:
    """Whether enough tasks are alive or done for the job to continue."""
    if job.spec.total or job.attempt is None:
        return False
    counted = [task for task in job.attempt.tasks if task.live or task.state is TaskState.SUCCEEDED]
    if (first := meeting_point(job)) is not None and first not in counted:
        return False
    have = Counter(task.role for task in counted if task.leaving is None)
    enough = all(have[role.name] >= role.min for role in job.spec.roles)
    return enough and have.total() >= job.spec.minimum and bool(job.live_tasks)


def ended(job: Job, task: Task, told: Reason | None, exit_code: int | None, at: Time) -> Task:
    """The task once it ended, for the reason that its engine told."""
    reason = None if left(job, task, told) else told
    if isinstance(reason, why.AtNode) and not reason.node:
        reason = reason.on(task.node)
    if reason is None:
        state = TaskState.SUCCEEDED
    elif isinstance(reason, TAKEN_AWAY):
        state = TaskState.LOST
    else:
        wanted = job.state is JobState.STOPPING or not job.active or task.leaving is not None
        wanted = wanted or isinstance(reason, why.NotAdmitted)  # it was released, and never ran
        state = TaskState.STOPPED if wanted else TaskState.FAILED
        if wanted and isinstance(reason, why.Signal) and reason.signal == "SIGTERM":
            # It ended as it was told to: often only the shell around the program exits with 0.
            reason = why.LeftWhenAsked(task.name)
    return replace(task, state=state, step="", reason=reason, exit_code=exit_code, ended_at=at)
