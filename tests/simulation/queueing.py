"""What tests of the queue share: people, whole nodes, and a world in which an end takes its time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from danlu.domain.job import Job
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.engines.simulated import Behaviour
from danlu.engines.simulated.cluster import from_environment
from danlu.ports.engine import TaskOrder
from tests.simulation.world import LIN, World

ADMIN = Caller(User("root", UserRole.ADMINISTRATOR, 0))
MEI = Caller(User("mei", UserRole.ENGINEER, 0, groups=("leads",)))
WHOLE = {"gpus": 8, "gpu": "A100", "cpus": 1, "memory": "2GiB"}
MINUTE, HOUR = 60_000, 3_600_000
SIX_HOURS = 6 * HOUR


def slow_world(folder: Path, stop_takes: int = 20_000) -> World:
    """Two nodes of eight cards, and two people who may run things; all goes as the environment says, but an end
    takes a while."""

    def behave(order: TaskOrder) -> Behaviour:
        return replace(from_environment(order), stop_takes=stop_takes)

    folder.mkdir(exist_ok=True)
    made = World(folder, behave=behave)
    for one in (LIN, MEI):
        made.store.add_user(one.user)
    return made


def submit(world: World, name: str, who: Caller = LIN, run_for: str = "10h", **keys: Any) -> Job:
    file = {"kind": "training", "name": name, "command": "true", "env": {"SIMULATED_RUN_FOR": run_for},
            "resources": WHOLE, **keys}  # fmt: skip
    return world.jobs.create(who, file, start=True)


def now(world: World, job: Job) -> Job:
    found = world.store.get(job.id)
    assert found is not None
    return found


def tasks(job: Job) -> dict[str, str]:
    assert job.attempt is not None
    return {task.name: task.node for task in job.attempt.tasks if task.live}


def kinds(world: World, job: Job) -> list[str]:
    return [event.kind for event in world.store.events_of(job.id, 0, 1000)]
