"""The jobs: what ran once, what runs on every node, and what waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, cycle, islice

from sqlalchemy import Connection, insert

from bench.govern.size import DAY, HOUR, MODELS, Size, project, user
from danlu.domain.events import JobCreated
from danlu.domain.ids import make_id
from danlu.domain.job import Attempt, Job, JobSpec, JobState, Kind, Role, Task, TaskState, Time
from danlu.domain.node import Node
from danlu.domain.quantity import GIB
from danlu.domain.resources import GpuGrant, Resources
from danlu.domain.score import Charge
from danlu.engines.virtual import virtual_nodes
from danlu.ports.store import JobChange
from danlu.store.sql import SqlStore, event_log
from danlu.store.sql.jobs.rows import asked, attempt_values, standing
from danlu.store.sql.schema import attempts, jobs

_AT_ONCE = 2_000
_LONG = {"SIMULATED_RUN_FOR": "365d"}
_STATES = (*[JobState.COMPLETED] * 7, *[JobState.FAILED] * 2, JobState.STOPPED)


@dataclass(frozen=True)
class Shape:
    kind: Kind
    tasks: int
    cards: int


_GANG = Shape(Kind.TRAINING, 8, 8)
_WHOLE, _HALF, _PAIR = (Shape(Kind.TRAINING, 1, cards) for cards in (8, 4, 2))
_WORKSPACE, _SERVICE = Shape(Kind.WORKSPACE, 1, 1), Shape(Kind.SERVICE, 1, 2)
_BLOCK = (*[_GANG] * 17, *[_WHOLE] * 20, *[_HALF] * 40, *[_SERVICE] * 9, *[_PAIR] * 60, *[_WORKSPACE] * 54)
"""Two hundred jobs that fill two hundred nodes to the last card."""
_WANTED = (_PAIR, _WHOLE, _HALF, _GANG, _PAIR, _WORKSPACE)


def fill_jobs(store: SqlStore, size: Size, now: Time) -> None:
    """What runs is placed but not yet told to its nodes: the server that starts on it does that."""
    numbers = count()
    everything = chain(
        (_ended(size, next(numbers), now) for _ in range(size.ended)),
        _running(size, numbers, now),
        (_queued(size, next(numbers), now) for _ in range(size.queued)),
    )
    while part := list(islice(everything, _AT_ONCE)):
        with store._database.writing(orderly=True) as connection:
            _write(connection, part, now)
        store.save((), now, list(_charges(part)))


def _write(connection: Connection, part: Sequence[Job], now: Time) -> None:
    rows = [
        {"id": job.id, "owner": job.owner, "version": job.version, "created_at": job.created_at}
        | standing(job)
        | asked(job)
        for job in part
    ]
    connection.execute(insert(jobs), rows)
    tried = [attempt_values(job, job.attempt) for job in part if job.attempt is not None]
    if tried:
        connection.execute(insert(attempts), tried)
    event_log.append(connection, [JobChange(job, (JobCreated(job.owner),), job.owner) for job in part], now)


def _charges(part: Iterable[Job]) -> Iterator[Charge]:
    for job in part:
        if job.ended_at is not None and job.attempt is not None:
            for task in job.attempt.tasks:
                milli = sum(grant.milli for grant in task.gpus)
                assert job.started_at is not None
                yield Charge(
                    job.owner, task.model or "", milli, job.started_at, job.ended_at, job.id, job.spec.name, 1,
                    task.name, job.spec.project, job.spec.job_class.value, job.spec.priority,
                )  # fmt: skip


def _ended(size: Size, number: int, now: Time) -> Job:
    who, shape = number % size.users, _WANTED[number % len(_WANTED)]
    model = MODELS[who % 4]
    at = now - size.days * DAY + number * (size.days * DAY - 2 * DAY) // max(1, size.ended)
    began, ended = at + 60_000, at + HOUR
    tasks = tuple(
        Task(
            "worker", index, f"{model.lower()}-{(number + index) % size.nodes_of(model)}", "127.0.0.1",
            _grants(0, shape.cards), model, began, TaskState.SUCCEEDED, started_at=began, ended_at=ended,
        )
        for index in range(shape.tasks)
    )  # fmt: skip
    return Job(
        make_id(at, number % 1000), user(who), _spec(size, number, who, shape, model), at,
        state=_STATES[number % 10], attempt=Attempt(1, tasks, began, ended), attempts=1, queued_at=at,
        started_at=began, ended_at=ended,
    )  # fmt: skip


def _running(size: Size, numbers: Iterator[int], now: Time) -> Iterator[Job]:
    nodes = virtual_nodes(size.virtual_nodes)
    for place, model in enumerate(MODELS):
        mine = iter([node for node in nodes if node.gpu_model == model])
        owners = cycle(range(place, size.users, len(MODELS)))
        while block := list(islice(mine, len(_BLOCK))):
            cards = _Cards(block)
            for shape in _BLOCK:
                yield _placed(size, next(numbers), next(owners), shape, model, cards, now)


class _Cards:
    """The cards of some nodes, given away in their order."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes, self._next = nodes, 0

    def take(self, cards: int) -> tuple[Node, tuple[GpuGrant, ...]]:
        node, first = divmod(self._next, 8)
        self._next += cards
        return self._nodes[node], _grants(first, cards)


def _placed(size: Size, number: int, who: int, shape: Shape, model: str, cards: _Cards, now: Time) -> Job:
    at, tasks = now - DAY - number, []
    for index in range(shape.tasks):
        node, grants = cards.take(shape.cards)
        tasks.append(Task("worker", index, node.name, node.address, grants, model, now))
    return Job(
        make_id(at, number % 1000), user(who), _spec(size, number, who, shape, model), at,
        state=JobState.STARTING, attempt=Attempt(1, tuple(tasks), now), attempts=1, queued_at=at,
    )  # fmt: skip


def _queued(size: Size, number: int, now: Time) -> Job:
    who, at = number % size.users, now - DAY // 2 + number * 100
    spec = _spec(size, number, who, _WANTED[number % len(_WANTED)], MODELS[who % 4])
    return Job(make_id(at, number % 1000), user(who), spec, at, state=JobState.QUEUED, queued_at=at)


def _spec(size: Size, number: int, who: int, shape: Shape, model: str) -> JobSpec:
    cards = shape.cards
    needs = Resources(4_000 * cards, 32 * GIB * cards, 1_000 * cards, model)
    role = Role("worker", shape.tasks, needs, "python train.py", shape.tasks)
    return JobSpec(
        shape.kind, f"train-{number:06d}", (role,), project(who % size.projects), env=_LONG,
        max_time=DAY * 30 if number % 2 else None,
    )  # fmt: skip


def _grants(first: int, cards: int) -> tuple[GpuGrant, ...]:
    return tuple(GpuGrant(index) for index in range(first, first + cards))
