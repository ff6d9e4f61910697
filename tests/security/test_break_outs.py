"""A task tries to get out: to be root, to change the machine, to reach another person's files."""

import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from danlu.ports import supervision
from tests.integration.runtime.conftest import Runs, until
from tests.live import PATIENCE


@pytest.fixture
def runs(either_runs):
    return either_runs


@pytest.fixture
def place(runs):
    """A folder of the user that runs Danlu."""
    with tempfile.TemporaryDirectory(dir=runs.base) as folder:
        os.chmod(folder, 0o755)
        os.chown(folder, runs.owner(None), runs.owner(None))
        yield Path(folder)


def give(runs, path, person=None):
    """Make it that person's; the user's who runs Danlu for None."""
    os.chown(path, runs.owner(person), runs.owner(person))


def ran(task):
    task.exited()
    return task.output().decode(), task.output("e").decode()


def test_a_task_is_its_person_to_the_kernel_and_never_root(runs):
    task = runs.start(
        command="id -u; id -un; stat -c %u .; grep -E '^(Cap|NoNew)' /proc/self/status; sleep 1000"
    )
    running = task.wait_for("running")
    until(lambda: task.log.exists() and b"NoNewPrivs" in task.output(), "the program")
    children = Path(f"/proc/{running['pid']}/task/{running['pid']}/children").read_text().split()
    owners = {os.stat(f"/proc/{pid}").st_uid for pid in children}
    assert owners == {runs.owner(runs.somebody)} != {os.geteuid()}
    task.stop(0)
    output, _ = ran(task)
    assert output.splitlines()[:3] == [str(runs.somebody["uid"]), "alice", str(runs.somebody["uid"])]
    assert running["isolation"]["uid"] == runs.somebody["uid"]


def test_user_0_is_refused_for_a_task(runs):
    somebody = runs.somebody
    for user in ({**somebody, "uid": 0}, {**somebody, "gid": 0}, {**somebody, "uid": -1}, None):
        ended = runs.start(command="true", user=user).exited()
        assert (ended["reason"], ended["started"]) == ("start_failed", False)
        assert "user" in ended["text"]


def test_the_machine_s_bubblewrap_cannot_be_broken_by_a_task(runs):
    """As root it was: chmod 0 of /proc/1/exe, and nobody's tasks started any more."""
    bwrap = shutil.which("bwrap") or ""
    before = os.stat(bwrap).st_mode
    attack = (
        "chmod 0 /proc/1/exe; chmod 0 $(command -v bwrap); (: > /proc/1/exe); "
        "for file in /usr/bin/env /etc/hosts /dev/null; do chmod 0 $file; done; echo end"
    )
    output, errors = ran(runs.start(command=attack))
    assert output == "end\n"
    assert errors.count("not permitted") + errors.count("Read-only") + errors.count("denied") >= 5
    assert os.stat(bwrap).st_mode == before
    assert stat.S_IMODE(os.stat("/dev/null").st_mode) == 0o666
    assert runs.start(command="true").exited()["code"] == 0


@pytest.fixture
def cards(runs):
    """Two device nodes that stand in for GPUs: they are the machine's /dev/null and /dev/zero. An ordinary user can
    show only what is open to everybody, as GPUs are."""
    mode = 0o660 if runs.owner(None) == 0 else 0o666
    nodes = [f"/dev/danlu-test-{os.getpid()}-{number}" for number in range(2)]
    for node, minor in zip(nodes, (3, 5), strict=True):
        os.mknod(node, stat.S_IFCHR | mode, os.makedev(1, minor))
        os.chmod(node, mode)
    yield nodes
    for node in nodes:
        os.unlink(node)


