"""What a task can see and do under bubblewrap."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import until


@pytest.mark.smoke
def test_the_data_directory_is_hidden(runs):
    task = runs.start(command=f"ls {runs.path}; ls {runs.base}; cat {runs.path}/*/*/task.json; pwd")
    task.exited()
    assert task.output().decode() == f"attempt{task.name[7:].split('/')[0]}\nruns\n{task.work}\n"
    assert b"No such file" in task.output("e")


def test_without_a_sandbox_the_data_directory_is_seen_and_the_record_admits_it(runs):
    task = runs.start(command=f"cat {runs.path}/*/*/task.json", isolation={"bubblewrap": False})
    assert task.exited()["code"] == 0
    assert not task.find("running")["isolation"]["level"].startswith("sandbox")


def test_hidden_paths_are_covered_inside_what_is_bound(runs, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "open").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("x")
    task = runs.start(
        command=f"ls {tmp_path}; ls {tmp_path}/secret; touch {tmp_path}/x",
        binds=[[str(tmp_path), str(tmp_path), "ro"]],
        hidden=[str(tmp_path / "secret")],
    )
    task.exited()
    assert task.output() == b"open\nsecret\n"
    assert b"Read-only" in task.output("e")


def test_a_volume_bound_for_writing_can_be_written(runs, tmp_path):
    task = runs.start(command="echo x > /data/file", binds=[[str(tmp_path), "/data", "rw"]])
    assert task.exited()["code"] == 0
    assert (tmp_path / "file").read_text() == "x\n"


def test_the_system_is_read_only_and_its_secrets_are_empty(runs):
    task = runs.start(command="touch /usr/x; touch /etc/x; cat /etc/shadow; echo end")
    task.exited()
    assert task.output() == b"end\n"
    assert task.output("e").count(b"Read-only") == 2


@pytest.mark.smoke
def test_no_privileges_are_left(runs):
    task = runs.start(
        command="grep -E 'Cap(Eff|Prm|Inh|Amb)|NoNewPrivs' /proc/self/status; mount -t tmpfs x /mnt"
    )
    assert task.exited()["code"] != 0
    lines = dict(line.split(":\t") for line in task.output().decode().splitlines())
    assert lines.pop("NoNewPrivs") == "1"
    assert {int(value, 16) for value in lines.values()} == {0}


@pytest.mark.smoke
def test_processes_outside_are_out_of_sight(runs):
    task = runs.start(command="ls -d /proc/[0-9]* | wc -l")
    task.exited()
    assert int(task.output()) < 8


def test_shared_memory_has_the_size_asked_for(runs):
    task = runs.start(
        command="df -B1 --output=size /dev/shm | tail -1; stat -c %a /dev/shm", limits={"shm": 1 << 26}
    )
    task.exited()
    assert task.output().split() == [str(1 << 26).encode(), b"1777"]


def test_a_host_name_of_its_own_resolves(runs):
    task = runs.start(
        command="hostname; getent hosts me; getent hosts other",
        hostname="me",
        hosts=[["127.0.7.1", "me"], ["127.0.7.2", "other"]],
    )
    assert task.exited()["code"] == 0
    assert task.output().split() == [b"me", b"127.0.7.1", b"me", b"127.0.7.2", b"other"]


def test_the_network_can_be_taken_away(runs):
    task = runs.start(command="cat /proc/net/route | wc -l; ls /sys/class/net || true", network="none")
    task.exited()
    assert task.output().split()[0] == b"1"


def test_the_environment_is_the_task_s_own_and_not_on_a_command_line(runs):
    task = runs.start(command="env; sleep 1000", env={"SECRET": "s3cr3t", "LD_PRELOAD": "/nonexistent.so"})
    supervisor = task.wait_for("running") and task.records()[0]["supervisor"]
    until(lambda: task.log.exists() and b"SECRET" in task.output(), "the environment")
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    for pid in children:
        assert b"s3cr3t" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        assert b"LD_PRELOAD" not in Path(f"/proc/{pid}/environ").read_bytes()
    task.stop()
    task.exited()
    names = {line.split(b"=")[0] for line in task.output().splitlines()}
    assert names == {b"SECRET", b"LD_PRELOAD", b"PATH", b"HOME", b"PWD", b"DANLU_SUPERVISED", b"_"} - (
        {b"_"} if b"_" not in names else set()
    )


def test_the_kernel_s_settings_cannot_be_changed(runs):
    """Root without privileges still owns them: a new core_pattern would be root on the machine."""
    program = (
        "import os, sys\n"
        "for path in sys.argv[1:]:\n"
        "    try: os.close(os.open(path, os.O_WRONLY)); print('opened', path)\n"
        "    except OSError as error: print(error.strerror)\n"
    )
    settings = ["kernel/hostname", "kernel/core_pattern", "vm/overcommit_memory"]
    task = runs.python(program, *(f"/proc/sys/{name}" for name in settings), "/proc/sysrq-trigger")
    task.exited()
    lines = task.output().decode().splitlines()
    refused = {"Read-only file system", "Permission denied"}
    assert len(lines) == 4
    assert set(lines) <= refused | {"No such file or directory"}
    reader = runs.start(command="cat /proc/sys/kernel/osrelease")
    assert reader.exited()["code"] == 0


@pytest.fixture
def secrets():
    """A file and a directory in /etc that only root may read."""
    file, directory = Path(f"/etc/danlu-test-{os.getpid()}"), Path(f"/etc/danlu-test-{os.getpid()}.d")
    try:
        file.touch(mode=0o600)
        file.write_text("s3cr3t\n")
        directory.mkdir(mode=0o700)
        (directory / "key").write_text("s3cr3t\n")
        yield file, directory / "key"
    finally:
        file.unlink(missing_ok=True)
        (directory / "key").unlink(missing_ok=True)
        directory.rmdir()


def test_what_only_root_may_read_stays_root_s(runs, secrets):
    file, key = secrets
    task = runs.start(command=f"cat {file} {key}; cat /etc/passwd > /dev/null && echo end")
    task.exited()
    assert task.output() == b"end\n"
    assert task.output("e").count(b"Permission denied") == 2


def test_certificates_can_be_read(runs):
    task = runs.start(command="cat /etc/ssl/certs/ca-certificates.crt > /dev/null || ls -l /etc/ssl/certs")
    assert task.exited()["code"] == 0


def test_a_host_name_longer_than_linux_allows_is_shortened(runs):
    name = "w" * 63 + "-12"
    task = runs.start(
        command='hostname; getent hosts "$(hostname)"', hostname=name, hosts=[["127.0.7.3", name]]
    )
    assert task.exited()["code"] == 0
    short = ("w" * 60 + "-12").encode()
    assert task.output().split() == [short, b"127.0.7.3", short]


def test_the_view_can_be_made_by_another_user_than_root(tmp_path):
    """The package may lie where only root can read: it is imported first."""
    program = """
import os
from danlu.runtime.isolation.sandbox import find_sandbox
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
sandbox = find_sandbox()
words = [sandbox.program, *sandbox.shared, "--", "/bin/sh", "-c"]
os.execv(words[0], [*words, "echo seen; echo x > /proc/sys/kernel/core_pattern"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "seen\n", done.stderr
    assert "cannot create /proc/sys/kernel/core_pattern" in done.stderr
