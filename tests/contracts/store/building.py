"""Short ways to say jobs and changes in the store's suite."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

from danlu.domain import events as ev
from danlu.domain import lifecycle
from danlu.domain.errors import StoreBusy
from danlu.domain.events import Event
from danlu.domain.ids import make_id
from danlu.domain.job import Job, JobSpec, Kind, Role, Task
from danlu.domain.resources import GpuGrant, Resources
from danlu.ports.store import JobChange, Store

NOW = 1_800_000_000_000
_numbers = count(1)


def new_job(name: str = "", *, owner: str = "lin", at: int = NOW, tasks: int = 1, **keys: Any) -> Job:
    number = next(_numbers)
    role = Role("worker", tasks, Resources(2000, 2**30, 500, "A100"), "python train.py", 1)
    spec = JobSpec(keys.pop("kind", Kind.TRAINING), name or f"job-{number}", (role,), **keys)
    return Job(make_id(at, number % 2**20), owner, spec, at)


def added(store: Store, name: str = "", **keys: Any) -> Job:
    return store.add(creation(new_job(name, **keys)))


def creation(job: Job) -> JobChange:
    return JobChange(job, (ev.JobCreated(job.owner),), job.owner)


def step(job: Job, event: Event, now: int = NOW) -> JobChange:
    """What the life cycle makes of an event."""
    result = lifecycle.advance(job, event, now)
    return JobChange(result.job, result.records, "lin")


def queued(store: Store, job: Job) -> Job:
    return store.save([step(job, ev.StartRequested("lin"))], NOW)[0]


def placed(store: Store, job: Job) -> Job:
    """Started and given a place: all its tasks live."""
    job = queued(store, job)
    tasks = tuple(
        Task(role.name, index, f"node-{index}", "10.0.0.1", (GpuGrant(0, 500), GpuGrant(1)))
        for role, index in job.spec.wanted()
    )
    return store.save([step(job, ev.Placed(job.attempts + 1, tasks))], NOW)[0]


def stopped(store: Store, job: Job, at: int) -> Job:
    """Started, and stopped at this moment before it had a place."""
    return store.save([step(queued(store, job), ev.StopRequested("lin"), at)], at)[0]


def completed(store: Store, job: Job) -> Job:
    for task in (job := placed(store, job)).live_tasks:
        job = store.save([step(job, ev.TaskEnded(job.attempt_id, task.name, NOW, None, 0))], NOW)[0]
    return job


def patiently(act: Callable[[], Any]) -> Any:
    """What it returns in the end. SQLite gives no turns to writers in several processes: on a busy machine one of them
    may be refused, and is told to try again."""
    while True:
        try:
            return act()
        except StoreBusy:
            continue


def at_once(number: int, act: Callable[[int], Any]) -> list[Any]:
    """What `act` returns or raises for 0, 1, 2… when so many threads call it together."""

    def attempt(index: int) -> Any:
        try:
            return act(index)
        except Exception as error:
            return error

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(attempt, range(number)))
