"""How jobs of a made-up past end: what the life cycle is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from danlu.domain import events as ev
from danlu.domain import reasons as why
from danlu.domain.job import Job, Time
from danlu.domain.reasons.told import FromLog, GpuMemory, LoaderKilled, ModuleMissing, NotANumber

LEAVING: Time = 1_500
"""How long tasks take to leave."""
LINES = {
    "gpu_memory": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.25 GiB",
    "not_a_number": "RuntimeError: the loss is nan at step 412",
    "module_missing": "ModuleNotFoundError: No module named 'timm'",
    "loader_killed": "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed.",
}
"""The last line of a log, by what it tells."""


def end(job: Job, fate: str, at: Time, staff: str) -> Iterator[tuple[Time, ev.Event, str | None]]:
    """What happens to a running job in the end, and who does it; where tasks must leave, a moment before they have."""
    attempt, first = job.attempt_id, job.live_tasks[0]
    if fate != "done":
        at -= LEAVING
    if fate in ("stopped", "stopped_by_staff"):
        by = staff if fate == "stopped_by_staff" else job.owner
        yield at, ev.StopRequested(by), by
    elif fate == "over_time" and job.spec.max_time is not None:
        yield at, ev.MaxTimePassed(job.spec.max_time), None
    elif fate == "node_lost" and job.attempts == 1:
        yield at, ev.TaskEnded(attempt, first.name, at, why.NodeLost(first.name, first.node)), None
    elif fate == "out_of_memory":
        lack = why.OutOfMemory(first.name, job.size_of(first).memory, first.node)
        yield at, ev.TaskEnded(attempt, first.name, at, lack, 137), None
    elif fate in LINES:
        yield at, ev.TaskEnded(attempt, first.name, at, why.ExitCode(first.name, 1, first.node), 1), None
    else:
        for task in job.live_tasks:
            yield at, ev.TaskEnded(attempt, task.name, at, None, 0), None


def afterwards(job: Job, fate: str, at: Time) -> Iterator[tuple[Time, ev.Event]]:
    """The ends of tasks that were told to leave, and what the log tells of a failure."""
    tasks = job.attempt.tasks if job.attempt else ()
    for task in job.live_tasks:
        yield at, ev.TaskEnded(job.attempt_id, task.name, at, None, 143)
    if fate in LINES and tasks:
        kind, more = _READ[fate]
        read = kind(tasks[0].name, LINES[fate], tasks[0].node, 1, **more)
        yield at + 400, ev.FailureRead(job.attempt_id, read)


_READ: Mapping[str, tuple[type[FromLog], Mapping[str, str]]] = {
    "gpu_memory": (GpuMemory, {"tried": "2.25 GiB", "total": "24 GiB"}),
    "not_a_number": (NotANumber, {}),
    "module_missing": (ModuleMissing, {"module": "timm"}),
    "loader_killed": (LoaderKilled, {}),
}