def test_a_task_sees_its_own_devices_only_and_what_it_does_to_them_stays_its_own(runs, cards):
    mine, other = cards
    before = os.stat(mine).st_mode
    attack = (
        f"echo x > {mine} && echo written; ls {other}; chmod 0 {mine}; "
        f"mknod {other} c 1 5 || python3 -c \"import os; os.mknod('/tmp/z', 0o20666, os.makedev(1, 5))\"; echo end"
    )
    output, errors = ran(runs.start(command=attack, devices=[mine]))
    assert output == "written\nend\n"
    assert f"cannot access '{other}'" in errors
    assert os.stat(mine).st_mode == before


def test_two_people_are_two_users_even_where_they_share_a_folder(runs, place):
    shared = place / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    give(runs, shared, runs.somebody)
    another = {"uid": runs.somebody["uid"] + 1, "gid": runs.somebody["gid"] + 1, "name": "bob"}
    bind = [[str(shared), "/shared", "rw"]]
    alice = runs.start(command="umask 077; echo weights > /shared/model", binds=bind)
    assert alice.exited()["code"] == 0
    # Bound as a third thing is, read-only for the owner's sake: Danlu gives a folder bound for writing to its user.
    attack = "cat /shared/model; echo x > /shared/model; rm -f /shared/model; ls /shared"
    output, errors = ran(runs.start(command=attack, user=another, binds=[[str(shared), "/shared", "ro"]]))
    assert output == "model\n"
    assert "Permission denied" in errors
    assert (shared / "model").stat().st_uid == runs.owner(runs.somebody)


def test_a_program_with_the_set_uid_bit_of_root_gives_nothing(runs, place):
    volume = place / "volume"
    volume.mkdir()
    give(runs, volume, runs.somebody)
    shutil.copy("/usr/bin/id", volume / "id")
    give(runs, volume / "id")
    (volume / "id").chmod(0o4755)
    output, _ = ran(runs.start(command="/data/id -u", binds=[[str(volume), "/data", "rw"]]))
    assert output == f"{runs.somebody['uid']}\n"


def test_older_files_are_given_to_their_person_and_no_link_leads_out(runs, place):
    """Data of the time when all tasks were of the user that runs Danlu."""
    outside = place / "outside"
    outside.write_text("the machine's")
    volume = place / "volume"
    (volume / "run" / "deep").mkdir(parents=True)
    (volume / "run" / "deep" / "weights").write_text("x")
    (volume / "run" / "link").symlink_to(outside)
    (volume / "folder").symlink_to(place)
    for path in (outside, volume, *volume.rglob("*")):
        os.chown(path, runs.owner(None), runs.owner(None), follow_symlinks=False)
    task = runs.start(command="echo more >> /data/run/deep/weights", binds=[[str(volume), "/data", "rw"]])
    assert task.exited()["code"] == 0
    steps = [record.get("step") for record in task.records() if record["event"] == "starting"]
    assert steps == ["prepare", "files"]
    inside = [volume, *volume.rglob("*")]
    assert {os.lstat(path).st_uid for path in inside} == {runs.owner(runs.somebody)}
    assert {outside.stat().st_uid, place.stat().st_uid} == {runs.owner(None)}


def test_a_link_left_in_the_way_makes_nothing_outside(runs, place):
    personal, outside = place / "personal", place / "outside"
    for folder in (personal, outside):
        folder.mkdir()
        give(runs, folder, runs.somebody)
    (personal / "checkpoints").symlink_to(outside)
    binds, folders = [[str(personal), "/mnt/alice", "rw"]], [[str(personal), "checkpoints/job"]]
    assert runs.start(command="true", binds=binds, folders=folders).exited()["code"] == 0
    assert list(outside.iterdir()) == []


LIFT = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
os.makedirs("/tmp/cg", exist_ok=True)
for kind, options in ((b"cgroup", b"memory"), (b"cgroup", b"cpu,cpuacct"), (b"cgroup", b"pids"), (b"cgroup2", None), (b"proc", None)):
    print(kind.decode(), libc.mount(b"x", b"/tmp/cg", kind, 0, options) == 0)
for flags in (0x10000000, 0x20000, 0x02000000):
    print("unshare", libc.unshare(flags) == 0)
