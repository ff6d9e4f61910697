"""`danlu run`: from a command or a file, to the job's own end."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from danlu.cli.shared import follow
from danlu.cli.shared.follow import exit_code
from danlu.sdk.models import Job, Reason, Task
from tests.fakes.http_server import FakeServer, Reply, Request
from tests.unit.cli.conftest import Danlu

JOB = {"id": "j1", "name": "train", "state": "queued", "version": 1, "attempt": 0, "tasks": []}
TASK = {"name": "worker-0", "state": "running", "node": "n1"}
RUNNING = {**JOB, "state": "running", "version": 2, "attempt": 1, "tasks": [TASK]}
NUDGE = b'data: {"seq": 1, "job_id": "j1"}\n\n'


@pytest.fixture
def following(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """A server on which the job runs, writes two lines, and ends as the test says."""
    monkeypatch.setattr(follow, "EXPLAINED", 0.01)
    server.on("POST", "jobs", Reply(201, JOB))
    server.on("GET", "events", Reply(pieces=[NUDGE, NUDGE]))
    lines = b'id: 5\nevent: lines\ndata: [[1, "o", "hello"], [2, "e", "trouble"]]\n\nevent: end\ndata: {}\n\n'
    server.on("GET", "jobs/j1/logs", Reply(pieces=[lines]))
    return server


def ends(server: FakeServer, state: str, reason: dict[str, object] | None = None) -> None:
    server.on(
        "GET", "jobs/j1", JOB, JOB, RUNNING, {**RUNNING, "state": state, "version": 3, "reason": reason}
    )


def test_output_goes_to_ours_states_to_stderr_and_the_end_is_ours(danlu: Danlu, following: FakeServer):
    ends(following, "completed")
    result = danlu("run", "--name", "train", "--", "echo", "hello")
    assert (result.code, result.out) == (0, "hello\n")
    assert "trouble" in result.err
    for state in ("train is queued", "train is running on n1", "train is completed"):
        assert state in result.err


def test_a_failing_job_gives_us_its_exit_code(danlu: Danlu, following: FakeServer):
    ends(
        following, "failed", {"code": "exit_code", "params": {"exit_code": 7}, "text": {"en": "exit code 7"}}
    )
    result = danlu("run", "--", "false")
    assert result.code == 7
    assert "train is failed: exit code 7" in result.err


def test_what_the_log_of_a_failed_job_tells_is_waited_for_and_the_exit_code_stays(
    danlu: Danlu, following: FakeServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(follow, "EXPLAINED", 30.0)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    plain = {"code": "exit_code", "params": {"exit_code": 7}, "text": {"en": "exit code 7"}}
    told = {"code": "program_error", "params": {"exit_code": 7}, "text": {"en": "KeyError: 'x'"}}
    over = {**RUNNING, "state": "failed", "version": 3}
    following.on("GET", "jobs/j1", JOB, JOB, RUNNING, {**over, "reason": plain}, {**over, "reason": told})
    result = danlu("run", "--", "false")
    assert result.code == 7
    assert "train is failed: KeyError: 'x'" in result.err


def test_of_a_failed_job_whose_task_was_started_again_it_says_where_the_earlier_tries_are(
    danlu: Danlu, following: FakeServer
):
    tried = {**TASK, "tries": 1}
    following.on(
        "GET", "jobs/j1", JOB, RUNNING, {**RUNNING, "state": "failed", "version": 3, "tasks": [tried]}
    )
    assert "danlu logs train --task worker-0 --try 0" in danlu("run", "--", "false").err.splitlines()[-1]


def test_the_end_is_said_after_the_last_lines(danlu: Danlu, following: FakeServer):
    ended = threading.Event()

    def job(request: Request) -> Reply:
        if len(following.asked("GET", "jobs/j1")) < 4:
            return Reply(body=RUNNING)
        ended.set()
        return Reply(body={**RUNNING, "state": "completed", "version": 3})

    def lines(request: Request) -> Reply:
        assert ended.wait(10)
        return Reply(pieces=[b'id: 5\nevent: lines\ndata: [[1, "e", "last"]]\n\nevent: end\ndata: {}\n\n'])

    following.on("GET", "events", Reply(pieces=[NUDGE] * 4))
    following.on("GET", "jobs/j1", job)
    following.on("GET", "jobs/j1/logs", lines)
    assert danlu("run", "--", "x").err.splitlines()[-2:] == ["last", "train is completed"]


def test_what_stays_out_of_the_code_folder_is_said(danlu: Danlu, server: FakeServer):
    Path("train.py").write_text("print(1)")
    Path("key").symlink_to("../outside")
    Path("../outside").write_text("secret")
    server.on("POST", "jobs/check", {"valid": True, "errors": []})
    server.on("POST", "jobs", Reply(201, JOB))
    server.fallback = lambda request: Reply(404 if request.method == "HEAD" else 201, {})
    result = danlu("run", "-d", "--code", ".", "--", "x")
    assert (result.code, result.out) == (0, "j1\n")
    assert "Left out of the code folder:\n  key -> ../outside (a link out of the folder)\n" in result.err


def test_ctrl_c_leaves_it_running(danlu: Danlu, following: FakeServer, monkeypatch):
    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("danlu.cli.jobs.run.Follower.run", interrupted)
    result = danlu("run", "--", "sleep", "9")
    assert result.code == 130
    assert "danlu stop train" in result.err
    assert [one.path for one in following.requests] == ["/api/v1/jobs"]


def test_tasks_of_a_distributed_job_are_told_apart(danlu: Danlu, following: FakeServer):
    tasks = [TASK, {**TASK, "name": "worker-1"}]
    following.on("GET", "jobs/j1", {**RUNNING, "state": "completed", "tasks": tasks})
    assert sorted(danlu("run", "--", "x").out.splitlines()) == ["worker-0 │ hello", "worker-1 │ hello"]


def test_a_restarted_job_is_followed_into_its_next_attempt(danlu: Danlu, following: FakeServer):
    second = {**RUNNING, "version": 4, "attempt": 2}
    following.on("GET", "events", Reply(pieces=[NUDGE] * 4))
    following.on("GET", "jobs/j1", RUNNING, RUNNING, second, {**second, "version": 5, "state": "completed"})
    assert danlu("run", "--", "x").out == "hello\nhello\n"
    # Each attempt has a follower of its own; which asks first is chance.
    assert {one.one("attempt") for one in following.asked("GET", "jobs/j1/logs")} == {"1", "2"}


def test_options_make_a_job_file(danlu: Danlu, server: FakeServer):
    server.on("POST", "jobs", Reply(201, JOB))
    words = "run -d --name big --gpus 2 --gpu A100 --cpus 0.5 --memory 4GiB --nodes 3 --env A=1 --project nlp -- echo -n hi"
    assert danlu(*words.split()).out == "j1\n"
    assert server.requests[0].json() == {
        "kind": "training",
        "name": "big",
        "command": ["echo", "-n", "hi"],
        "env": {"A": "1"},
        "resources": {"gpus": 2, "gpu": "A100", "cpus": 0.5, "memory": "4GiB"},
        "nodes": 3,
        "project": "nlp",
    }


def test_options_win_over_the_file(danlu: Danlu, server: FakeServer):
    Path("job.yaml").write_text("kind: training\nname: train\ncommand: x\nresources: {gpus: 1, cpus: 4}\n")
    server.on("POST", "jobs", Reply(201, JOB))
    danlu("run", "-d", "--gpus", "2", "job.yaml", "--", "other", "command")
    sent = server.requests[0].json()
    assert sent["resources"] == {"gpus": 2, "cpus": 4}
    assert sent["command"] == ["other", "command"]


def test_a_command_that_names_a_file_here_takes_the_folder_along(danlu: Danlu, server: FakeServer):
    Path("train.py").write_text("print(1)")
    server.on("POST", "jobs/check", {"valid": True, "errors": []})
    server.on("POST", "jobs", Reply(201, JOB))
    server.fallback = lambda request: Reply(
        404 if request.method == "HEAD" else 201, {"digest": "", "size": 0}
    )
    result = danlu("run", "-d", "--", "python", "train.py")
    assert "because the command names train.py" in result.err
    assert len(server.asked("POST", "jobs")[0].json()["code"]["archive"]) == 64
    danlu("run", "-d", "--no-code", "--", "python", "train.py")
    assert "code" not in server.asked("POST", "jobs")[1].json()


def _unstarted(message: str) -> Job:
    return Job("j", "n", state="failed", reason=Reason("start_failed", {"task": "w-0", "message": message}))


@pytest.mark.parametrize(
    ("job", "code"),
    [
        (Job("j", "n", state="completed"), 0),
        (Job("j", "n", state="failed", reason=Reason("exit_code", {"exit_code": 3})), 3),
        (Job("j", "n", state="failed", reason=Reason("signal", {"signal": "SIGSEGV"})), 139),
        (Job("j", "n", state="failed", reason=Reason("signal", {"signal": "9"})), 137),
        (Job("j", "n", state="failed", reason=Reason("out_of_memory")), 137),
        (Job("j", "n", state="failed", reason=Reason("command_not_found")), 127),
        (_unstarted("command not found: nosuchcmd"), 1),
        (_unstarted("no space left on the device"), 1),
        (Job("j", "n", state="failed", reason=Reason("node_lost"), tasks=(Task("w-0", exit_code=5),)), 5),
        (Job("j", "n", state="failed", reason=Reason("over_time")), 1),
        (Job("j", "n", state="stopped"), 1),
    ],
)
def test_the_exit_code_is_as_a_shell_would_have_it(job: Job, code: int):
    assert exit_code(job) == code


def test_rdma_is_asked_for_by_an_option(danlu: Danlu, server: FakeServer, tmp_path: Path):
    server.on("POST", "jobs", Reply(201, JOB))
    assert danlu("run", "-d", "--rdma", "--gpus", "8", "--", "true").code == 0
    assert server.requests[-1].json()["resources"] == {"gpus": 8, "rdma": True}
    file = tmp_path / "job.yaml"
    file.write_text("kind: training\nname: train\ncommand: 'true'\nresources: {gpus: 8}\n")
    assert danlu("submit", str(file), "--rdma").code == 0
    assert server.requests[-1].json()["resources"] == {"gpus": 8, "rdma": True}
    server.on("POST", "flavors", Reply(201, {"name": "big"}))
    assert danlu("flavor", "create", "big", "--gpus", "8", "--rdma").code == 0
    assert server.requests[-1].json()["resources"] == {"gpus": 8, "rdma": True}


@pytest.mark.parametrize("verb", ["run -d", "submit", "create"])
def test_job_files_of_two_folders_have_two_names_though_both_run_train_py(
    danlu: Danlu, server: FakeServer, verb: str
):
    server.on("POST", "jobs", Reply(201, JOB))
    for folder in ("exp-one", "other"):
        Path(folder).mkdir()
        Path(folder, "job.yaml").write_text("kind: training\ncommand: python3 train.py\n")
        danlu(*verb.split(), f"{folder}/job.yaml")
    assert [one.json()["name"] for one in server.asked("POST", "jobs")] == ["exp-one", "other"]


def test_replacing_needs_a_name_where_only_the_command_would_give_one(danlu: Danlu, server: FakeServer):
    refused = danlu("run", "-d", "--replace", "--", "python3", "train.py")
    assert refused.code == 2
    assert "--replace needs --name" in refused.err
    assert server.requests == []
    server.on("POST", "jobs", Reply(201, JOB))
    assert danlu("run", "-d", "--replace", "--name", "mine", "--", "python3", "train.py").code == 0


@pytest.mark.parametrize("verb", ["run -d", "submit", "create"])
def test_a_command_that_names_a_file_beside_a_job_without_code_is_warned_about(
    danlu: Danlu, server: FakeServer, verb: str
):
    server.on("POST", "jobs", Reply(201, JOB))
    Path("exp").mkdir()
    Path("exp", "train.py").write_text("print(1)")
    Path("exp", "job.yaml").write_text("kind: training\nname: train\ncommand: python3 train.py\n")
    warned = danlu(*verb.split(), "exp/job.yaml")
    assert warned.code == 0
    assert "names train.py, but this job has no code" in warned.err
    Path("exp", "job.yaml").write_text("kind: training\nname: train\ncommand: python3 other.py\n")
    assert "no code" not in danlu(*verb.split(), "exp/job.yaml").err
