"""Domain objects as clients see them."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from danlu.domain import reasons as why
from danlu.domain.job import Attempt, ClonedFrom, JobState, Task, TaskState
from danlu.ports.metrics import Latest
from danlu.server.http.answering import encoded_reason, instant, reason
from danlu.server.http.models import Reason
from danlu.server.jobs import models, render
from danlu.server.jobs.models import JobDetail
from tests.fakes.builders import job


@pytest.mark.parametrize(
    "time_ms", [0, 1, 999, 86_399_999, 1_709_164_800_123, 1_800_000_000_000, 4_102_444_799_999]
)
def test_a_moment_is_written_as_everybody_writes_it(time_ms):
    known = datetime.fromtimestamp(time_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    assert instant(time_ms) == f"{known}.{time_ms % 1000:03}Z"


def test_every_reason_is_told_in_both_languages_with_meaning_and_advice():
    params = {"str": "worker-0", "int": 3, "bool": True}
    for kind in why.ALL.values():
        one = kind(**{field.name: params[field.type] for field in fields(kind) if field.type in params})
        told = Reason.model_validate(reason(one))
        for words in (told.text, told.meaning, told.advice):
            assert words.en
            assert words.zh
            assert "{" not in words.en.replace("{node_lost: requeue}", "")


def test_a_reason_of_a_newer_danlu_is_shown_by_its_code():
    told = encoded_reason({"code": "eclipse", "of": "sun"})
    assert told is not None
    assert (told["code"], told["params"], told["text"]["en"]) == ("eclipse", {"of": "sun"}, "eclipse")


def test_a_detail_is_as_documented():
    queued = replace(job(gpus=2, gpu="A100", nodes=3), state=JobState.QUEUED)
    waiting = why.BehindOthers(2)
    detail = JobDetail.model_validate(render.job_detail(queued, (), waiting, ["stop"]))
    assert (detail.gpus, detail.gpu_model, detail.nodes, detail.job_class) == (6, "A100", 3, "distributed")
    assert detail.reason == detail.waiting
    assert detail.spec["resources"] == {"cpus": 1, "memory": "2GiB", "gpus": 2, "gpu": "A100"}
    assert detail.cloned_from is None
    clone = render.job_detail(replace(queued, cloned_from=ClonedFrom("j1", "first")), (), None, [])
    assert JobDetail.model_validate(clone).cloned_from == models.ClonedFrom(id="j1", name="first")


def test_a_row_tells_where_a_job_runs_and_what_it_reported_last():
    tasks = (Task("worker", 0, "n2", "a"), Task("worker", 1, "n1", "a"), Task("worker", 2, "n2", "a"))
    runs = replace(job(expected_time="90s"), state=JobState.RUNNING, attempts=1, attempt=Attempt(1, tasks, 0))
    detail = JobDetail.model_validate(
        render.job_detail(runs, (), None, [], Latest(5, 1_000, 10, "loss", None))
    )
    assert (detail.placed, detail.expected_time, detail.max_time) == (["n2", "n1"], 90, None)
    assert detail.latest == models.LatestReport(
        step=5, total_steps=10, metric="loss", value=None, at="1970-01-01T00:00:01.000Z"
    )


RUNNING = Task("worker", 0, "n", "a", state=TaskState.RUNNING, started_at=5)
DONE = replace(RUNNING, state=TaskState.SUCCEEDED, ended_at=9)
FAILED = replace(RUNNING, state=TaskState.FAILED, ended_at=9)


@pytest.mark.parametrize(
    ("attempt", "state", "expected"),
    [
        (Attempt(1, (RUNNING,), 0), JobState.RUNNING, "running"),
        (Attempt(1, (RUNNING,), 0), JobState.STOPPING, "stopping"),
        (Attempt(1, (RUNNING,), 0), JobState.CREATED, "stopping"),
        (Attempt(1, (FAILED,), 0), JobState.CREATED, "stopped"),
        (Attempt(1, (DONE,), 0, 9), JobState.COMPLETED, "completed"),
        (Attempt(1, (FAILED,), 0, 9, why.ExitCode("worker-0", 1)), JobState.FAILED, "failed"),
        (Attempt(1, (FAILED,), 0, 9, why.StoppedBy("eve")), JobState.STOPPED, "stopped"),
        (Attempt(1, (DONE,), 0, 9, why.OverTime(5)), JobState.FAILED, "failed"),
    ],
)
def test_an_attempt_says_how_it_went(attempt, state, expected):
    told = render.attempt(attempt, replace(job(), state=state, attempts=1, attempt=attempt))
    assert told["state"] == expected
    assert told["started_at"] == "1970-01-01T00:00:00.005Z"
