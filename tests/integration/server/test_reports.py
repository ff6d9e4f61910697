"""What tasks tell of their training over the network, with the real application."""

from __future__ import annotations

import itertools
import json
import math
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.bootstrap.clock import SystemClock
from danlu.control.jobs.reports import Reports
from danlu.domain.errors import TooLarge
from danlu.domain.job import Job, Saved
from danlu.ports.logs import LogKey
from danlu.ports.reports import ReportedPoint, Save, read_points, read_saves, reports_folder
from danlu.sdk.training.report_post import Network
from danlu.telemetry.logs import log_path
from danlu.telemetry.reports import FileReports
from tests.fakes.server import ENGINEER, World
from tests.live import PATIENCE

LONG = {"SIMULATED_RUN_FOR": "1h"}
numbers = itertools.count()


@pytest.fixture
def running(here: World):
    """A job of Eve's with two tasks, running."""
    workers = [{"name": "worker", "replicas": 2, "command": "true"}]
    file = {"kind": "training", "name": f"reporting-{next(numbers)}", "env": LONG, "roles": workers}
    made = here.jobs.create(here.caller(ENGINEER), file, start=True)
    here.controller.step()
    here.controller.step()
    yield _now(here, made)
    if _now(here, made).active:
        here.jobs.act(here.caller(ENGINEER), made.id, "reset")
        _settle(here)


@pytest.fixture
def tell(ask, here: World):
    """What a task of a job tells."""

    def told(job: Job, body: dict[str, object], token: str = ""):
        token = token or _token(here, job)
        return ask(None, "POST", "task/reports", json=body, headers={"Authorization": f"Bearer {token}"})

    return told


def _now(here: World, job: Job) -> Job:
    return here.jobs.get(here.caller(ENGINEER), job.id)


def _saved(here: World, job: Job) -> Saved:
    saved = _now(here, job).saved
    assert saved is not None
    return saved


def _settle(here: World) -> None:
    for _ in range(3):
        here.controller.step()


def _token(here: World, job: Job) -> str:
    return here.tasks.token(job.attempt_id)


def _folder(here: World, job: Job, run: str = "worker-0") -> str:
    return reports_folder(str(log_path(here.root / "logs", LogKey(job.id, job.attempts, run))))


def body(**more: object) -> dict[str, object]:
    return {"task": "worker-0", "attempt": 1, **more}


def test_metrics_land_in_the_files_that_local_tasks_write(tell, here, running):
    metrics = [[1000, 1, {"loss": 0.5}], [2000, 2, {"loss": "nan", "val/acc": 1}]]
    assert tell(running, body(metrics=metrics)).status_code == 204
    assert tell(running, body(metrics=[[3000, 3, {"loss": 0.25}]])).status_code == 204
    points, _ = read_points(_folder(here, running))
    assert [point.step for point in points] == [1, 2, 3]
    assert math.isnan(points[1].values["loss"])
    assert not Path(_folder(here, running, "worker-1")).exists()


def test_a_checkpoint_is_known_to_the_job_at_once(tell, here, running):
    saves = [Save(1000, 10, "/ckpt/10"), Save(2000, 20, "/ckpt/20")]
    assert tell(running, body(checkpoints=saves)).status_code == 204
    saved = _saved(here, running)
    assert (saved.path, saved.step, saved.at, saved.attempt) == ("/ckpt/20", 20, 2000, 1)
    assert read_saves(_folder(here, running))[0] == saves
    kinds = [row.kind for row in here.store.events_of(running.id, 0, 1_000)]
    assert kinds.count("checkpoint_saved") == 1


def test_a_task_with_a_fast_clock_does_not_outweigh_later_checkpoints(tell, here, running):
    ahead = int(time.time() * 1000) + 3_600_000
    assert tell(running, body(checkpoints=[[ahead, 1, "/ckpt/1"]])).status_code == 204
    time.sleep(0.005)
    assert tell(running, body(checkpoints=[[ahead + 1, 2, "/ckpt/2"]])).status_code == 204
    assert _saved(here, running).step == 2


def test_checkpoints_that_come_while_the_job_changes_are_not_lost(tell, here, running):
    """Whoever writes a job that somebody else wrote meanwhile looks again."""
    answers: list[int] = []

    def save(task: int) -> None:
        for number in range(10):
            at = int(time.time() * 1000)
            told = body(task=f"worker-{task}", checkpoints=[[at, number, f"/ckpt/{task}-{number}"]])
            answers.append(tell(running, told).status_code)

    threads = [threading.Thread(target=save, args=(task,)) for task in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [204] * 20
    assert _saved(here, running).step == 9


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"task": "worker-7"}, "'worker-7' is not a running task of attempt 1"),
        ({"task": "../x"}, "'../x' is not a running task of attempt 1"),
        ({"attempt": 2}, "attempt 2 is over"),
    ],
)
def test_reports_of_tasks_that_are_not_there_are_refused(tell, running, change, says):
    refused = tell(running, body(**change, metrics=[[1, 1, {"loss": 1}]]))
    assert (refused.status_code, says in refused.json()["detail"]) == (409, True)


