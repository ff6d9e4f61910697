"""Output arrives whole, in order, with times, whatever the task writes and however it ends."""

import contextlib
import hashlib
import subprocess
import time

import pytest

from danlu.ports import supervision

from .conftest import Runs, until

PLAIN = {"bubblewrap": False, "cgroup": False}

FLOOD = """
import hashlib, os, sys, threading
def write(fd, letter, lines):
    digest = hashlib.sha256()
    for start in range(0, lines, 1000):
        numbers = range(start, start + 1000)
        block = "".join(f"{letter} {n} " + "x" * (n % 180) + "\\n" for n in numbers).encode()
        digest.update(block)
        while block:
            block = block[os.write(fd, block):]
    open(letter, "w").write(digest.hexdigest() + "\\n")
threads = [threading.Thread(target=write, args=a) for a in ((1, "out", 1_000_000), (2, "err", 1_000_000))]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_two_hundred_megabytes_arrive_whole_and_in_order(runs):
    task = runs.python(FLOOD, limits={"memory": 1 << 30})
    assert task.exited()["code"] == 0
    digests = {"o": hashlib.sha256(), "e": hashlib.sha256()}
    sizes, last = {"o": 0, "e": 0}, 0
    with task.log.open("rb") as log:
        for line in log:
            record = supervision.split_record(line[:-1])
            assert record is not None
            assert record.time_ms >= last
            last = record.time_ms
            text = record.text + (b"\n" if record.whole else b"")
            digests[record.stream].update(text)
            sizes[record.stream] += len(text)
    assert sum(sizes.values()) > 200_000_000
    assert digests["o"].hexdigest() == task.file("out").strip()
    assert digests["e"].hexdigest() == task.file("err").strip()


def test_a_line_without_end_is_kept_in_pieces(runs):
    task = runs.start(command="head -c 3000000 /dev/zero | tr '\\0' x; printf end", isolation=PLAIN)
    task.exited()
    records = task.log_records()
    assert max(len(record.text) for record in records) <= 65536
    assert not any(record.whole for record in records)
    assert task.output() == b"x" * 3_000_000 + b"end"


def test_the_beginning_of_a_line_is_shown_before_its_end(runs):
    task = runs.start(
        command="printf 'password: '; until test -e go; do sleep 0.02; done; echo ok", isolation=PLAIN
    )
    until(lambda: task.log.exists() and task.output() == b"password: ", "the prompt", 5)
    (task.work / "go").touch()
    task.exited()
    assert [(r.whole, r.text) for r in task.log_records()] == [(False, b"password: "), (True, b"ok")]


def test_a_progress_bar_that_never_ends_its_line_is_shown(runs):
    program = "import sys, time\nwhile True: sys.stderr.write('\\r50%'); sys.stderr.flush(); time.sleep(0.05)"
    task = runs.python(program, isolation=PLAIN)
    until(lambda: task.log.exists() and b"50%" in task.output("e"), "the bar", 5)
    task.stop()
    task.exited()


def test_bytes_that_are_no_text_pass_unchanged(runs):
    task = runs.python(
        "import os, sys; os.write(1, bytes(range(256)) + b'\\n\\xff\\xfe\\x00\\n\\xe4')", isolation=PLAIN
    )
    task.exited()
    assert task.output() == bytes(range(256)) + b"\n\xff\xfe\x00\n\xe4"


def test_a_character_is_not_cut_in_two(runs):
    task = runs.python("import os; os.write(1, b'x' + '丹'.encode() * 50_000 + b'\\n')", isolation=PLAIN)
    task.exited()
    for record in task.log_records():
        record.text.decode()
    assert task.output().decode() == "x" + "丹" * 50_000 + "\n"


def test_output_just_before_the_end_is_not_lost(runs, isolation):
    for _ in range(5):
        task = runs.python(
            "import os; os.write(1, b'y' * 60000 + b'\\nlast'); os._exit(9)", isolation=isolation
        )
        assert task.exited()["code"] == 9
        assert task.output() == b"y" * 60000 + b"\nlast"


def test_a_grandchild_that_keeps_the_output_open_does_not_delay_the_end(runs, isolation):
    task = runs.start(command="(sleep 0.1; echo late; sleep 1000) & echo done", isolation=isolation)
    assert task.exited()["code"] == 0
    assert task.output().startswith(b"done\n")


def test_output_kept_open_by_a_stranger_is_cut_with_a_warning(runs, tmp_path):
    """A process outside the task's tree opened its output through /proc; the task has ended long before."""
    task = runs.start(command="echo one; until test -e go; do sleep 0.02; done", isolation=PLAIN)
    pid = task.wait_for("running")["pid"]
    until(lambda: task.log.exists() and task.output() == b"one\n", "the first line")
    with open(f"/proc/{pid}/fd/1", "wb", buffering=0) as stranger:
        stranger.write(b"two\n")
        (task.work / "go").touch()
        assert task.exited()["code"] == 0
    assert task.output() == b"one\ntwo\n"
    assert task.find("warning")["code"] == "output_open"


def test_lines_flushed_one_by_one_are_all_kept(runs):
    program = "for n in range(100_000): print(n, flush=True)"
    task = runs.python(program, isolation=PLAIN)
    task.exited()
    assert task.output() == b"".join(b"%d\n" % n for n in range(100_000))


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of two megabytes (tests of this tier run as root)."""
    path = tmp_path / "disk"
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(path)], check=True)
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def fill(path):
    """Write until the disk is full."""
    with open(path, "wb", buffering=0) as ballast, contextlib.suppress(OSError):
        while True:
            ballast.write(b"\0" * 4096)


def test_a_full_disk_makes_the_task_wait_and_loses_nothing(runs, tiny_disk):
    ballast = tiny_disk / "ballast"
    ballast.write_bytes(b"\0" * (1 << 20))
    lines = b"".join(b"line %06d\n" % n for n in range(100_000))
    program = "import sys\nfor n in range(100_000): print(f'line {n:06}')"
    task = runs.python(program, isolation=PLAIN, log=str(tiny_disk / "task.log"))
    task.log = tiny_disk / "task.log"
    until(lambda: task.log.exists() and task.log.stat().st_size > 900_000, "a full disk")
    time.sleep(0.3)
    assert task.find("exited") is None
    assert supervision.is_alive(task.dir)
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=16m", str(tiny_disk)], check=True)
    assert task.exited()["code"] == 0
    assert task.output() == lines
    warnings = [record for record in task.records() if record["event"] == "warning"]
    assert [warning["code"] for warning in warnings] == ["disk_full", "disk_has_room"]
    assert "No space left" in warnings[0]["text"]


def test_a_log_that_can_never_be_written_is_a_failed_start(runs):
    ended = runs.start(command="true", log="/proc/no/such/log").exited()
    assert ended["reason"] == "start_failed"
    assert "log cannot be written" in ended["text"]


def test_a_disk_too_full_for_the_first_record_delays_the_start(tiny_disk):
    runs = Runs(tiny_disk / "data")
    runs.open_launcher()
    try:
        task = runs.task(command="echo started; exit 3", log="/dev/null", isolation=PLAIN)
        fill(tiny_disk / "ballast")
        runs.ask({"start": task.name})
        until(lambda: supervision.is_alive(task.dir), "the supervisor")
        time.sleep(0.2)
        assert task.records() == []
        (tiny_disk / "ballast").unlink()
        assert task.exited()["code"] == 3
    finally:
        runs.close()
