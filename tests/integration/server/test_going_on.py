"""Starting again over HTTP: from the last checkpoint, or fresh."""

from __future__ import annotations

import time
from typing import Any

import pytest

from danlu.domain import events as ev
from danlu.domain.lifecycle import advance
from danlu.ports.store import JobChange
from danlu.server.jobs.models import JobDetail
from tests.fakes.server import ENGINEER, World, job_file


def saved(here: World, job_id: str) -> dict[str, Any]:
    """A job whose first attempt told of a checkpoint."""
    job = here.store.get(job_id)
    assert job is not None
    now = int(time.time() * 1000)
    done = advance(job, ev.CheckpointSaved(job.attempt_id, "worker-0", now, "/checkpoints/40", 40), now)
    here.store.save([JobChange(done.job, done.records)], now)
    return {"path": "/checkpoints/40", "step": 40, "attempt": 1}


def started(here: World, name: str) -> str:
    job = here.jobs.create(here.caller(ENGINEER), job_file(name, env={"SIMULATED_RUN_FOR": "1h"}), start=True)
    step(here)
    return job.id


def step(here: World) -> None:
    here.controller.step()
    here.controller.step()


def without_time(one: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if one is None else {key: value for key, value in one.items() if key != "at"}


@pytest.mark.parametrize("verb", ["start", "restart"])
@pytest.mark.parametrize(
    ("wish", "body"), [("none", None), ("empty", {}), ("kept", {"fresh": False}), ("fresh", {"fresh": True})]
)
def test_a_job_goes_on_from_its_checkpoint_unless_it_is_to_begin_anew(verb, wish, body, ask, here):
    job = started(here, f"{verb}-{wish}")
    checkpoint = saved(here, job)
    if verb == "start":
        ask(ENGINEER, "POST", f"jobs/{job}/stop")
        step(here)
    told = ask(ENGINEER, "POST", f"jobs/{job}/{verb}", **({} if body is None else {"json": body}))
    assert told.status_code == 200
    JobDetail.model_validate(told.json())
    step(here)
    step(here)
    detail = ask(ENGINEER, "GET", f"jobs/{job}").json()
    expected = None if wish == "fresh" else checkpoint
    assert without_time(detail["attempts"][1]["resumed"]) == expected
    assert without_time(detail["saved"]) == expected
    assert without_time(detail["attempts"][0]["saved"]) == checkpoint
    ask(ENGINEER, "POST", f"jobs/{job}/stop")
    step(here)


@pytest.mark.parametrize("verb", ["start", "restart"])
@pytest.mark.parametrize("body", ['{"fresh": "perhaps"}', '{"frehs": true}', "[]", "{"])
def test_a_wish_that_cannot_be_read_is_refused_with_its_place(verb, body, ask, here):
    if here.store.find(ENGINEER, "not-started") is None:
        here.jobs.create(here.caller(ENGINEER), job_file("not-started"))
    refused = ask(ENGINEER, "POST", f"jobs/not-started/{verb}", content=body)
    assert refused.status_code == 422
    assert refused.json()["errors"]
    assert ask(ENGINEER, "GET", "jobs/not-started").json()["state"] == "created"
