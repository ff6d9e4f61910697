"""What every task is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from danlu.control.plane.orders import order_of
from danlu.domain.job import Attempt, Job, Task
from danlu.ports.engine import at
from tests.fakes.builders import job


def placed(**keys: Any) -> Job:
    tasks = tuple(Task("worker", index, "n1", "10.0.0.1") for index in range(2))
    return replace(job("some-job", nodes=2, **keys), attempt=Attempt(1, tasks, 0), attempts=1)


def test_every_task_is_given_the_attempts_token() -> None:
    order = order_of(placed(), "http://danlu", token="danlu_task_x")
    assert [task.env["DANLU_TASK_TOKEN"] for task in order.tasks] == ["danlu_task_x"] * 2


def test_without_a_token_none_is_told_of() -> None:
    assert all("DANLU_TASK_TOKEN" not in task.env for task in order_of(placed(), "http://danlu").tasks)


def test_the_same_job_gives_the_same_order() -> None:
    assert order_of(placed(), "http://danlu", token="t") == order_of(placed(), "http://danlu", token="t")


def test_some_tasks_can_be_ordered_alone() -> None:
    order = order_of(placed(), "http://danlu", ("worker-1",))
    assert [(task.name, task.env["DANLU_RANK"]) for task in order.tasks] == [("worker-1", "1")]


def test_the_order_says_whose_it_is_and_how_long_its_end_may_take() -> None:
    order = order_of(placed(image="pytorch:2", checkpoint={"grace": "5s"}), "http://danlu")
    assert (order.job_name, order.project, order.image, order.grace) == (
        "some-job",
        "public",
        "pytorch:2",
        5_000,
    )


def test_the_first_rank_is_the_role_that_the_framework_names_first() -> None:
    roles = [{"name": "worker", "replicas": 2}, {"name": "master"}]
    tasks = (
        *(Task("worker", index, "n1", "10.0.0.1") for index in range(2)),
        Task("master", 0, "n2", "10.0.0.2"),
    )
    subject = job("some-job", roles=roles, framework="pytorch", strategy="all-reduce")
    order = order_of(replace(subject, attempt=Attempt(1, tasks, 0), attempts=1), "http://danlu")
    assert [(task.name, task.env["RANK"]) for task in order.tasks] == [
        ("master-0", "0"),
        ("worker-0", "1"),
        ("worker-1", "2"),
    ]
    assert {task.env["MASTER_ADDR"] for task in order.tasks} == {at("master-0")}