for root, folders, files in os.walk("/sys"):
    found = [name for name in files if name in ("memory.limit_in_bytes", "memory.max", "cgroup.procs", "pids.max")]
    if found:
        print("found", root, found)
"""


def test_a_task_cannot_lift_its_limits(runs):
    """As root on control groups of the first version it mounted them in namespaces of its own, and wrote its limit."""
    output, _ = ran(runs.python(LIFT, limits={"memory": 1 << 28, "pids": 200}))
    assert output.count("False") == 8
    assert "True" not in output
    assert "found" not in output


REFUSED = """
import ctypes, errno, os, platform
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (250, 321, 425, 298, 323, 304, 308), "aarch64": (219, 280, 425, 241, 282, 265, 268)}[platform.machine()]
for number in numbers:
    ctypes.set_errno(0)
    print(number, libc.syscall(number, -1, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()])
ctypes.set_errno(0)
libc.syscall(435, 0, 0)
print("clone3", errno.errorcode[ctypes.get_errno()])
import fcntl, pty, termios, threading
ours, theirs = pty.openpty()
try:
    fcntl.ioctl(theirs, termios.TIOCSTI, b"x")
except OSError as error:
    print("typed", error.errno)
thread = threading.Thread(target=lambda: print("threads work"))
thread.start(); thread.join()
"""


def test_system_calls_that_break_outs_are_made_of_are_refused(runs):
    output, _ = ran(runs.python(REFUSED))
    lines = output.splitlines()
    assert [line.split()[2] for line in lines[:7]] == ["EPERM"] * 7
    assert lines[7:] == ["clone3 ENOSYS", "typed 1", "threads work"]


def test_another_command_in_a_task_is_held_by_the_same(runs):
    task = runs.start(command="sleep 1000")
    task.wait_for("running")
    script = "id -u; grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status; unshare -U true; chmod 0 /proc/1/exe"
    said = subprocess.run(
        runs.entering(task.dir, "/bin/sh", "-c", script),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    task.stop(0)
    words = said.stdout.split()
    assert words == [str(runs.somebody["uid"]), "CapEff:", "0" * 16, "NoNewPrivs:", "1", "Seccomp:", "2"]
    assert said.stderr.count("not permitted") == 2


def test_code_is_unpacked_and_fetched_by_its_person(runs, place):
    (place / "code").mkdir()
    (place / "code" / "train.py").write_text("print(1)\n")
    archive = place / "code.tgz"
    subprocess.run(["tar", "czf", str(archive), "-C", str(place / "code"), "."], check=True)
    archive.chmod(0o600)
    give(runs, archive)
    task = runs.start(command="stat -c '%u %a' train.py", archive=str(archive))
    output, _ = ran(task)
    assert output == f"{runs.somebody['uid']} 644\n"


def test_without_bubblewrap_nothing_starts_and_with_it_again_all_does(tmp_path, monkeypatch):
    """It ran bare, as root with every privilege, and only noted that."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    runs = Runs(tmp_path / "data")
    runs.open_launcher()
    try:
        ended = runs.start(command="/usr/bin/id -u > proof").exited()
        assert (ended["reason"], ended["started"]) == ("no_sandbox", False)
        assert ended["text"] == "bubblewrap is not installed"
        (programs / "bwrap").symlink_to("/usr/bin/bwrap")
        assert runs.start(command="true").exited()["code"] == 0
    finally:
        runs.close()


def test_a_wish_for_a_sandbox_is_the_task_s_and_needs_no_word_from_the_server(shared_runs):
    """A task.json that says nothing of isolation is not a task without any."""
    runs = shared_runs
    task = runs.task(command="true")
    file = supervision.read_json(f"{task.dir}/{supervision.TASK_FILE}")
    assert "isolation" not in file
    assert runs.ask({"start": task.name}) == [{"ok": True}]
    task.exited()
    assert task.find("running")["isolation"]["level"] == "sandbox+cgroup"
