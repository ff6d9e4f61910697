"""The command line against a real server and real processes."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from danlu.cli.main import main
from danlu.sdk import Client
from danlu.sdk.http.config import load
from tests.integration.cli.conftest import COMMAND, Danlu
from tests.live import PATIENCE


@pytest.mark.smoke
def test_a_command_runs_and_its_output_and_exit_code_are_ours(danlu: Danlu):
    result = danlu("run", "--", "sh", "-c", "echo out; echo err >&2; exit 7")
    assert (result.returncode, result.stdout) == (7, "out\n")
    assert "err\n" in result.stderr
    assert "ended with exit code 7" in result.stderr


@pytest.mark.parametrize("command", [["nosuchcmd"], ["sh", "-c", "nosuchcmd"]])
def test_a_command_that_does_not_exist_is_exit_127_as_in_a_shell(danlu: Danlu, command: list[str]):
    result = danlu("run", "--", *command)
    assert result.returncode == 127, result.stderr
    assert "command not found" in result.stderr


def test_a_sweep_makes_a_run_for_each_combination(danlu: Danlu, place: Mapping[str, str]):
    swept = ["run", "--name", "swept", "--sweep", "lr=0.1,0.01", "--sweep", "size=32,64"]
    listed = danlu(*swept, "--dry-run", "--", "true")
    assert [line.split() for line in listed.stdout.splitlines()[1:]] == [
        ["0.1", "32"], ["0.1", "64"], ["0.01", "32"], ["0.01", "64"],
    ]  # fmt: skip
    made = danlu(*swept, "--", "sh", "-c", "echo {lr} $size; echo {left}")
    assert made.returncode == 0, made.stderr
    assert "danlu compare swept#1 swept#2 swept#3 swept#4" in made.stderr
    context = _context(place)
    with Client(url=context.url, token=context.token) as client:
        for number, values in enumerate(("0.1 32", "0.1 64", "0.01 32", "0.01 64"), 1):
            assert client.wait(f"swept#{number}", timeout=PATIENCE).state == "completed"
            assert [line.text for line in client.logs(f"swept#{number}")] == [values, "{left}"]
    refused = danlu("run", "--name", "swept", "--sweep", "DANLU_URL=1,2", "--", "true")
    assert refused.returncode == 2
    assert "cannot be a parameter" in refused.stderr


def test_a_folder_goes_along_without_what_git_ignores(danlu: Danlu, tmp_path: Path):
    (tmp_path / "train.py").write_text("import os; print(sorted(os.listdir('.')))")
    (tmp_path / "big.bin").write_text("x")
    (tmp_path / ".gitignore").write_text("*.bin\n")
    result = danlu("run", "--", "python3", "train.py")
    assert result.returncode == 0, result.stderr
    assert "train.py" in result.stdout
    assert "big.bin" not in result.stdout


@pytest.mark.smoke
def test_a_job_lives_through_every_verb(danlu: Danlu, tmp_path: Path):
    (tmp_path / "job.yaml").write_text("kind: training\nname: verbs\ncommand: sleep 600\n")
    job = danlu("create", "job.yaml").stdout.strip()
    assert json.loads(danlu("show", "verbs", "--json").stdout)["state"] == "created"
    assert danlu("start", "verbs").stdout.strip() == job
    assert danlu("rm", "-y", "verbs").returncode == 1
    assert danlu("edit", "verbs", "--file", "job.yaml").returncode == 1
    assert danlu("stop", "--wait", "verbs").returncode == 0
    assert json.loads(danlu("ls", "--json", "--search", "verbs").stdout)["items"][0]["state"] == "stopped"
    (tmp_path / "job.yaml").write_text("kind: training\nname: verbs\ncommand: echo edited\n")
    assert danlu("edit", "verbs", "--file", "job.yaml").returncode == 0, danlu("show", "verbs").stdout
    assert danlu("restart", "verbs").returncode == 0
    assert danlu("logs", "-f", "verbs").stdout == "edited\n"
    clone = danlu("clone", "verbs", "--name", "verbs-again").stdout.strip()
    assert clone != job
    assert danlu("reset", "verbs").returncode == 1
    assert danlu("rm", "-y", "verbs", clone).returncode == 0
    assert danlu("show", "verbs").returncode == 4


def test_mistakes_stand_at_their_line_and_column(danlu: Danlu, tmp_path: Path):
    text = (
        "kind: training\nname: mistakes\ncommand: x\nresources:\n  gpus: 9\nnodez: 2\non: {task_fail: fail}\n"
    )
    (tmp_path / "job.yaml").write_text(text)
    result = danlu("submit", "job.yaml")
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert "job.yaml:5:9: resources.gpus: 9 is more than any node has (8)" in lines
    assert "job.yaml:6:1: nodez: there is no key 'nodez' here" in lines
    assert "  hint: did you mean 'nodes'?" in lines
    assert any(line.startswith("job.yaml:7:6: on.task_fail:") for line in lines)


FIRST_MINUTE = [
    ("kind: traning\nname: abcd\ncommand: x\n", "1:7: kind: 'traning'", "did you mean 'training'?"),
    ("name: abcd\ncommand: x\n", "1:1: kind: kind is required", ""),
    ("kind: training\nname: abcd\ncommand: x\ngpus: 2\n", "4:1: gpus:", "resources"),
    (
        "kind: training\nname: abcd\n",
        "1:1: command: a training job needs a command",
        "command: python train.py",
    ),
    ("kind: training\nname: x\ncommand: x\n", "2:7: name: 'x'", "4–63"),
    ("kind: training\nname: a b c d\ncommand: x\n", "2:7: name: 'a b c d'", "letters"),
    ("kind: training\nname: abcd\ncomand: x\n", "3:1: comand: there is no key", "did you mean 'command'?"),
    ("kind: training\nname: 1234\ncommand: x\n", "2:7: name: 1234 is not text", 'in quotes: "1234"'),
    ("kind: training\nname: abcd\ncommand: x\nnodes: two\n", "4:8: nodes: 'two' is not a whole number", ""),
    ("kind: training\nname: abcd\ncommand: x\nnodes: 0\n", "4:8: nodes: 0 is out of range: at least 1", ""),
    ("kind: training\nname: abcd\ncommand: x\nmax_time: 6 hours\n", "4:11: max_time: '6 hours'", "6h"),
    (
        "kind: training\nname: abcd\ncommand: x\nresources: {memory: 64X}\n",
        "4:21: resources.memory: '64X'",
        "",
    ),
    (
        "kind: training\nname: abcd\ncommand: x\nenv: {LR: [0.1]}\n",
        "4:11: env.LR: a list is not",
        "",
    ),
    ("kind: training\nname: abcd\ncommand: x\nenv: {2X: a}\n", "4:7: env.2X:", "does not start with a digit"),
    ("kind: training\nname: abcd\ncommand: x\nenv: [a]\n", "4:6: env: a list is not a mapping", ""),
    (
        "kind: training\nname: abcd\ncommand: x\npreemptible: yes\n",
        "4:14: preemptible: 'yes' is not true or false",
        "",
    ),
    (
        "kind: training\nname: abcd\ncommand: x\nresources: {gpus: -1}\n",
        "4:19: resources.gpus: -1",
        "at least 0",
    ),
]


@pytest.mark.parametrize(("text", "where", "hint"), FIRST_MINUTE, ids=[case[1] for case in FIRST_MINUTE])
def test_what_newcomers_write_is_told_with_place_and_meaning(
    place: Mapping[str, str], tmp_path: Path, monkeypatch, capsys, text: str, where: str, hint: str
):
    monkeypatch.setenv("DANLU_CONFIG_DIR", place["DANLU_CONFIG_DIR"])
    monkeypatch.chdir(tmp_path)
    Path("job.yaml").write_text(text)
    assert main(["submit", "job.yaml"]) == 2
    told = capsys.readouterr().err
    assert f"job.yaml:{where}" in told
    assert hint in told
    assert "Traceback" not in told


def test_exec_carries_input_output_and_the_exit_code(danlu: Danlu):
    danlu("run", "-d", "--name", "entered", "--", "sleep", "600")
    _until_running(danlu, "entered")
    result = danlu("exec", "entered", "--", "sh", "-c", "cat; exit 5", stdin="typed\n")
    assert (result.returncode, result.stdout) == (5, "typed\n")
    for words in (["exec", "--task", "worker-9", "entered", "ls"], ["logs", "--task", "worker-9", "entered"]):
        unknown = danlu(*words)
        assert unknown.returncode == 4
        assert "the job has no task 'worker-9'" in unknown.stderr
    assert "the job has no attempt 9" in danlu("logs", "--attempt", "9", "entered").stderr
    danlu("stop", "--wait", "entered")
    assert danlu("exec", "entered", "ls").returncode == 1


def test_exec_on_a_terminal_is_a_terminal(danlu: Danlu, place: Mapping[str, str]):
    danlu("run", "-d", "--name", "terminal", "--", "sleep", "600")
    _until_running(danlu, "terminal")
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*COMMAND, "exec", "terminal", "sh"], env=place, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, b"test -t 0 && echo size $(stty size) && exit 3\n")
    seen = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.5)[0]:
            continue
        try:
            seen += os.read(ours, 4096)
        except OSError:
            break
    child.send_signal(signal.SIGTERM)
    assert child.wait(PATIENCE) == 3
    os.close(ours)
    assert b"size 24 80" in seen
    danlu("rm", "--force", "-y", "terminal")


def test_ctrl_c_leaves_the_job_running(danlu: Danlu, place: Mapping[str, str]):
    words = [*COMMAND, "run", "--name", "left-alone", "--", "sh", "-c", "echo begun; sleep 600"]
    child = subprocess.Popen(words, env=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert "danlu stop left-alone" in err
    assert json.loads(danlu("show", "left-alone", "--json").stdout)["state"] == "running"
    danlu("rm", "--force", "-y", "left-alone")


def test_a_person_signs_in_with_a_password(danlu: Danlu, place: Mapping[str, str], tmp_path: Path):
    assert danlu("user", "create", "carol", "--password-stdin", stdin="first-password\n").returncode == 0
    url = _url(place)
    theirs = {"DANLU_CONFIG_DIR": str(tmp_path / "theirs")}
    wrong = danlu("login", url, "--name", "carol", "--password-stdin", stdin="nonsense\n", **theirs)
    assert wrong.returncode == 3
    right = danlu("login", url, "--name", "carol", "--password-stdin", stdin="first-password\n", **theirs)
    assert right.returncode == 0, right.stderr
    assert danlu("run", "--", "true", **theirs).returncode == 0
    assert danlu("user", "ls", **theirs).returncode == 3
    assert danlu("ls", DANLU_TOKEN="danlu_wrong").returncode == 3


@pytest.mark.smoke
def test_the_python_client_does_what_the_command_line_does(place: Mapping[str, str], tmp_path: Path):
    context = _context(place)
    with Client(url=context.url, token=context.token) as client:
        (tmp_path / "train.py").write_text("print('from python')")
        spec = {"kind": "training", "name": "from-sdk", "command": "python3 train.py", "code": {"path": "."}}
        job = client.submit(spec, folder=str(tmp_path))
        assert client.wait(job.id, timeout=PATIENCE).state == "completed"
        assert [line.text for line in client.logs(job.id)] == ["from python"]
        assert next(event.kind for event in client.events(job.id)) == "job_created"
        assert job.id in [one.id for one in client.jobs(owner="me")]
        assert len(client.machines.nodes.list()) == 2
        assert client.schema()["properties"]["kind"]
        client.delete(job.id)


def test_a_long_log_is_followed_to_the_last_line(danlu: Danlu):
    result = danlu("run", "--", "sh", "-c", "seq 1 200000")
    assert result.returncode == 0
    assert result.stdout.splitlines() == [str(number) for number in range(1, 200_001)]


def _until_running(danlu: Danlu, job: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while json.loads(danlu("show", job, "--json").stdout)["state"] != "running":
        assert time.monotonic() < deadline


def _context(place: Mapping[str, str]):
    before = os.environ.get("DANLU_CONFIG_DIR")
    os.environ["DANLU_CONFIG_DIR"] = place["DANLU_CONFIG_DIR"]
    try:
        return load().contexts["local"]
    finally:
        os.environ.pop("DANLU_CONFIG_DIR")
        if before is not None:
            os.environ["DANLU_CONFIG_DIR"] = before


def _url(place: Mapping[str, str]) -> str:
    return str(_context(place).url)
