"""Starting: once, with code, and with good words when it cannot be."""

import io
import os
import socket
import subprocess
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from danlu.ports import supervision
from tests.live import PATIENCE

from .conftest import PROMPTLY, SOMEBODY, Runs


def test_a_task_runs_and_its_end_is_recorded(runs, isolation):
    task = runs.start(command="echo hello; exit 3", isolation=isolation)
    ended = task.exited()
    assert (ended["code"], ended["signal"], ended["reason"], ended["started"]) == (3, None, "exit_code", True)
    assert [record["event"] for record in task.records()] == ["starting", "running", "exited"]
    assert [record["seq"] for record in task.records()] == [1, 2, 3]
    assert task.output() == b"hello\n"
    assert ended["log_bytes"] == task.log.stat().st_size


def test_the_record_says_which_isolation_the_task_has(runs, isolation):
    task = runs.start(
        command="true", isolation=isolation, limits={"memory": 1 << 28, "cpu_milli": 500, "pids": 50}
    )
    task.exited()
    found = task.find("running")["isolation"]
    level = "+".join(n for n, key in (("sandbox", "bubblewrap"), ("cgroup", "cgroup")) if isolation[key])
    assert found["level"] == (level or "process")
    assert found["memory"] == ("enforced" if isolation["cgroup"] else "polled")


def test_a_task_starts_once_under_twenty_requests_at_once(runs):
    task = runs.task(command="echo started >> mark; sleep 0.2")
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: runs.ask({"start": task.name}), range(20)))
    assert answers == [[{"ok": True}]] * 20
    task.exited()
    assert task.file("mark") == "started\n"
    assert len([r for r in task.records() if r["event"] == "starting"]) == 1


@pytest.mark.smoke
def test_a_task_that_has_ended_is_not_started_again(runs):
    task = runs.start(command="echo started >> mark")
    task.exited()
    other = runs.task(command="true")
    assert runs.ask({"start": task.name}, {"start": other.name}) == [{"ok": True}] * 2
    other.exited()
    assert task.file("mark") == "started\n"


def test_many_starts_in_one_go_are_all_answered(runs):
    tasks = [runs.task(command="true", isolation={"bubblewrap": False, "cgroup": False}) for _ in range(40)]
    assert runs.ask(*({"start": task.name} for task in tasks)) == [{"ok": True}] * 40
    assert {task.exited()["code"] for task in tasks} == {0}


def test_a_stop_that_came_first_keeps_the_task_from_running(runs):
    task = runs.task(command="echo started > mark")
    task.stop()
    runs.ask({"start": task.name})
    ended = task.exited()
    assert (ended["reason"], ended["started"], ended["stopped"]) == ("never_started", False, True)
    assert not (task.work / "mark").exists()


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ({"start": "nowhere/worker-0"}, "task.json"),
        ({"start": "../x"}, "ATTEMPT/TASK"),
        ({"start": 7}, "ATTEMPT/TASK"),
        ({"fly": True}, "unknown message"),
        (3, "not a message"),
    ],
)
def test_a_message_that_makes_no_sense_is_answered_with_a_sentence(runs, message, word):
    assert word in runs.ask(message)[0]["error"]


def test_a_data_directory_may_lie_deeper_than_socket_names_reach(tmp_path):
    runs = Runs(tmp_path / ("deep" * 20) / ("deeper" * 20))
    runs.open_launcher()
    try:
        assert runs.start(command="sleep 60")
        runs.tasks[0].wait_for("running")
        runs.tasks[0].stop(PROMPTLY)
        assert runs.tasks[0].exited()["stopped"]
    finally:
        runs.close()


# ── words ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_misspelt_program_is_named_with_its_likely_meaning(runs, isolation):
    task = runs.start(argv=["tocuh", "x"], isolation=isolation)
    ended = task.exited()
    assert (ended["reason"], ended["started"]) == ("command_not_found", False)
    assert ended["text"] == "command not found: tocuh; did you mean touch?"


