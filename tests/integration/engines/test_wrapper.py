"""The shell between a container's start and the task's command, as process 1 of real process namespaces."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from danlu.engines.kubernetes.objects.wrapper import wrapped
from tests.live import PATIENCE

DASH, BUSYBOX = ["/bin/dash"], [shutil.which("busybox") or "busybox", "sh"]
BASH = ["/bin/bash", "--posix"]
NAMESPACE = ["unshare", *([] if os.getuid() == 0 else ["--user", "--map-root-user"])]
NAMESPACE += ["--pid", "--fork", "--mount-proc", "--kill-child"]


@pytest.fixture(params=[DASH, BUSYBOX, BASH], ids=["dash", "busybox", "bash"])
def shell(request: pytest.FixtureRequest) -> list[str]:
    return list(request.param)


class Container:
    """A wrapper that runs as process 1."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def wait_for(self, word: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if word in line:
                return
        raise AssertionError(f"it ended without saying {word}")

    def terminate(self) -> None:
        """As a kubelet does: to process 1."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        os.kill(int(children.split()[0]), signal.SIGTERM)

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@contextmanager
def container(
    shell: list[str],
    command: str | list[str],
    *,
    hosts: Path | None = None,
    env: dict[str, str] | None = None,
    slow: bool = False,
) -> Iterator[Container]:
    """The wrapper around a command; a `slow` one pauses between the command's start and its own next line."""
    argv = wrapped(command, addresses_come=hosts is not None)
    if slow:
        assert argv[2].count("child=$!\n") == 1
        argv[2] = argv[2].replace("child=$!\n", "sleep 1; child=$!\n")
    told = {"PATH": os.environ["PATH"], "DANLU_HOSTS": str(hosts or ""), **(env or {})}
    process = subprocess.Popen(
        [*NAMESPACE, *shell, *argv[1:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=told,
    )
    try:
        yield Container(process)
    finally:
        process.kill()
        process.communicate()


def run(shell: list[str], command: str | list[str], **env: str) -> tuple[int, str, str]:
    with container(shell, command, env=env) as box:
        return box.end()


@pytest.mark.parametrize("code", [0, 1, 126, 127, 143, 255])
def test_the_exit_code_passes_through_and_nothing_is_added_to_the_output(shell, code):
    assert run(shell, f"echo out; echo err >&2; exit {code}") == (code, "out\n", "err\n")


def test_a_command_ended_by_a_signal_shows_as_shells_show_it(shell):
    assert run(shell, "kill -KILL $$")[0] == 137


def test_a_list_arrives_word_for_word(shell):
    words = ["a b", "", "it's", 'say "hi"', "$HOME", "$(date)", "*", "-n", "line\nbreak", "\\", "wait"]
    program = [sys.executable, "-c", "import sys; print(sys.argv[1:])", *words]
    assert run(shell, program) == (0, f"{words}\n", "")


def test_a_program_that_is_not_there_is_named(shell):
    code, _, said = run(shell, ["no-such-program", "x"])
    assert code == 127
    assert "no-such-program: not found" in said or "no-such-program: command not found" in said


def test_the_environment_and_folder_are_the_commands(shell):
    assert run(shell, "echo $GREETING; pwd", GREETING="a  b") == (0, f"a b\n{os.getcwd()}\n", "")


TREE = """
trap 'echo parent; wait; exit 5' TERM
sh -c 'trap "echo child; exit" TERM; echo child-ready; while :; do sleep 0.05; done' &
setsid sh -c 'trap "echo apart; exit" TERM; echo apart-ready; while :; do sleep 0.05; done' &
while :; do sleep 0.05; done
"""


def test_a_wish_to_end_reaches_every_process_and_the_commands_own_code_counts(shell):
    with container(shell, TREE) as box:
        box.wait_for("ready")
        box.wait_for("ready")
        box.terminate()
        code, said, _ = box.end()
    assert code == 5
    assert set(said.split()) == {"parent", "child", "apart"}


@pytest.mark.parametrize("code", [0, 7, 143])
def test_a_command_that_saves_and_leaves_is_waited_for(shell, code):
    with container(
        shell, f"trap 'sleep 0.3; echo saved; exit {code}' TERM; echo ready; while :; do sleep 0.05; done"
    ) as box:
        box.wait_for("ready")
        box.terminate()
        assert box.end()[:2] == (code, "saved\n")


def test_a_command_has_its_grace_though_it_is_told_to_leave_before_the_wrapper_knows_it(shell):
    """On a busy machine a command may be well on its way when the shell that started it gets to its next line."""
    command = "trap 'echo saved; exit 5' TERM; echo ready; while :; do sleep 0.05; done"
    with container(shell, command, slow=True) as box:
        box.wait_for("ready")
        box.terminate()
        assert box.end()[:2] == (5, "saved\n")


def test_a_command_that_knows_no_better_ends_by_the_signal(shell):
    with container(shell, ["sh", "-c", "echo ready; exec sleep 1000"]) as box:
        box.wait_for("ready")
        box.terminate()
        assert box.end()[0] == 143


def test_a_command_that_will_not_end_goes_on_after_every_wish(shell):
    with container(shell, "trap 'echo heard' TERM; echo ready; while :; do sleep 0.05; done") as box:
        box.wait_for("ready")
        for _ in range(3):
            box.terminate()
            box.wait_for("heard")
        assert box.process.poll() is None


def test_what_the_command_leaves_behind_ends_with_it(shell, tmp_path):
    mark = tmp_path / "left-behind"
    busy = f"(trap '' TERM; while true; do echo >> {mark}; sleep 0.05; done) &"
    assert run(shell, f"{busy} until [ -e {mark} ]; do sleep 0.01; done; exit 0")[0] == 0
    written = mark.stat().st_size
    time.sleep(0.6)
    assert mark.stat().st_size == written


@pytest.mark.parametrize("shell", [DASH, BASH], ids=["dash", "bash"])
def test_programs_can_be_interrupted_as_anywhere(shell):
    said = run(shell, ["grep", "SigIgn", "/proc/self/status"])[1]
    ignored = int(said.split()[1], 16)
    assert not ignored & (1 << (signal.SIGINT - 1))


# ── waiting for addresses ────────────────────────────────────────────────────────────────────────────


def test_a_task_waits_for_the_addresses_and_takes_the_masters_from_them(shell, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.touch()
    with (
        _private_hosts(shell, tmp_path) as boxed,
        container(boxed, "echo $DANLU_MASTER_ADDR; cat /etc/hosts", hosts=hosts) as box,
    ):
        time.sleep(0.4)
        assert box.process.poll() is None
        _put(hosts, "10.2.0.8 worker-0\n10.2.0.9 worker-1\n")
        assert box.end() == (0, "10.2.0.8\n127.0.0.1 localhost\n10.2.0.8 worker-0\n10.2.0.9 worker-1\n", "")


def test_names_follow_a_task_that_comes_back_with_another_address(shell, tmp_path):
    hosts = tmp_path / "hosts"
    _put(hosts, "10.2.0.8 worker-0\n10.2.0.9 worker-1\n")
    command = "until grep -q 10.2.0.77 /etc/hosts; do sleep 0.1; done; cat /etc/hosts"
    with _private_hosts(shell, tmp_path) as boxed, container(boxed, command, hosts=hosts) as box:
        _until(lambda: "worker-1" in (tmp_path / "etc-hosts").read_text())
        _put(hosts, "10.2.0.8 worker-0\n10.2.0.77 worker-1\n")
        assert box.end() == (0, "127.0.0.1 localhost\n10.2.0.8 worker-0\n10.2.0.77 worker-1\n", "")


def test_a_task_that_may_not_write_the_systems_hosts_starts_all_the_same(shell, tmp_path):
    hosts = tmp_path / "hosts"
    _put(hosts, "10.2.0.8 worker-0\n")
    with (
        _private_hosts(shell, tmp_path, writable=False) as boxed,
        container(boxed, "echo $DANLU_MASTER_ADDR", hosts=hosts) as box,
    ):
        assert box.end() == (0, "10.2.0.8\n", "")


def test_a_task_told_to_end_while_it_waits_never_runs(shell, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.touch()
    with container(shell, "echo ran", hosts=hosts) as box:
        _until(lambda: _is_waiting(box))
        box.terminate()
        assert box.end() == (143, "", "")


@contextmanager
def _private_hosts(shell: list[str], folder: Path, *, writable: bool = True) -> Iterator[list[str]]:
    """The shell with a hosts file of its own, as a container has one."""
    own = folder / "etc-hosts"
    own.write_text("127.0.0.1 localhost\n")
    option = "rw" if writable else "ro"
    bind = f'mount --bind {own} /etc/hosts && mount -o remount,bind,{option} /etc/hosts && exec "$@"'
    yield ["/bin/sh", "-c", f"mount --make-rprivate / && {bind}", "bind", *shell]


def _put(hosts: Path, text: str) -> None:
    """At once, as kubelets do."""
    draft = hosts.with_suffix(".draft")
    draft.write_text(text)
    draft.replace(hosts)


def _is_waiting(box: Container) -> bool:
    children = Path(f"/proc/{box.process.pid}/task/{box.process.pid}/children").read_text().split()
    return bool(children) and bool(Path(f"/proc/{children[0]}/task/{children[0]}/children").read_text())


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)