def test_late_reports_of_an_ended_attempt_are_refused(tell, here, running):
    token = _token(here, running)
    here.jobs.act(here.caller(ENGINEER), running.id, "reset")
    _settle(here)
    late = tell(running, body(checkpoints=[[1, 1, "/late"]]), token)
    assert (late.status_code, "is over" in late.json()["detail"]) in {(409, True), (401, True)}
    here.app.state.desk.identity.forget()
    assert tell(running, body(), token).status_code == 401
    assert _now(here, running).saved is None


def test_people_do_not_report(ask, running):
    refused = ask(ENGINEER, "POST", "task/reports", json=body())
    assert (refused.status_code, "only a running task" in refused.json()["detail"]) == (403, True)


@pytest.mark.parametrize(
    ("wrong", "loc"),
    [
        ({"metrics": [[1, 1, {}]]}, ["metrics", 0]),
        ({"metrics": [[1, 1, {"a\nb": 1}]]}, ["metrics", 0]),
        ({"metrics": [[1, 1, {"x" * 201: 1}]]}, ["metrics", 0, 2]),
        ({"metrics": [[1, "one", {"loss": 1}]]}, ["metrics", 0, 1]),
        ({"metrics": [[1, 1, {f"{n:03}" + "丹" * 190: 1 for n in range(200)}]]}, ["metrics", 0]),
        ({"checkpoints": [[1, 1, "a\nb"]]}, ["checkpoints", 0, 2]),
        ({"checkpoints": [[1, 1]]}, ["checkpoints", 0]),
    ],
)
def test_what_could_not_be_read_again_is_refused_at_its_place(tell, running, wrong, loc):
    refused = tell(running, body(**wrong))
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"][: len(loc)] == loc


def test_a_body_has_its_bounds(tell, running):
    many = [[1, step, {"loss": 0.0}] for step in range(5_001)]
    assert tell(running, body(metrics=many)).status_code == 422
    assert tell(running, body(metrics=[[1, 1, {"x": 1}]], junk="x" * (1 << 20))).status_code == 413


# ── the other end ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def network(url: str, here: World, running):
    made = Network(url, _token(here, running), "worker-0", 1, timeout=PATIENCE)
    yield made
    made.close([], [], 2)


def test_the_sdk_posts_what_it_was_given(network, here, running):
    points = [ReportedPoint(step, step, {"loss": 1 / (step + 1), "odd": math.inf}) for step in range(4_500)]
    assert network.send(points, [Save(1, 5, "/ckpt/5")]) is False
    assert read_points(_folder(here, running))[0] == points
    assert _saved(here, running).path == "/ckpt/5"


def test_the_sdk_gives_up_once_its_attempt_is_over(network, here, running, capsys):
    here.jobs.act(here.caller(ENGINEER), running.id, "reset")
    _settle(here)
    here.app.state.desk.identity.forget()
    assert network.send([ReportedPoint(1, 1, {"loss": 1.0})], []) is False
    assert "is over" in capsys.readouterr().err
    network.close([ReportedPoint(1, 2, {"loss": 1.0})], [], 2)
    assert not Path(_folder(here, running)).exists()


def test_what_is_told_is_json_of_the_documented_form(network, here, running):
    network.send([ReportedPoint(7, 1, {"loss": math.nan})], [Save(8, None, "/x")])
    folder = Path(_folder(here, running))
    assert json.loads((folder / "metrics.jsonl").read_text()) == [7, 1, {"loss": "nan"}]
    assert json.loads((folder / "checkpoints.jsonl").read_text()) == [8, None, "/x"]


def test_a_task_that_told_too_much_still_tells_of_its_checkpoints(here, running):
    few = FileReports(here.root / "logs", largest_file=100)
    reports = Reports(here.store, few, SystemClock(), lambda: None)
    caller = replace(here.caller(ENGINEER), job=running.id)
    points = [ReportedPoint(1000, step, {"loss": 0.5}) for step in range(3)]
    reports.take(caller, 1, "worker-0", points, [])
    with pytest.raises(TooLarge):
        reports.take(caller, 1, "worker-0", points, [Save(1000, 10, "/ckpt/10")])
    assert _saved(here, running).step == 10
    assert len(read_points(_folder(here, running))[0]) == 3
