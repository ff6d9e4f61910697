"""Failures in one look: what real programs print is told in lists, by `why` and in events."""

from __future__ import annotations

import pickle
import subprocess

import pytest

from danlu.sdk import Client, TimedOut
from tests.live import PATIENCE, LiveServer, eventually, training

SMALL = {"cpus": 1, "memory": "256MiB"}


def told(client: Client, name: str) -> str:
    """The code of its reason once its log was read."""
    eventually(lambda: client.get(name).state == "failed")
    eventually(lambda: client.get(name).reason.code != "exit_code")  # type: ignore[union-attr]
    reason = client.get(name).reason
    assert reason is not None
    return reason.code


def why(server: LiveServer, name: str, language: str) -> str:
    env = {**server.env(), "DANLU_LANG": language}
    done = subprocess.run(
        server.command("why", name), env=env, capture_output=True, text=True, timeout=PATIENCE
    )
    return done.stdout


@pytest.mark.timeout(180)
def test_a_module_that_is_missing_is_told_in_lists_by_why_and_in_events(shared: LiveServer) -> None:
    client = shared.client()
    client.submit(training("no-module", "python -c 'import flash_attention_17'", resources=SMALL))
    assert told(client, "no-module") == "module_missing"
    row = next(one for one in client.jobs(search="no-module") if one.name == "no-module")
    assert row.reason is not None
    assert row.reason.text["en"].startswith("Python module flash_attention_17 was not found (worker-0 on ")
    printed = why(shared, "no-module", "en")
    assert "Python module flash_attention_17 was not found" in printed
    assert "packages:" in printed
    assert "找不到 Python 模块 flash_attention_17" in why(shared, "no-module", "zh")
    kinds = [event.kind for event in client.events("no-module")]
    assert kinds[-1] == "failure_read"


@pytest.mark.timeout(180)
def test_of_a_gang_the_task_that_failed_first_is_quoted(shared: LiveServer) -> None:
    program = "import os, time\nif os.environ['DANLU_RANK'] == '1': raise KeyError('label')\ntime.sleep(60)"
    client = shared.client()
    client.submit(training("gang-fails", ["python", "-c", program], nodes=2, resources=SMALL))
    assert told(client, "gang-fails") == "program_error"
    job = client.get("gang-fails")
    assert job.reason is not None
    assert job.reason.params["task"] == "worker-1"
    assert job.reason.text["en"].startswith("KeyError: 'label' (worker-1 on ")
    assert job.attempts[-1].reason == job.reason


@pytest.mark.timeout(180)
def test_a_job_can_be_asked_itself(shared: LiveServer) -> None:
    client = shared.client()
    program = (
        "import os; print('hello from', os.environ['DANLU_TASK'], flush=True); raise ValueError('enough')"
    )
    job = client.submit(training("asks-itself", ["python", "-c", program], nodes=2, resources=SMALL))
    seen: list[str] = []
    assert job.wait(PATIENCE, progress=lambda now: seen.append(now.state)).state == "failed"
    assert seen[-1] == "failed"
    assert told(client, "asks-itself") == "program_error"
    found = job.why()
    assert (found.state, found.places) == ("failed", ())
    assert found.reason is not None
    assert found.reason.text["zh"].startswith("程序异常 ValueError: enough")
    task = found.reason.params["task"]  # the other one may have been ended before it said anything
    assert next(line.text for line in job.logs(task)) == f"hello from {task}"
    assert ("hello from " + task, task) in {(line.text, line.task) for line in job.logs()}
    assert job.metrics().names == ()
    assert not hasattr(pickle.loads(pickle.dumps(job)), "_client")
    with pytest.raises(TimedOut):
        client.submit(training("asks-itself-long", "sleep 600", resources=SMALL)).wait(0.1)
    client.stop("asks-itself-long")
