"""What the real application answers, read through the SDK: every class is what its annotations say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from danlu.sdk import Client
from tests.fakes.server import ADMINISTRATOR, World, job_file
from tests.typed import is_typed

JOB = "answered"
READS: dict[str, Callable[[Client], Any]] = {
    "a job": lambda danlu: danlu.get(JOB),
    "a check": lambda danlu: danlu.check(job_file("another")),
    "jobs": lambda danlu: danlu.jobs(),
    "events": lambda danlu: danlu.events(JOB),
    "queue": lambda danlu: danlu.queue(),
    "lanes": lambda danlu: danlu.lanes(),
    "why": lambda danlu: danlu.why(JOB),
    "scores": lambda danlu: danlu.scores(ADMINISTRATOR),
    "metrics": lambda danlu: danlu.metrics(JOB),
    "frameworks": lambda danlu: danlu.frameworks(),
    "a proposal": lambda danlu: danlu.propose("pytorch", resources={"gpus": 1}),
    "examples": lambda danlu: danlu.examples(),
    "me": lambda danlu: danlu.me(),
    "version": lambda danlu: danlu.version(),
    "people": lambda danlu: danlu.people.list(),
    "a person": lambda danlu: danlu.people.get(ADMINISTRATOR),
    "groups": lambda danlu: danlu.people.groups.list(),
    "tokens": lambda danlu: danlu.people.tokens.list(),
    "projects": lambda danlu: danlu.projects.list(),
    "members": lambda danlu: danlu.projects.members("public"),
    "a standing": lambda danlu: danlu.projects.standing("public"),
    "requests": lambda danlu: danlu.projects.requests.list(),
    "priorities": lambda danlu: danlu.rules.priorities.list(),
    "pools": lambda danlu: danlu.rules.pools.list(),
    "limits": lambda danlu: danlu.rules.limits.list(),
    "flavors": lambda danlu: danlu.flavors.list(),
    "templates": lambda danlu: danlu.templates.list(),
    "a template": lambda danlu: danlu.templates.get("answers"),
    "offers": lambda danlu: danlu.flavors.offers(all=True),
    "quotas": lambda danlu: danlu.quotas.list(),
    "one's quota": lambda danlu: danlu.quotas.of_user(ADMINISTRATOR),
    "nodes": lambda danlu: danlu.machines.nodes.list(),
    "a move": lambda danlu: danlu.machines.nodes.move(["a100-0"], "default", preview=True),
    "a drain": lambda danlu: danlu.machines.nodes.drain(["a100-0"], "30m", preview=True),
    "clusters": lambda danlu: danlu.machines.clusters.list(),
    "maintenance": lambda danlu: danlu.machines.maintenance.list(),
    "usage": lambda danlu: danlu.usage(JOB),
    "usage of a node": lambda danlu: danlu.usage.node("a100-0"),
    "resources": lambda danlu: danlu.usage.resources(),
    "trends": lambda danlu: danlu.usage.trends(),
    "audit": lambda danlu: danlu.audit.list(),
    "a verdict": lambda danlu: danlu.audit.verify(),
}
EMPTY = {"queue", "lanes", "clusters", "maintenance", "members"}


@pytest.fixture(scope="module")
def danlu(here: World, url: str) -> Iterator[Client]:
    token = here.bearer(ADMINISTRATOR)["Authorization"].split()[1]
    with Client(url=url, token=token) as client:
        client.submit(job_file(JOB))
        client.people.groups.create("answers", ["queue:pin"])
        client.people.tokens.create("answers")
        client.projects.requests.ask_for_quota({"all": {"gpus": 2}})
        client.rules.limits.create("answers", job_class="single", gpus=8)
        client.flavors.create("answers", {"cpus": 1, "memory": "1GiB"})
        client.templates.create("answers", job_file(JOB))
        client.quotas.set("default", amounts={"all": {"gpus": 8}})
        client.quotas.add_raise("default", {"all": {"gpus": 9}}, "1d")
        yield client


@pytest.mark.parametrize("what", READS)
def test_an_answer_is_what_its_class_says(danlu: Client, what: str) -> None:
    found = READS[what](danlu)
    listed = [found] if hasattr(found, "__dataclass_fields__") else list(found)
    assert listed or what in EMPTY
    assert [one for one in listed if not is_typed(one, type(one))] == []
