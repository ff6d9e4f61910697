"""What goes wrong on a real machine, end to end: a clear word each time, and nothing lost."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from danlu.sdk import Client, Job
from danlu.sdk.http.errors import DanluError, NotFound
from danlu.sdk.models import Reason
from tests.effort import rounds
from tests.live import LiveServer, eventually, live_server, training


@pytest.fixture
def server(shared: LiveServer) -> LiveServer:
    return shared


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with server.client() as client:
        yield client


def outcome(client: Client, name: str, command: object, **keys: object) -> Job:
    client.submit(training(name, command, **keys))
    return client.wait(name)


def why(job: Job) -> Reason:
    assert job.reason is not None
    return job.reason


def test_a_missing_command_says_what_was_likely_meant(client: Client) -> None:
    job = outcome(client, "misspelt", ["pyhton3", "train.py"])
    assert (job.state, why(job).code) == ("failed", "command_not_found")
    assert "command not found: pyhton3; did you mean python3?" in why(job).text["en"]


def test_a_missing_command_in_a_shell_line_says_so_too(client: Client) -> None:
    job = outcome(client, "misspelt-sh", "echo first; pyhton3 train.py")
    assert (job.state, why(job).code) == ("failed", "command_not_found")
    assert "did you mean python3?" in why(job).text["en"]


def test_a_repository_that_cannot_be_read_fails_with_its_own_words(client: Client) -> None:
    job = outcome(client, "no-repo", "true", code={"git": "http://127.0.0.1:9/nothing.git"})
    assert (job.state, why(job).code) == ("failed", "code_failed")
    assert "127.0.0.1" in why(job).text["en"]


def test_code_that_was_never_uploaded_is_refused_at_the_door(client: Client) -> None:
    with pytest.raises(DanluError, match="error"):
        client.submit(training("no-code", "true", code={"archive": "0" * 64}))


def test_a_folder_is_uploaded_and_runs(client: Client, tmp_path: Path) -> None:
    (tmp_path / "say.py").write_text("print('from the folder')")
    (tmp_path / ".gitignore").write_text("*.bin\n")
    (tmp_path / "large.bin").write_bytes(b"0" * 1000)
    client.submit(training("with-code", "python3 say.py; ls", code={"path": str(tmp_path)}))
    assert client.wait("with-code").state == "completed"
    assert [line.text for line in client.logs("with-code")] == ["from the folder", "say.py"]


def test_too_much_memory_is_recognised(client: Client) -> None:
    job = outcome(
        client, "hungry", ["python3", "-c", "x = bytearray(300_000_000)"], resources={"memory": "128MiB"}
    )
    assert (job.state, why(job).code) == ("failed", "out_of_memory")
    assert "128MiB" in why(job).text["en"]


def test_a_line_without_end_is_kept_whole(client: Client) -> None:
    size = 3_000_000
    job = outcome(client, "endless", ["python3", "-c", f"print('x' * {size}, end='')"])
    assert job.state == "completed"
    assert sum(len(line.text) for line in client.logs("endless")) == size


def test_daemons_end_with_their_job_and_what_they_said_is_kept(client: Client) -> None:
    command = "setsid sh -c 'while true; do echo daemon; sleep 0.1; done' & sleep 0.5; echo main ends"
    job = outcome(client, "daemonic", command)
    assert job.state == "completed"
    lines = [line.text for line in client.logs("daemonic")]
    assert {"daemon", "main ends"} <= set(lines)
    assert [line.text for line in client.logs("daemonic")] == lines


def test_a_gang_learns_of_itself(client: Client) -> None:
    command = 'echo "$DANLU_RANK/$DANLU_WORLD_SIZE at $DANLU_MASTER_ADDR cards $CUDA_VISIBLE_DEVICES"; wc -l < $DANLU_HOSTS'
    job = outcome(client, "gang-job", command, nodes=2, resources={"gpus": 8})
    assert job.state == "completed"
    first, second = ([line.text for line in client.logs("gang-job", task=task.name)] for task in job.tasks)
    master = first[0].split()[2]
    assert first == [f"0/2 at {master} cards 0,1,2,3,4,5,6,7", "2"]
    assert second == [f"1/2 at {master} cards 0,1,2,3,4,5,6,7", "2"]
    assert {task.node for task in job.tasks} == {"a100-0", "a100-1"}


def test_a_stubborn_job_is_killed_after_its_grace(client: Client) -> None:
    client.submit(
        training(
            "stubborn", "trap '' TERM; echo ready; while true; do sleep 0.1; done", checkpoint={"grace": "1s"}
        )
    )
    eventually(lambda: [line.text for line in client.logs("stubborn")] == ["ready"])
    client.stop("stubborn")
    job = client.wait("stubborn")
    assert (job.state, why(job).code, job.tasks[0].state) == ("stopped", "stopped_by", "stopped")


def test_past_its_maximum_a_job_fails_over_time(client: Client) -> None:
    job = outcome(client, "too-long", "sleep 60", expected_time="500ms", max_time="2s")
    assert (job.state, why(job).code) == ("failed", "over_time")
    assert "expected_time_passed" in [event.kind for event in client.events("too-long")]


def test_one_person_cannot_see_or_touch_what_is_anothers(server: LiveServer, client: Client) -> None:
    client.submit(training("private-job", "sleep 1"))
    mine = client.get("private-job")
    client.people.create("mallory", password="long enough")
    token = subprocess_token(server, "mallory")
    with Client(url=server.url, token=token) as mallory:
        assert list(mallory.jobs()) == []
        for touch in (mallory.get, mallory.stop, mallory.delete, lambda job: list(mallory.logs(job))):
            with pytest.raises(DanluError) as refused:
                touch(mine.id)
            assert isinstance(refused.value, NotFound)


def subprocess_token(server: LiveServer, name: str) -> str:
    """A token made as that person would: by signing in on the command line, in a configuration of their own."""
    folder = server.root / f"config-{name}"
    env = {**server.env(), "DANLU_CONFIG_DIR": str(folder)}
    command = server.command("login", server.url, "--name", name, "--password-stdin")
    subprocess.run(command, env=env, input="long enough\n", text=True, check=True, capture_output=True)
    return (folder / "config.toml").read_text().split('token = "')[1].split('"')[0]


def test_a_locked_database_is_waited_for_or_said_and_nothing_is_lost(
    server: LiveServer, client: Client
) -> None:
    blocker = sqlite3.connect(server.data / "danlu.db", isolation_level=None, check_same_thread=False)
    blocker.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(8, blocker.execute, ["ROLLBACK"])
    timer.start()
    with pytest.raises(DanluError) as refused:
        client.submit(training("locked-out", "true"))
    assert refused.value.code == "store_busy"
    made = [client.submit(training(f"locked-{number}", "true")).id for number in range(3)]
    timer.join()
    blocker.close()
    client.submit(training("after-the-lock", "true"))
    for job_id in made:
        assert client.wait(job_id).state == "completed"
    assert client.wait("after-the-lock").state == "completed"


@pytest.mark.timeout(600)
def test_thousands_at_once_are_all_kept(tmp_path: Path) -> None:
    """By eight clients; nothing is lost and every one ends."""
    count = rounds(2_000, 10_000)
    with live_server(tmp_path, "--engine", "simulated", "--virtual-nodes", "50x8xA100") as live:

        def submit(part: int) -> None:
            with live.client() as client:
                for number in range(part, count, 8):
                    client.submit(training(f"mass-{number:05d}", "true", resources={"gpus": 1}))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(submit, range(8)))
        with live.client() as client:
            eventually(lambda: total(client, "completed") == count, 240)


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    """Without a reserve, which would keep everything from starting on so small a disk."""
    place = tmp_path / "data"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(place)], check=True)
    try:
        with live_server(tmp_path, DANLU_DISK_RESERVE="0") as live, live.client() as client:
            client.submit(training("before", "echo early; sleep 4; echo late"))
            eventually(lambda: client.get("before").state == "running")
            ballast = fill(place)
            with pytest.raises(DanluError) as refused:
                submit_many(client, 200)
            assert refused.value.code == "disk_full"
            ballast.unlink()
            assert client.wait("before").state == "completed"
            assert [line.text for line in client.logs("before")] == ["early", "late"]
            assert outcome(client, "afterwards", "true").state == "completed"
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def submit_many(client: Client, count: int) -> None:
    for number in range(count):
        client.submit(training(f"while-full-{number}", "true"))


def total(client: Client, state: str) -> int:
    return int(client.http.json("GET", "/api/v1/jobs", {"limit": 1, "state": state})["total"])


def fill(place: Path) -> Path:
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(b"0" * size)
            except OSError:
                size //= 2
    return ballast
