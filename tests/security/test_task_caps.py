"""Swarms of tiny tasks: each costs a supervisor and a sandbox, so they are counted, charged and bounded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from danlu.sdk import Client, InsufficientQuota
from tests.live import LiveServer, eventually, live_server, training

TINY = {"cpus": 0.001, "memory": "4MiB"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    caps = {"DANLU_TASKS_PER_NODE": "3", "DANLU_TASKS_PER_PERSON": "6", "DANLU_TASK_MEMORY": "16MiB"}
    with live_server(tmp_path_factory.mktemp("caps"), "--virtual-nodes", "1x2xA100", **caps) as server:
        yield server


def clear(client: Client) -> None:
    """Until nothing is left: what still ends counts too."""
    left = list(client.jobs(state=["queued", "starting", "running", "stopping"]))
    for job in left:
        if job.state != "stopping":
            client.stop(job.id)
    for job in left:
        client.wait(job.id)


def test_a_node_runs_so_many_tasks_and_the_next_waits_with_the_reason(live: LiveServer) -> None:
    with live.client() as client:
        made = [client.submit(training(f"tiny-{n}", "sleep 600", resources=TINY)) for n in range(4)]
        eventually(lambda: sum(client.get(job.id).state == "running" for job in made) == 3)
        (waits,) = [job for job in (client.get(one.id) for one in made) if job.state != "running"]
        found = eventually(lambda: (job := client.get(waits.id)).reason and job)
        assert found.reason.code == "node_task_cap"
        assert "may run 3" in found.reason.text["en"]
        running = next(job for job in made if client.get(job.id).state == "running")
        client.stop(running.id)
        eventually(lambda: client.get(waits.id).state == "running")
        clear(client)


def test_tiny_tasks_are_charged_what_they_cost(live: LiveServer) -> None:
    with live.client() as client:
        job = client.create(training("charged", "true", resources=TINY))
        size = client.get(job.id).spec["resources"]
        assert (size["cpus"], size["memory"]) == (0.01, "16MiB")


def test_nobody_queues_more_tasks_than_their_cap_and_the_refusal_has_the_numbers(live: LiveServer) -> None:
    with live.client() as client:
        for number in range(5):
            client.submit(training(f"one-{number}", "sleep 600", resources=TINY))
        with pytest.raises(InsufficientQuota, match=r"uses 5 of 6 tasks and requests 2 more"):
            client.submit(training("too-many", "sleep 600", resources=TINY, nodes=2))
        clear(client)
