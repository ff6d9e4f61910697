"""One's own packages: installed once as the person, kept, and clear words where that cannot be."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from danlu.sdk import Client, Job
from danlu.sdk.http.errors import Conflict, Invalid, NotFound
from tests.live import LiveServer, eventually, training
from tests.wheels import code_with, make_wheel


@pytest.fixture
def server(shared: LiveServer) -> LiveServer:
    return shared


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with server.client() as client:
        yield client


def outcome(client: Client, name: str, command: object, folder: Path, **keys: object) -> Job:
    keys = {"packages": {"pip": "requirements.txt"}, **keys}
    client.submit(training(name, command, code={"path": str(folder)}, **keys))
    return client.wait(name)


def said(client: Client, name: str, task: str = "worker-0") -> list[str]:
    return [line.text for line in client.logs(name, task=task)]


def test_packages_are_installed_once_and_the_next_job_uses_them(client: Client, tmp_path: Path) -> None:
    code_with(tmp_path, "ironing\n-r more.txt  # included", ironing="1.5")
    make_wheel(tmp_path / "wheels", "board", script="board")
    (tmp_path / "more.txt").write_text("board\n")
    job = outcome(client, "irons", "python -c 'import ironing; print(ironing.VERSION)'; board", tmp_path)
    log = said(client, "irons")
    assert job.state == "completed", log
    assert log[-2:] == ["1.5", "board 1.0"]
    assert any(line.startswith("danlu: installing packages: requirements.txt") for line in log)
    steps = [event.data["step"] for event in client.events("irons") if event.kind == "task_starting"]
    assert steps[-2:] == ["packages", "packages_install"]
    again = outcome(client, "irons-2", ["board"], tmp_path)
    assert again.state == "completed"
    assert [line.split(" ")[1] for line in said(client, "irons-2")] == ["using", "1.0"]


def test_tasks_that_want_the_same_build_it_once(client: Client, tmp_path: Path) -> None:
    code_with(tmp_path, "shared", shared="2.0")
    job = outcome(
        client, "builds-once", "python -c 'import shared; print(shared.VERSION)'", tmp_path, nodes=3
    )
    log = [line for rank in range(3) for line in said(client, "builds-once", f"worker-{rank}")]
    assert job.state == "completed", log
    assert log.count("2.0") == 3
    assert len([line for line in log if line.startswith("danlu: installing packages")]) == 1


def test_what_is_in_the_environment_is_there_for_frameworks_and_further_commands(
    client: Client, tmp_path: Path
) -> None:
    make_wheel(tmp_path / "wheels", "torch", "2.9", "def main():\n    print('run by torchrun')\n", "torchrun")
    code_with(tmp_path, "torch")
    job = outcome(client, "with-torch", "python train.py", tmp_path, framework="pytorch")
    assert job.state == "completed", said(client, "with-torch")
    assert said(client, "with-torch")[-1] == "run by torchrun"
    client.submit(
        training("stays", "sleep 600", code={"path": str(tmp_path)}, packages={"pip": "requirements.txt"})
    )
    eventually(lambda: client.get("stays").state == "running")
    with client.exec("stays", ["sh", "-c", "command -v torchrun; echo $VIRTUAL_ENV"]) as shell:
        program, environment = b"".join(shell).decode().splitlines()
    client.stop("stays")
    assert "/.danlu/environments/" in environment
    assert program == f"{environment}/bin/torchrun"


@pytest.mark.parametrize(
    ("name", "packages", "problem", "text"),
    [
        ("unknown", {"pip": "requirements.txt"}, "install", "no-such-thing"),
        ("linked", {"pip": "includes.txt"}, "no_file", "linked.txt"),
        ("huge", {"pip": "huge.txt"}, "install", "larger than 1 MiB"),
        ("editable", {"pip": "editable.txt"}, "install", "-e ."),
        ("elsewhere", {"venv": "/opt/nothing/here"}, "no_environment", "/opt/nothing/here"),
    ],
)
def test_what_cannot_be_installed_ends_with_its_reason_and_is_not_retried(
    client: Client, tmp_path: Path, name: str, packages: dict[str, str], problem: str, text: str
) -> None:
    code_with(tmp_path, "no-such-thing")
    (tmp_path / "linked.txt").symlink_to("environment.yml")
    (tmp_path / "includes.txt").write_text("-r linked.txt\n")
    (tmp_path / "huge.txt").write_text("# much\n" * 200_000)
    (tmp_path / "editable.txt").write_text("-e .\n")
    (tmp_path / "environment.yml").write_text("dependencies: [python]\n")
    again = {"on": {"task_failed": "restart_job"}, "restarts": 3}
    job = outcome(client, f"fails-{name}", "echo ran", tmp_path, packages=packages, **again)
    assert job.state == "failed"
    assert job.reason is not None
    assert (job.reason.code, job.reason.params["problem"]) == ("environment_failed", problem)
    assert text in job.reason.text["en"]
    assert text in job.reason.text["zh"]
    assert len(client.get(f"fails-{name}").attempts) == 1
    assert "ran" not in said(client, f"fails-{name}")


def test_without_a_network_the_remedy_is_named(client: Client, tmp_path: Path) -> None:
    job = outcome(client, "no-network", "true", tmp_path, packages={"pip": ["ironing"]}, network="none")
    assert job.reason is not None
    assert job.reason.params["problem"] == "no_network"
    assert "network: registries" in job.reason.advice["en"]


def test_what_is_known_to_fail_is_refused_before_the_start(client: Client, tmp_path: Path) -> None:
    code_with(tmp_path, "anything")
    (tmp_path / "environment.yml").write_text("dependencies: [python]\n")

    def refused(**keys: object) -> list[str]:
        with pytest.raises(Invalid) as caught:
            client.submit(training("refused", "python train.py", code={"path": str(tmp_path)}, **keys))
        return [".".join(map(str, one.loc)) for one in caught.value.errors]

    assert refused(packages={"pip": "missing.txt"}) == ["packages.pip"]
    assert refused(packages={"venv": "/mnt/somebody/env"}) == ["packages.venv"]
    if shutil.which("micromamba") is None and shutil.which("mamba") is None and shutil.which("conda") is None:
        assert refused(packages={"conda": "environment.yml"}) == ["packages.conda"]
    if find_spec("torch") is None:
        assert refused(framework="pytorch") == ["framework"]


def test_environments_are_listed_shown_and_deleted_when_nobody_uses_them(
    client: Client, server: LiveServer, tmp_path: Path
) -> None:
    code_with(tmp_path, "listed", listed="4.2")
    keys = {"code": {"path": str(tmp_path)}, "packages": {"pip": "requirements.txt"}}
    ask = ("python", "-c", "import listed; print(listed.VERSION)")
    run = server.cli(
        "run", "--requirements", "requirements.txt", "--name", "by-hand", "--", *ask, cwd=tmp_path
    )
    assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "4.2"), run
    client.submit(training("uses-it", "sleep 600", **keys))
    eventually(lambda: client.get("uses-it").state == "running")
    mine = client.environments
    [key] = [one.key for one in mine.list() if one.in_use and one.job == "by-hand"]
    found = mine.get(key)
    assert [(one.name, one.version) for one in found.installed] == [("listed", "4.2")]
    assert found.size > 0
    with pytest.raises(Conflict, match="running job uses"):
        mine.delete(key)
    client.stop("uses-it")
    eventually(lambda: not mine.get(key).in_use)
    assert "requirements.txt" in server.cli("env", "ls").stdout
    assert "listed" in server.cli("env", "show", key).stdout
    assert server.cli("env", "rm", key, "-y").returncode == 0
    with pytest.raises(NotFound):
        mine.get(key)
    with pytest.raises(NotFound):
        mine.delete("../../x")
