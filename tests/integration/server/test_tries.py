"""A task that was started again within its attempt: what each of its tries printed and used stays readable."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from websockets.sync.client import connect

from danlu.domain.job import Job
from danlu.ports.logs import LogKey
from danlu.ports.samples import COUNTED, Head, Sample, SampleFile
from danlu.sdk import Client
from danlu.telemetry.usage import task_path
from tests.fakes.server import ENGINEER, World, job_file
from tests.live import PATIENCE

NAME = "tried-again"
LONG = {"SIMULATED_RUN_FOR": "1h"}
FAILS = {"SIMULATED_RUN_FOR": "0s", "SIMULATED_EXIT_CODE": "3"}


@pytest.fixture(scope="module")
def job(here: World) -> Job:
    """Its chief runs; its evaluator has failed once and waits to be started a second time."""
    small = {"cpus": 1, "memory": "1GiB"}
    roles = [
        {"name": "chief", "replicas": 1, "resources": small, "env": LONG},
        {"name": "eval", "replicas": 1, "resources": small, "env": FAILS},
    ]
    again = {
        "on": {"task_failed": "restart_task"},
        "restarts": 5,
        "backoff": {"first": "10m", "most": "10m"},
    }
    made = here.jobs.create(here.caller(ENGINEER), job_file(NAME, roles=roles, **again), start=True)
    for _ in range(5):
        here.controller.step()
    found = here.store.get(made.id)
    assert found is not None
    assert found.attempt is not None
    assert [task.run for task in found.attempt.tasks] == ["chief-0", "eval-0-r1"]
    for run in ("chief-0", "eval-0", "eval-0-r1"):
        here.write_log(found.id, f"1700000000.000 o by {run}\n".encode(), task=run)
    return found


def texts(answer: Any) -> list[str]:
    return [line["text"] for line in answer.json()["lines"]]


@pytest.mark.parametrize(
    ("query", "run"),
    [
        ("", "chief-0"),
        ("task=eval-0", "eval-0-r1"),
        ("task=eval-0&try=1", "eval-0-r1"),
        ("task=eval-0&try=0", "eval-0"),
        ("task=eval-0&try=0&attempt=1", "eval-0"),
        ("task=eval-0-r1", "eval-0-r1"),
        ("try=0", "chief-0"),
    ],
)
def test_a_log_is_of_the_present_try_unless_another_is_named(ask, job, query, run):
    assert texts(ask(ENGINEER, "GET", f"jobs/{NAME}/logs?{query}")) == [f"by {run}"]


@pytest.mark.parametrize("query", ["task=eval-0&try=2", "task=eval-0-r2", "task=eval-0-r1&try=0", "try=1"])
def test_a_try_that_was_never_made_is_not_found(ask, job, query):
    answer = ask(ENGINEER, "GET", f"jobs/{NAME}/logs?{query}")
    assert answer.status_code == 404
    assert "eval-0" in answer.json()["detail"] or "chief-0" in answer.json()["detail"]


def test_an_earlier_try_is_over_and_the_present_one_is_not(ask, job):
    assert ask(ENGINEER, "GET", f"jobs/{NAME}/logs?task=eval-0&try=0").json()["end"] is True
    assert ask(ENGINEER, "GET", f"jobs/{NAME}/logs?task=eval-0").json()["end"] is False


def test_following_an_earlier_try_ends_with_it(job, here, url):
    with Client(url, here.bearer(ENGINEER)["Authorization"].removeprefix("Bearer ")) as client:
        lines = client.logs(NAME, task="eval-0", try_=0, follow=True)
        assert [line.text for line in lines] == ["by eval-0"]


def test_the_socket_tells_of_the_try_that_was_asked_for(job, here, url):
    address = f"ws{url.removeprefix('http')}/api/v1/live"
    with connect(address, additional_headers=here.bearer(ENGINEER)) as socket:
        socket.send(json.dumps({"logs": {"first": {"job": NAME, "task": "eval-0", "try": 0}}}))
        told = json.loads(socket.recv(timeout=PATIENCE))
        assert [text for _, _, text in told["lines"]] == ["by eval-0"]


def test_use_is_of_the_present_try_unless_another_is_named(ask, job, here):
    now = int(time.time() * 1000)
    for run, memory in (("eval-0", 111), ("eval-0-r1", 222)):
        path = task_path(here.root / "logs", LogKey(job.id, 1, run))
        file = SampleFile(str(path), Head(now - 5_000, 5_000, COUNTED, ()))
        assert file.append(Sample(now, 1_000_000, memory, ()))

    def memory_of(query: str) -> float:
        (item,) = ask(ENGINEER, "GET", f"jobs/{NAME}/usage?{query}").json()["items"]
        assert item["task"] == "eval-0"
        found: float = item["memory"]["high"][-1]
        return found

    asked = ("task=eval-0", "task=eval-0&try=0", "task=eval-0-r1")
    assert [memory_of(query) for query in asked] == [222, 111, 222]
    assert len(ask(ENGINEER, "GET", f"jobs/{NAME}/usage").json()["items"]) == 2
    assert ask(ENGINEER, "GET", f"jobs/{NAME}/usage?task=eval-0&try=2").status_code == 404
