"""A task looks for what is not meant for it: the server's passwords, and other people's file names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.ports import supervision
from tests.integration.runtime.conftest import Runs
from tests.live import LiveServer, eventually, training

pytestmark = pytest.mark.timeout(240)

SECRET = f"s3cret-of-the-database-{os.getpid()}"
"""One that no other server has that is tested at the same time."""
TIMES = 15
SANDBOX = {"bubblewrap": True, "cgroup": True}

# Looks at every process there is, again and again, until it is told to end; prints what it found.
SCAN = """
import os
looks = 0
while not os.path.exists("over"):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if b"SECRET" in file.read():
                    with open(f"/proc/{pid}/cmdline") as command:
                        print("found", pid, command.read().replace(chr(0), " "), flush=True)
        except OSError:
            pass
    looks += 1
    if looks == 1:
        print("looking", flush=True)
print("over", flush=True)
""".replace("SECRET", SECRET)

# A user without privileges: the interpreter may lie where only root can read it, so it is root without any of them.
BARE = """
import os, sys
from danlu.runtime.isolation import linux
linux.drop_capabilities()
os.execv(sys.argv[1], sys.argv[1:])
"""


class BareServer(LiveServer):
    """A server of a user without privileges."""

    def command(self, *args: str) -> list[str]:
        return [sys.executable, "-c", BARE, *super().command(*args)]


@pytest.fixture(params=["sandbox", "process"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveServer]:
    kind = LiveServer if request.param == "sandbox" else BareServer
    live = kind(tmp_path, "--isolation", request.param, "--virtual-nodes", "1x1xA100", PGPASSWORD=SECRET)
    try:
        live.start()
        yield live
    finally:
        live.clean_up()


def test_exec_and_stacks_show_no_task_the_environment_of_the_server(server: LiveServer) -> None:
    with server.client() as client:
        spy = client.submit(training("looker", ["python3", "-c", SCAN]))
        other = client.submit(training("other", "exec sleep 1000"))
        eventually(lambda: client.get(other.id).state == "running")

        def said() -> list[str]:
            return [line.text for line in client.logs(spy.id)]

        def run(job: str, *command: str, tty: bool = False) -> list[bytes]:
            with client.exec(job, command, tty=tty) as running:
                return list(running)

        eventually(said)
        for _ in range(TIMES):
            for job in (spy, other):
                assert run(job.id, "true") == []
        assert run(spy.id, "sh", "-c", "env; tty", tty=True)
        client.take_stacks(other.id)
        run(spy.id, "touch", "over")
        client.wait(spy.id)
        assert said()[0] == "looking"
        assert said() == ["looking", "over"]
        client.stop(other.id)


def test_supervisors_and_the_launcher_have_nothing_of_the_server_in_their_environment(
    server: LiveServer,
) -> None:
    with server.client() as client:
        job = client.submit(training("long", "exec sleep 1000"))
        eventually(lambda: client.get(job.id).state == "running")
        launcher = supervision.ask_launcher(str(server.data / "runs"), {"ping": True})[0]["pid"]
        records, _ = supervision.read_status(str(server.data / "runs" / f"{job.id}-1" / "worker-0"))
        for pid in (launcher, records[0]["supervisor"]):
            assert SECRET.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
        client.stop(job.id)


# ── names of files ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """A folder of somebody else, which the supervisor can read."""
    folder = tmp_path / "wang"
    folder.mkdir()
    for name in ("layoffs-2027.xlsx", "layoffs"):
        (folder / name).write_text("")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("way", ["argv", "shell", "link"])
def test_a_misspelling_is_compared_with_no_file_of_others(runs: Runs, others: Path, way: str) -> None:
    guess, path = "layoffs-2026.xlsx", f"{others}:/usr/bin:/bin"
    if way == "link":
        kept = others.parent / "kept"
        kept.mkdir()
        (kept / "bin").symlink_to(others)
        path = "/mnt/lin/bin:/usr/bin:/bin"
        task = runs.task(argv=[guess], env={"PATH": path}, isolation=SANDBOX)
        file = supervision.read_json(os.path.join(task.dir, supervision.TASK_FILE))
        file["binds"].append([str(kept), "/mnt/lin", "rw"])
        supervision.write_json(os.path.join(task.dir, supervision.TASK_FILE), file)
        assert runs.ask({"start": task.name}) == [{"ok": True}]
    elif way == "argv":
        task = runs.start(argv=[guess], env={"PATH": path}, isolation=SANDBOX)
    else:
        task = runs.start(command=guess, env={"PATH": path}, isolation=SANDBOX)
    ended = task.exited()
    assert ended["reason"] == "command_not_found"
    assert ended["text"] == f"command not found: {guess}"


def test_the_supervisor_tells_nobody_which_files_there_are(runs: Runs, others: Path) -> None:
    closed = others / "closed"
    closed.mkdir(mode=0o700)
    (others / "plain").write_text("")

    def said(name: str) -> str:
        path = str(others / name)
        return str(runs.start(argv=[path], isolation=SANDBOX).exited()["text"]).replace(path, "X")

    answers = {said(name) for name in ("layoffs", "closed", "plain", "nothing", "closed/nothing")}
    assert len(answers) == 1, answers
    assert "tasks see only" in answers.pop()


def test_what_a_task_may_see_is_still_suggested(runs: Runs) -> None:
    task = runs.start(argv=["tocuh"], isolation=SANDBOX)
    assert task.exited()["text"] == "command not found: tocuh; did you mean touch?"
