"""Stacks over HTTP: taken now, read later, for those who may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from danlu.domain.errors import Unavailable
from danlu.domain.job import Task
from danlu.domain.words import same
from danlu.server.jobs.stacks_models import JobStacks
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file, served, world
from tests.integration.server.test_usage import act, started
from tests.live import PATIENCE


class Inspector:
    """Tells of every task but the last one, and holds on while it is told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.go_on.set()
        self.asked = threading.Semaphore(0)

    def stacks(self, attempt_id: str, task: Task) -> str:
        self.asked.release()
        assert self.go_on.wait(PATIENCE)
        if task.index == 2:
            raise Unavailable(same(f"{task.name}: the task does not run"))
        return f"process 1: python of {task.name}\n"


@pytest.fixture(scope="module")
def inspector() -> Inspector:
    return Inspector()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, inspector: Inspector) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), inspectable=inspector) as made:
        yield made


def texts(answer: Any) -> list[tuple[str, str]]:
    JobStacks.model_validate(answer)
    return [(one["task"], one["text"]) for one in answer["items"]]


def test_the_stacks_of_all_running_tasks_are_taken_and_kept(ask, here):
    job = started(here, "three-tasks", nodes=3)
    assert ask(ENGINEER, "GET", "jobs/three-tasks/stacks").json() == {"items": []}
    taken = ask(ENGINEER, "POST", "jobs/three-tasks/stacks").json()
    assert sorted(texts(taken)) == [
        ("worker-0", "process 1: python of worker-0\n"),
        ("worker-1", "process 1: python of worker-1\n"),
        ("worker-2", "worker-2: the task does not run\n"),
    ]
    assert {(one["attempt"], one["cause"]) for one in taken["items"]} == {(1, "asked")}
    (one,) = ask(ENGINEER, "POST", "jobs/three-tasks/stacks", params={"task": "worker-1"}).json()["items"]
    act(here, job, "restart")
    kept = ask(ENGINEER, "GET", "jobs/three-tasks/stacks").json()
    assert (len(texts(kept)), kept["items"][0]) == (4, one)
    asked = {"task": "worker-1", "attempt": 1}
    assert len(ask(ENGINEER, "GET", "jobs/three-tasks/stacks", params=asked).json()["items"]) == 2
    assert ask(ENGINEER, "GET", "jobs/three-tasks/stacks", params={"attempt": 2}).json()["items"] == []
    act(here, job, "stop")


def test_what_does_not_run_has_no_stacks(ask, here):
    here.jobs.create(here.caller(ENGINEER), job_file("never-ran"), start=False)
    answer = ask(ENGINEER, "POST", "jobs/never-ran/stacks")
    assert answer.status_code == 409
    assert "only a running task has stacks" in answer.json()["detail"]


def test_a_task_that_is_not_there_is_not_found(ask, here):
    job = started(here, "one-task")
    for method in ("GET", "POST"):
        answer = ask(ENGINEER, method, "jobs/one-task/stacks", params={"task": "worker-7"})
        assert answer.status_code == 404
    assert ask(ENGINEER, "GET", "jobs/one-task/stacks", params={"attempt": 9}).status_code == 404
    act(here, job, "stop")


def test_others_see_nothing_and_those_who_look_at_others_are_noted(ask, here):
    job = started(here, "private-one")
    for method in ("GET", "POST"):
        assert ask(OTHER, method, f"jobs/{job}/stacks").status_code == 404
    assert ask(ADMINISTRATOR, "POST", f"jobs/{job}/stacks").status_code == 200
    noted = ask(ADMINISTRATOR, "GET", "audit", params={"subject": f"job:{ENGINEER}:private-one#1"}).json()[
        "items"
    ]
    assert [(one["by"], one["act"]) for one in noted] == [(ADMINISTRATOR, "read")]
    act(here, job, "stop")


def test_few_are_taken_at_once(ask, here, inspector):
    job = started(here, "slow-one")
    inspector.asked = threading.Semaphore(0)
    inspector.go_on.clear()
    waiting = [threading.Thread(target=here.services.jobs.stacks.asked, args=(here.jobs.get(here.caller(ENGINEER), job),))
               for _ in range(4)]  # fmt: skip
    for thread in waiting:
        thread.start()
    for _ in waiting:
        assert inspector.asked.acquire(timeout=PATIENCE)
    answer = ask(ENGINEER, "POST", "jobs/slow-one/stacks")
    inspector.go_on.set()
    for thread in waiting:
        thread.join(30)
    assert answer.status_code == 429
    act(here, job, "stop")


def test_an_engine_without_real_tasks_says_so(fresh):
    started(fresh, "simulated")
    with served(fresh.app) as url:
        answer = httpx.post(f"{url}/api/v1/jobs/simulated/stacks", headers=fresh.bearer(ENGINEER))
    assert (answer.status_code, answer.json()["detail"]) == (
        503,
        "this engine cannot take the stacks of tasks",
    )
