"""Figures for Prometheus: the cluster in numbers, without a word about people."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from danlu.server.app import create_app
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file, served, world

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    """Two nodes of eight cards: a job of six runs, and one that needs both nodes waits."""
    with world(tmp_path) as made:
        for owner, name, more in (
            (ENGINEER, "runs", {"resources": {"gpus": 6, "gpu": "A100", "cpus": 2, "memory": "4GiB"}}),
            (OTHER, "waits", {"resources": {"gpus": 8, "gpu": "A100"}, "nodes": 2}),
        ):
            file = job_file(name, env={"SIMULATED_RUN_FOR": "1h"}, **more)
            made.jobs.create(made.caller(owner), file, start=True)
            made.controller.step()
        yield made


def scraped(app: FastAPI) -> Figures:
    with served(app) as url:
        text = httpx.get(f"{url}/metrics").text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def of(figures: Figures, name: str, **labels: str) -> float:
    return figures[name, frozenset((key.rstrip("_"), value) for key, value in labels.items())]


def test_the_cluster_is_told_in_numbers(here: World) -> None:
    seen = scraped(here.app)

    assert of(seen, "danlu_gpus", model="A100") == 16
    assert of(seen, "danlu_gpus_free", model="A100") == 10
    assert of(seen, "danlu_gpus_used", model="A100", class_="single") == 6
    assert of(seen, "danlu_gpus_queued", model="A100", class_="distributed") == 16
    assert of(seen, "danlu_cpus_used") == 2
    assert of(seen, "danlu_memory_used_bytes") == 4 << 30
    assert of(seen, "danlu_cpus") == of(seen, "danlu_cpus_free") + 2
    assert of(seen, "danlu_active_jobs", state="queued", class_="distributed") == 1
    assert of(seen, "danlu_active_jobs", state="queued", class_="single") == 0
    assert of(seen, "danlu_jobs", state="queued") == 1
    assert of(seen, "danlu_nodes", state="ready", pool="default") == 2
    assert of(seen, "danlu_requests_open", kind="join") == 0


def test_decisions_and_waits_are_told_where_they_are_made(here: World) -> None:
    seen = scraped(here.app)

    assert of(seen, "danlu_job_wait_seconds_count", class_="single") == 1
    assert of(seen, "danlu_job_wait_seconds_bucket", class_="single", le="+Inf") == 1
    assert of(seen, "danlu_decision_seconds_count") >= 2
    assert of(seen, "danlu_decision_age_seconds") >= 0
    assert of(seen, "danlu_decision_last_seconds") > 0
    process = dataclasses.replace(here.services.process, half="server", decisions=None)
    elsewhere = create_app(dataclasses.replace(here.services, process=process))
    assert not [
        name for name, _ in scraped(elsewhere) if name.startswith(("danlu_decision", "danlu_job_wait"))
    ]


def test_a_request_is_open_until_it_is_answered(here: World) -> None:
    seen = scraped(here.app)
    assert of(seen, "danlu_http_requests_open") == 1  # the one that asks


def test_nobody_is_named(here: World) -> None:
    values = {value for _, labels in scraped(here.app) for _, value in labels}
    assert not values & {ENGINEER, OTHER, "runs", "waits"}


def test_gpus_of_a_cordoned_node_are_counted_alike_everywhere(here: World) -> None:
    admin = here.caller(ADMINISTRATOR)
    uses = here.services.machines.nodes.all(admin)
    idle = next(use.node.name for use in uses if not use.tasks)
    here.services.machines.upkeep.cordon(admin, [idle], True, None)
    here.controller.step()
    with served(here.app) as url, httpx.Client(headers=here.bearer(ADMINISTRATOR)) as http:
        (model,) = http.get(f"{url}/api/v1/resources").json()["gpus"]
        nodes = http.get(f"{url}/api/v1/nodes").json()["items"]
        single = next(
            one for one in http.get(f"{url}/api/v1/resources").json()["classes"] if one["class"] == "single"
        )
    seen = scraped(here.app)

    assert (model["total"], model["used"], model["free"], model["closed"]) == (16, 6, 2, 8)
    assert (sum(len(one["gpus"]) for one in nodes), sum(one["free"]["gpus"] for one in nodes)) == (16, 2)
    assert (single["gpus"][0]["total"], single["gpus"][0]["free"]) == (16, 2)
    told = [of(seen, f"danlu_gpus{part}", model="A100") for part in ("", "_free", "_closed")]
    assert told == [16, 2, 8]
