"""Measured use over HTTP: by task and attempt, by node, for those who may read it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from danlu.ports.logs import LogKey
from danlu.ports.samples import COUNTED, RATED, TRAFFIC, Head, Sample, SampleFile
from danlu.server.usage.models import JobUsage, NodeUsage
from danlu.telemetry.usage import network_path, node_path, task_path
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file

LONG = {"SIMULATED_RUN_FOR": "1h"}
EVERY = 5_000
NOTHING: dict[str, list[float]] = {"mean": [], "high": []}


def started(here: World, name: str, **more: Any) -> str:
    job = here.jobs.create(here.caller(ENGINEER), job_file(name, env=LONG, **more), start=True)
    here.controller.step()
    here.controller.step()
    return job.id


def act(here: World, job_id: str, verb: str) -> None:
    here.jobs.act(here.caller(ENGINEER), job_id, verb)
    here.controller.step()
    here.controller.step()


def measured(here: World, job_id: str, count: int, attempt: int = 1, task: str = "worker-0") -> int:
    """Samples up to now, one core and a growing memory; the time of the last."""
    now = int(time.time() * 1000)
    path = task_path(here.root / "logs", LogKey(job_id, attempt, task))
    path.parent.mkdir(parents=True, exist_ok=True)
    file = SampleFile(str(path), Head(now - EVERY * count, EVERY, COUNTED, (0,)))
    for number in range(count):
        at = now - EVERY * (count - 1 - number)
        assert file.append(Sample(at, 5_000_000 * (number + 1), 100 * number, ((number % 100, 7),)))
    return now


def test_an_engine_that_measures_nothing_answers_tasks_with_empty_lines(ask, here):
    job = started(here, "simulated-one", nodes=2, resources={"cpus": 2, "memory": "3GiB", "gpus": 4})
    answer = ask(ENGINEER, "GET", "jobs/simulated-one/usage").json()
    JobUsage.model_validate(answer)
    assert answer["measured_every"] == EVERY
    first, second = answer["items"]
    assert (first["task"], second["task"]) == ("worker-0", "worker-1")
    assert (first["node"], first["attempt"], first["gpus_given"]) == ("a100-0", 1, [0, 1, 2, 3])
    assert (first["cpus_given"], first["memory_given"]) == (2, 3 << 30)
    assert (first["times"], first["cpus"], first["memory"], first["gpus"]) == ([], NOTHING, NOTHING, [])
    act(here, job, "stop")


def test_what_was_measured_is_answered_in_as_many_points_as_asked(ask, here):
    job = started(here, "measured-one")
    now = measured(here, job, 100)
    (whole,) = ask(ENGINEER, "GET", "jobs/measured-one/usage").json()["items"]
    assert whole["times"][-1] == now
    assert whole["cpus"]["mean"] == [1.0] * 100
    assert whole["memory"]["mean"] == whole["memory"]["high"] == [100 * number for number in range(100)]
    assert (whole["gpus"][0]["index"], whole["gpus"][0]["busy"]["mean"][-1]) == (0, 99.0)
    answer = ask(ENGINEER, "GET", "jobs/measured-one/usage?points=10").json()
    JobUsage.model_validate(answer)
    (coarse,) = answer["items"]
    assert len(coarse["times"]) <= 10
    assert max(coarse["memory"]["high"]) == 9_900
    (late,) = ask(ENGINEER, "GET", "jobs/measured-one/usage?window=20s").json()["items"]
    assert len(late["times"]) <= 4
    act(here, job, "stop")


def test_each_attempt_has_lines_of_its_own_that_end_with_it(ask, here):
    job = started(here, "tried-twice")
    measured(here, job, 3)
    act(here, job, "restart")
    here.controller.step()
    (second,) = ask(ENGINEER, "GET", "jobs/tried-twice/usage").json()["items"]
    assert (second["attempt"], second["times"]) == (2, [])
    (first,) = ask(ENGINEER, "GET", "jobs/tried-twice/usage?attempt=1").json()["items"]
    assert (first["attempt"], len(first["times"])) == (1, 3)
    act(here, job, "stop")
    edited = job_file("tried-twice", command=None, roles=[{"name": "other", "command": "true"}])
    del edited["command"]
    here.jobs.edit(here.caller(ENGINEER), job, edited)
    (first,) = ask(ENGINEER, "GET", "jobs/tried-twice/usage?attempt=1").json()["items"]
    assert (first["task"], first["cpus_given"]) == ("worker-0", 0), "its role is not in the file any more"


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("task=worker-7", 404, "did you mean 'worker-1'?"),
        ("attempt=9", 404, "it has had 1"),
        ("window=1s", 422, "window"),
        ("window=32d", 422, "window"),
        ("window=soon", 422, "window"),
        ("points=9", 422, "points"),
        ("attempt=0", 422, "attempt"),
    ],
)
def test_what_is_not_there_is_said(ask, here, query, status, said):
    if ask(ENGINEER, "GET", "jobs/asked-one").status_code == 404:
        started(here, "asked-one", nodes=2)
    refused = ask(ENGINEER, "GET", f"jobs/asked-one/usage?{query}")
    assert refused.status_code == status
    assert said in refused.text


def test_one_task_alone_may_be_asked_for(ask, here):
    job = started(here, "two-tasks", nodes=2)
    (only,) = ask(ENGINEER, "GET", "jobs/two-tasks/usage?task=worker-1").json()["items"]
    assert only["task"] == "worker-1"
    act(here, job, "stop")


def test_a_job_that_never_ran_has_no_tasks(ask, here):
    here.jobs.create(here.caller(ENGINEER), job_file("never-run"))
    assert ask(ENGINEER, "GET", "jobs/never-run/usage").json()["items"] == []


def test_only_those_who_may_read_a_job_see_what_it_uses(ask, here):
    job = started(here, "private-one")
    address = f"jobs/{job}/usage"
    assert ask(ADMINISTRATOR, "GET", address).status_code == 200
    readable = ask(OTHER, "GET", f"jobs/{job}").status_code
    assert ask(OTHER, "GET", address).status_code == readable
    assert ask(None, "GET", address).status_code == 401
    act(here, job, "stop")


def test_a_node_answers_what_all_tasks_on_it_used(ask, here):
    now = int(time.time() * 1000)
    path = node_path(here.root / "usage" / "nodes", "a100-1")
    path.parent.mkdir(exist_ok=True)
    file = SampleFile(str(path), Head(0, 15_000, RATED, ()))
    assert file.append(Sample(now - 15_000, 1_500, 100))
    assert file.append(Sample(now, 0, 0))
    answer = ask(VIEWER, "GET", "nodes/a100-1/usage?window=1d").json()
    NodeUsage.model_validate(answer)
    assert (answer["node"], answer["measured_every"], answer["gpus"]) == ("a100-1", 15_000, [])
    assert (answer["cpus"]["mean"], answer["memory"]["high"]) == ([1.5, 0.0], [100, 0])
    assert answer["cpus_total"] == 64
    assert answer["memory_total"] > 0
    assert ask(ENGINEER, "GET", "nodes/a100-0/usage").json()["times"] == []
    assert ask(ENGINEER, "GET", "nodes/nowhere/usage").status_code == 404
    assert ask(ENGINEER, "GET", "nodes/a100-0/usage?points=1").status_code == 422
    assert ask(None, "GET", "nodes/a100-0/usage").status_code == 401


def test_with_a_job_its_samples_go(ask, here):
    job = started(here, "deleted-one")
    measured(here, job, 3)
    act(here, job, "stop")
    assert (here.root / "logs" / job).exists()
    assert ask(ENGINEER, "DELETE", f"jobs/{job}").status_code == 204
    assert not (here.root / "logs" / job).exists()


def test_the_network_of_the_machine_is_shared_by_its_virtual_nodes(ask, here):
    assert ask(ENGINEER, "GET", "nodes/a100-0").json()["network"] is None
    now = int(time.time() * 1000)
    path = network_path(here.root / "usage" / "nodes")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = SampleFile(str(path), Head(0, 15_000, TRAFFIC, ()))
    for number in range(3):
        assert file.append(Sample(now - 15_000 * (2 - number), 30_000 * number, 15_000 * number))
    carried = {"received": 2_000, "sent": 1_000, "shared": True}
    assert ask(ENGINEER, "GET", "nodes/a100-0").json()["network"] == carried
    assert {str(one["network"]) for one in ask(ENGINEER, "GET", "nodes").json()["items"]} == {str(carried)}
    answer = ask(ENGINEER, "GET", "nodes/a100-0/usage").json()
    NodeUsage.model_validate(answer)
    lines = answer["network"]
    assert (lines["times"][-1], lines["shared"]) == (now, True)
    assert (lines["received"]["mean"], lines["sent"]["high"]) == ([None, 2_000, 2_000], [None, 1_000, 1_000])
    path.unlink()
