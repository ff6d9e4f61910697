"""Metrics of trainings over HTTP: lines, pace and hints over real files, by API and by client."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path
from typing import Any

import pytest

from danlu.domain import events as ev
from danlu.domain.lifecycle import advance
from danlu.ports.logs import LogKey
from danlu.ports.reports import METRICS_FILE, ReportedPoint, append, point_line, reports_folder
from danlu.ports.samples import RATED, Head, Sample, SampleFile
from danlu.ports.store import JobChange
from danlu.sdk import Client, MetricValue
from danlu.server.jobs.metrics_models import JobMetrics
from danlu.telemetry.logs import log_path
from danlu.telemetry.usage import task_path
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file

LONG = {"SIMULATED_RUN_FOR": "1h"}


def started(here: World, name: str, **more: Any) -> str:
    job = here.jobs.create(here.caller(ENGINEER), job_file(name, env=LONG, **more), start=True)
    step(here)
    return job.id


def step(here: World) -> None:
    here.controller.step()
    here.controller.step()


def act(here: World, job: str, verb: str, **more: Any) -> None:
    here.jobs.act(here.caller(ENGINEER), job, verb, **more)
    step(here)


def saved(here: World, job_id: str, at_step: int) -> None:
    """The first task tells of a checkpoint."""
    job = here.store.get(job_id)
    assert job is not None
    now = int(time.time() * 1000)
    told = ev.CheckpointSaved(job.attempt_id, "worker-0", now, f"/checkpoints/{at_step}", at_step)
    done = advance(job, told, now)
    here.store.save([JobChange(done.job, done.records)], now)


def folder(here: World, job_id: str, attempt: int = 1, run: str = "worker-0") -> str:
    found = reports_folder(str(log_path(here.root / "logs", LogKey(job_id, attempt, run))))
    Path(found).mkdir(parents=True, exist_ok=True)
    return found


def tell(
    here: World, job_id: str, steps: range, attempt: int = 1, run: str = "worker-0", **values: float
) -> None:
    """One step a second, the last one now."""
    now = int(time.time() * 1000)
    lines = [point_line(ReportedPoint(now - 1_000 * (steps.stop - 1 - at), at, values)) for at in steps]
    append(folder(here, job_id, attempt, run), METRICS_FILE, b"".join(lines))


def measured(here: World, job_id: str, gpu: int, cores: float) -> None:
    """The first task used so much over the last two minutes."""
    now = int(time.time() * 1000)
    path = task_path(here.root / "logs", LogKey(job_id, 1, "worker-0"))
    path.parent.mkdir(parents=True, exist_ok=True)
    file = SampleFile(str(path), Head(now - 130_000, 5_000, RATED, (0,)))
    for number in range(25):
        assert file.append(Sample(now - 5_000 * (24 - number), int(cores * 1000), 1, ((gpu, 1),)))


def test_a_job_that_told_nothing_has_nothing(ask, here):
    here.jobs.create(here.caller(ENGINEER), job_file("never-ran"))
    for name in ("never-ran", started(here, "tells-nothing")):
        answer = ask(ENGINEER, "GET", f"jobs/{name}/metrics").json()
        JobMetrics.model_validate(answer)
        assert answer == {
            "names": [],
            "series": [],
            "latest_step": None,
            "total_steps": None,
            "throughput": {"steps_per_second": None, "over_ms": 0},
            "gpu": {"busy": None},
            "hint": None,
        }
    act(here, "tells-nothing", "stop")


def test_lines_pace_and_last_values_are_answered(ask, here):
    job = started(here, "tells-much")
    tell(here, job, range(1_000), loss=0.5, accuracy=float("nan"))
    answer = ask(ENGINEER, "GET", "jobs/tells-much/metrics?points=100").json()
    JobMetrics.model_validate(answer)
    accuracy, loss = answer["series"]
    assert (loss["name"], loss["role"], loss["task"], loss["attempt"]) == ("loss", "worker", "worker-0", 1)
    assert len(loss["steps"]) <= 100
    assert (loss["steps"][-1], set(loss["values"]), set(accuracy["values"])) == (999, {0.5}, {None})
    assert [one["last"]["value"] for one in answer["names"]] == [None, 0.5]
    assert answer["latest_step"] == 999
    assert answer["throughput"]["steps_per_second"] == pytest.approx(1)
    assert answer["throughput"]["over_ms"] == 300_000
    only = ask(ENGINEER, "GET", "jobs/tells-much/metrics?name=loss&by=time&task=worker-0").json()
    assert [one["name"] for one in only["series"]] == ["loss"]
    assert len(only["names"]) == 2
    act(here, job, "stop")
    whole = ask(ENGINEER, "GET", "jobs/tells-much/metrics").json()
    assert whole["throughput"] == {"steps_per_second": 1, "over_ms": 999_000}


def test_attempts_are_joined_where_each_went_on(ask, here):
    job = started(here, "goes-on")
    tell(here, job, range(100), loss=1.0)
    saved(here, job, 40)
    act(here, job, "restart")
    tell(here, job, range(41, 50), attempt=2, loss=2.0)
    (joined,) = ask(ENGINEER, "GET", "jobs/goes-on/metrics").json()["series"]
    assert (joined["steps"], joined["attempt"]) == (list(range(50)), 2)
    assert joined["values"] == [1.0] * 41 + [2.0] * 9
    (first,) = ask(ENGINEER, "GET", "jobs/goes-on/metrics?attempt=1").json()["series"]
    assert (first["steps"], first["attempt"]) == (list(range(100)), 1)
    act(here, job, "restart", fresh=True)
    tell(here, job, range(3), attempt=3, loss=3.0)
    (anew,) = ask(ENGINEER, "GET", "jobs/goes-on/metrics").json()["series"]
    assert anew["values"] == [3.0] * 3
    act(here, job, "stop")


def test_every_task_that_told_has_a_line_if_asked(ask, here):
    job = started(here, "two-of-them", nodes=2)
    for task in ("worker-0", "worker-1"):
        tell(here, job, range(3), run=task, loss=1.0)
    every = ask(ENGINEER, "GET", "jobs/two-of-them/metrics?all_tasks=true").json()
    assert [one["task"] for one in every["series"]] == ["worker-0", "worker-1"]
    assert every["names"][0]["tasks"] == ["worker-0", "worker-1"]
    (second,) = ask(ENGINEER, "GET", "jobs/two-of-them/metrics?task=worker-1").json()["series"]
    assert second["task"] == "worker-1"
    unknown = ask(ENGINEER, "GET", "jobs/two-of-them/metrics?task=worker-9")
    assert unknown.status_code == 404
    assert "worker-1" in unknown.json()["detail"]
    act(here, job, "stop")


@pytest.mark.parametrize(
    ("name", "gpu", "cores", "says"), [("starved", 20, 2.0, "more CPUs"), ("busy-one", 95, 2.0, "")]
)
def test_gpus_that_wait_for_data_are_told_of(name, gpu, cores, says, ask, here):
    job = started(here, name, resources={"cpus": 2, "memory": "1GiB", "gpus": 1})
    measured(here, job, gpu, cores)
    answer = ask(ENGINEER, "GET", f"jobs/{name}/metrics").json()
    JobMetrics.model_validate(answer)
    assert answer["gpu"]["busy"] == gpu
    assert (says in answer["hint"]["en"] and answer["hint"]["zh"]) if says else answer["hint"] is None
    act(here, job, "stop")


def test_every_value_comes_as_a_table_that_no_spreadsheet_takes_for_formulas(ask, here):
    job = started(here, "as-a-table")
    tell(here, job, range(2_500), loss=-0.5)
    append(folder(here, job), METRICS_FILE, b'[7,2500,{"=SUM(A1)":1e9}]\n')
    answer = ask(ENGINEER, "GET", "jobs/as-a-table/metrics?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="as-a-table-metrics.csv"' in answer.headers["content-disposition"]
    heading, first, *_, last = csv.reader(io.StringIO(answer.text))
    assert heading == ["step", "time", "name", "task", "value"]
    assert (first[0], *first[2:]) == ("0", "loss", "worker-0", "-0.5")
    assert last == ["2500", "7", "'=SUM(A1)", "worker-0", "1000000000.0"]
    assert len(answer.text.splitlines()) == 2_502
    act(here, job, "stop")


def test_the_client_reads_lines_and_values(ask, here, url):
    job = started(here, "by-client")
    tell(here, job, range(3), loss=0.25)
    token = here.bearer(ENGINEER)["Authorization"].removeprefix("Bearer ")
    with Client(url, token) as client:
        found = client.metrics("by-client", ["loss"], points=10, by="time")
        assert (found.latest_step, found.names[0].last.value) == (2, 0.25)
        assert found.series[0].values == (0.25, 0.25, 0.25)
        values = list(client.metric_values("by-client", "loss"))
        mine = client.get("by-client")
        assert list(mine.metric_values("loss")) == values
        assert mine.metrics("loss").latest_step == 2
        assert list(mine.metric_values("no-such")) == []
    assert [value.step for value in values] == [0, 1, 2]
    assert values[0] == MetricValue(0, values[0].time, "loss", "worker-0", 0.25)
    act(here, job, "stop")


@pytest.mark.parametrize(
    ("query", "loc"),
    [
        ("points=9", ["query", "points"]),
        ("points=5001", ["query", "points"]),
        ("by=epoch", ["query", "by"]),
        ("attempt=0", ["query", "attempt"]),
        ("format=xml", ["query", "format"]),
        ("nmae=loss", ["query", "nmae"]),
        ("&".join(["name=a"] * 65), ["query", "name"]),
    ],
)
def test_a_query_that_cannot_be_answered_says_where(query, loc, ask, here):
    if here.store.find(ENGINEER, "asked-of") is None:
        here.jobs.create(here.caller(ENGINEER), job_file("asked-of"))
    answer = ask(ENGINEER, "GET", f"jobs/asked-of/metrics?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["loc"] == loc
    assert ask(ENGINEER, "GET", "jobs/asked-of/metrics?attempt=3").status_code == 404


def test_only_those_who_may_read_the_job_see_its_metrics(ask, here):
    job = started(here, "private-one")
    tell(here, job, range(3), loss=1.0)
    assert ask(OTHER, "GET", f"jobs/{job}/metrics").status_code == 404
    assert len(ask(ADMINISTRATOR, "GET", f"jobs/{job}/metrics").json()["series"]) == 1
    act(here, job, "stop")


def test_with_a_job_its_metrics_are_deleted(ask, here):
    job = started(here, "to-be-deleted")
    tell(here, job, range(3), loss=1.0)
    act(here, job, "stop")
    assert Path(folder(here, job)).exists()
    assert ask(ENGINEER, "DELETE", f"jobs/{job}").status_code == 204
    assert not (here.root / "logs" / job).exists()
