"""The files that server and supervisors share, as each side reads them."""

import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from danlu.ports import supervision
from danlu.runtime.isolation import cgroups
from danlu.runtime.isolation.cgroup_v2 import GroupV2
from danlu.runtime.recording.appender import Appender
from danlu.runtime.recording.status import Status
from tests.live import PATIENCE

from .conftest import process_lives, until


@pytest.fixture
def status_file(tmp_path):
    return tmp_path / supervision.STATUS_FILE


def test_records_are_read_from_where_one_left_off(tmp_path, status_file):
    status_file.write_bytes(b'{"event":"starting"}\n')
    first, offset = supervision.read_status(str(tmp_path))
    with status_file.open("ab") as file:
        file.write(b'{"event":"running"}\n')
    second, _ = supervision.read_status(str(tmp_path), offset)
    assert [r["event"] for r in first + second] == ["starting", "running"]


def test_a_torn_last_line_waits_for_its_rest(tmp_path, status_file):
    whole = b'{"event":"starting","step":"\xe4\xb8\xb9"}\n'
    for cut in range(len(whole)):
        status_file.write_bytes(whole[:cut])
        assert supervision.read_status(str(tmp_path)) == ([], 0)
    status_file.write_bytes(whole)
    assert supervision.read_status(str(tmp_path))[1] == len(whole)


def test_a_line_that_is_no_record_is_passed_over(tmp_path, status_file):
    status_file.write_bytes(b'\0\0\0\n[1]\n{"no":"event"}\n{"event":"exited"}\n')
    assert [r["event"] for r in supervision.read_status(str(tmp_path))[0]] == ["exited"]


def test_a_directory_that_is_not_there_has_no_records_and_no_life(tmp_path):
    assert supervision.read_status(str(tmp_path / "gone")) == ([], 0)
    assert not supervision.is_alive(str(tmp_path / "gone"))
    assert supervision.read_json(str(tmp_path / "gone" / "task.json")) is None


def test_a_torn_record_of_the_log_is_told_from_a_whole_one():
    assert supervision.split_record(b"1700000000.007 E \xff x") == (1_700_000_000_007, "e", False, b"\xff x")
    for torn in (
        b"",
        b"17000",
        b"1700000000.123",
        b"1700000000.123 o",
        b"x.y o text",
        b"1700000000.123 q text",
    ):
        assert supervision.split_record(torn) is None


def test_a_file_is_replaced_whole(tmp_path):
    path = str(tmp_path / "task.json")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: supervision.write_json(path, {"n": n, "pad": "x" * 10_000}), range(50)))
    assert len(json.loads((tmp_path / "task.json").read_text())["pad"]) == 10_000
    assert os.listdir(tmp_path) == ["task.json"]


def test_a_lock_is_held_until_its_holder_dies_and_looking_does_not_take_it(tmp_path):
    path = str(tmp_path / "lock")
    program = (
        f"from danlu.ports import supervision as s; s.hold({path!r}); print('held', flush=True); input()"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    assert supervision.held(path)
    assert supervision.hold(path) is None
    holder.kill()
    holder.communicate()
    assert not supervision.held(path)
    for _ in range(100):
        assert not supervision.held(path)
    descriptor = supervision.hold(path)
    assert descriptor is not None
    os.close(descriptor)


def test_what_a_full_disk_refuses_is_written_later_and_in_order(tmp_path):
    file = Appender("/dev/full")
    file.write(b"one\n")
    file.write(b"two\n")
    assert file.blocked
    assert "No space" in str(file.trouble)
    # The same descriptor leads somewhere with room now.
    room = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT)
    os.dup2(room, file._fd)
    os.close(room)
    assert file.flush()
    assert not file.blocked
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_a_listener_too_busy_to_listen_is_told_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind("notify.sock")
        status = Status("a/t", "notify.sock")
        while status.next_announcement() is None:
            status.announce()
        listener.setblocking(False)
        heard = 0
        while True:
            try:
                listener.recv(100)
                heard += 1
            except BlockingIOError:
                break
        assert heard > 0
        status.say_last_word()
        assert status.next_announcement() is None
        assert listener.recv(100) == b"a/t"


def test_the_fingerprint_changes_with_the_code_only():
    assert supervision.fingerprint() == supervision.fingerprint()


def test_a_group_of_the_second_version_is_killed_as_a_whole(tmp_path):
    """Freezing and killing need no controllers, so that this works on machines that still use version 1."""
    point = tmp_path / "groups"
    point.mkdir()
    subprocess.run(["mount", "-t", "cgroup2", "cgroup2", str(point)], check=True)
    mount = cgroups.mounts("cgroup2")[""]
    own = mount.own.replace(mount.point, str(point), 1)
    group = GroupV2([f"{own}/danlu-test-{os.getpid()}"], [own])
    try:
        os.mkdir(group.directories[0])
        group.join()
        sleepers = [subprocess.Popen(["sleep", "1000"]) for _ in range(3)]
        group.leave()
        assert sorted(group.pids()) == sorted(sleeper.pid for sleeper in sleepers)
        group.kill()
        for sleeper in sleepers:
            assert sleeper.wait(PATIENCE) == -9
        until(lambda: group.pids() == [], "an empty group")
        assert not any(process_lives(sleeper.pid) for sleeper in sleepers)
    finally:
        group.remove()
        subprocess.run(["umount", "-l", str(point)], check=True)
    assert not os.path.exists(group.directories[0])