def test_a_misspelt_program_in_a_shell_command_gets_a_hint(runs):
    ended = runs.start(command="cd /tmp && tocuh x").exited()
    assert (ended["code"], ended["reason"]) == (127, "command_not_found")
    assert ended["text"] == "command not found: tocuh; did you mean touch?"


def test_a_script_that_is_not_executable_is_refused_with_the_remedy(runs):
    task = runs.task(argv=["./run.sh"])
    task.work.mkdir()
    (task.work / "run.sh").write_text("#!/bin/sh\n")
    runs.ask({"start": task.name})
    assert "chmod +x" in task.exited()["text"]


def test_a_script_whose_interpreter_is_missing_says_so(runs):
    task = runs.task(argv=["./run.sh"], isolation={"bubblewrap": False})
    task.work.mkdir()
    (task.work / "run.sh").write_text("#!/usr/bin/pyhton\n")
    (task.work / "run.sh").chmod(0o755)
    runs.ask({"start": task.name})
    ended = task.exited()
    assert ended["reason"] == "start_failed"
    assert "/usr/bin/pyhton, which does not exist" in ended["text"]


def test_a_program_outside_the_sandbox_is_said_to_be_out_of_sight(runs, tmp_path):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    # /tmp itself is visible, but private: what lies there on the machine is not.
    ended = runs.start(argv=[str(program)]).exited()
    assert ended["reason"] == "command_not_found"
    assert "tasks see only the system's programs and their own folders" in ended["text"]


def test_a_file_that_this_version_does_not_understand_is_a_failed_start(runs):
    for key, value in (("v", 99), ("argv", []), ("env", {"A=B": "x"}), ("binds", 3)):
        ended = runs.start(**{"argv": ["true"], key: value}).exited()
        assert ended["reason"] == "start_failed"
        assert "task.json" in ended["text"]


def test_a_file_that_is_no_json_is_a_failed_start(runs):
    for content in (b"{", b"\xff\xfe", b"[" * 100_000):
        task = runs.task()
        with open(os.path.join(task.dir, supervision.TASK_FILE), "wb") as file:
            file.write(content)
        runs.ask({"start": task.name})
        ended = task.exited()
        assert (ended["reason"], ended["started"]) == ("start_failed", False)
        assert "task.json" in ended["text"]


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": "/tmp/a\0b"},
        {"log": 7},
        {"hosts": [["one"]], "hostname": "x"},
        {"binds": [["/usr", "/x", "sideways"]]},
        {"git": 3},
        {"hidden": ["/usr/x\0y"]},
    ],
)
def test_whatever_goes_wrong_before_the_launch_is_a_failed_start_with_a_sentence(runs, fields):
    ended = runs.start(argv=["true"], **fields).exited()
    assert (ended["reason"], ended["started"]) == ("start_failed", False)
    assert ended["text"]


# ── code ─────────────────────────────────────────────────────────────────────────────────────────────


def archive(path, *members):
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return str(path)


def test_an_archive_is_unpacked_where_the_command_runs(runs, tmp_path, isolation):
    path = archive(tmp_path / "code.tgz", ("a/b.txt", b"content\n"), ("link", "a/b.txt"))
    task = runs.start(command="cat link", archive=path, isolation=isolation)
    assert task.exited()["code"] == 0
    assert task.output() == b"content\n"
    assert [r.get("step") for r in task.records()][:2] == ["prepare", "code"]


@pytest.mark.parametrize(
    "members",
    [
        [("../escaped", b"x")],
        [("/tmp/escaped-from-archive", b"x")],
        [("out", ".."), ("out/escaped", b"x")],
    ],
    ids=["parent", "absolute", "through a link"],
)
def test_an_archive_cannot_write_outside(runs, tmp_path, members):
    task = runs.start(command="true", archive=archive(tmp_path / "code.tgz", *members))
    ended = task.exited()
    assert ended["reason"] == "code_failed"
    assert "outside" in ended["text"]
    assert not os.path.exists(os.path.join(task.dir, "escaped"))
    assert not os.path.exists("/tmp/escaped-from-archive")


def test_a_broken_or_missing_archive_is_a_failed_start(runs, tmp_path):
    broken = tmp_path / "broken.tgz"
    broken.write_bytes(b"this is no archive")
    for path in (str(broken), str(tmp_path / "missing.tgz")):
        ended = runs.start(command="true", archive=path).exited()
        assert ended["reason"] == "code_failed"
        assert "archive" in ended["text"]


def test_a_name_that_is_no_text_does_not_spoil_the_record(runs, tmp_path):
    path = archive(tmp_path / "code.tgz", ("../bad\udcff", b"x"))
    ended = runs.start(command="true", archive=path).exited()
    assert "bad\ufffd" in ended["text"]
    ended["text"].encode()


def test_the_bound_of_an_archive_is_in_the_file(runs, tmp_path):
    path = archive(tmp_path / "code.tgz", ("a", b"x" * 100), ("b", b""))
    for limits, word in (({"unpack_limit": 99}, "99 bytes"), ({"unpack_entries": 1}, "1 entries")):
        ended = runs.start(command="true", archive=path, limits=limits).exited()
        assert ended["reason"] == "code_failed"
        assert word in ended["text"]


@pytest.fixture
def repository():
    """A Git repository where everybody finds it, and its first commit."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield _commit_twice(Path(folder) / "repository")


def _commit_twice(path):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]

    def git(*words):
        done = subprocess.run(
            ["git", "-C", str(path), *identity, *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    (path / "sub").mkdir(parents=True)
    git("init", "-q", "-b", "main")
    (path / "sub" / "version").write_text("one\n")
    git("add", ".")
    git("commit", "-qm", "one")
    first = git("rev-parse", "HEAD")
    (path / "sub" / "version").write_text("two\n")
    git("commit", "-qam", "two")
    if os.geteuid() == 0:
        # Git serves a repository to its owner only.
        subprocess.run(["chown", "-R", str(SOMEBODY["uid"]), str(path)], check=True)
    return f"file://{path}", first


def test_a_branch_and_a_commit_are_fetched_from_git(runs, repository):
    url, first = repository
    for ref, content in (("main", b"two\n"), (first, b"one\n"), (first[:10], b"one\n")):
        task = runs.start(
            command="cat version", git={"url": url, "ref": ref, "subdir": "sub", "protocols": ["file"]}
        )
        assert task.exited()["code"] == 0, task.records()
        assert task.output() == content


def test_what_git_cannot_fetch_is_explained(runs, repository):
    url, _ = repository
    for git, word in (
        ({"url": url, "ref": "nosuch", "protocols": ["file"]}, "nosuch"),
        ({"url": url, "ref": "main"}, "not allowed"),
        ({"url": url, "ref": "main", "subdir": "nowhere", "protocols": ["file"]}, "nowhere"),
        ({"url": url, "ref": "main", "subdir": "../..", "protocols": ["file"]}, "outside"),
        ({"url": "--upload-pack=touch /tmp/x", "ref": "main"}, "not a Git address"),
    ):
        ended = runs.start(command="true", git=git).exited()
        assert ended["reason"] == "code_failed"
        assert word in ended["text"]


def test_a_password_in_an_address_is_in_no_record(runs):
    task = runs.start(command="true", git={"url": "http://user:s3cr3t@127.0.0.1:9/x.git", "ref": "main"})
    assert "http://127.0.0.1:9/x.git" in task.exited()["text"]
    assert "s3cr3t" not in str(task.records())


def test_the_listener_is_told_of_every_record(own_runs):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        with supervision.short_address(str(own_runs.path / supervision.NOTIFY_SOCKET)) as address:
            listener.bind(address)
        listener.settimeout(PATIENCE)
        task = own_runs.start(command="true")
        assert [listener.recv(100) for _ in range(3)] == [task.name.encode()] * 3
