"""Tasks that want the whole disk: by their log, their working directory, or files that no folder shows."""

from __future__ import annotations

import time

import pytest

from danlu.ports import supervision

MIB = 1 << 20

FLOOD = """
import os
line = b"flood " + b"x" * 93 + b"\\n"
for number in range(600):
    os.write(1, line * 1000)
print("the end", flush=True)
"""
HOARD = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open("hoard", "wb") as file:
    for _ in range(64):
        file.write(b"x" * (1 << 20))
time.sleep(600)
"""
NAMELESS = """
import os, time
held = open("hoard", "wb")
os.unlink("hoard")
for _ in range(64):
    held.write(b"x" * (1 << 20))
held.flush()
time.sleep(600)
"""
MANY_FILES = """
import time
for number in range(20000):
    open(str(number), "w").close()
time.sleep(600)
"""
DEEP = """
import os, time
for _ in range(300):
    os.mkdir("d")
    os.chdir("d")
with open("hoard", "wb") as file:
    for _ in range(64):
        file.write(b"x" * (1 << 20))
time.sleep(600)
"""
LINKS = """
import os
os.symlink("/", "everything")
os.symlink(".", "circle")
os.mkfifo("pipe")
with open("sparse", "wb") as file:
    file.truncate(1 << 40)
import time
time.sleep(4)
"""


def test_an_endless_log_takes_no_more_than_its_bound(runs):
    task = runs.python(FLOOD, limits={"log": MIB})
    record = task.exited()
    assert record["code"] == 0
    assert task.log.stat().st_blocks * 512 <= MIB + 64 * 1024
    assert record["log_bytes"] == task.log.stat().st_size > 60 * MIB
    assert record["log_cut"] > 58 * MIB
    head = task.log.read_bytes()[: MIB // 4].splitlines()[0]
    assert supervision.split_record(head).text.startswith(b"flood ")
    with task.log.open("rb") as log:
        log.seek(-4096, 2)
        assert supervision.split_record(log.read().splitlines()[-1]).text == b"the end"


@pytest.mark.parametrize("program", [HOARD, NAMELESS, MANY_FILES], ids=["file", "nameless", "many"])
def test_a_task_beyond_its_scratch_is_ended_with_the_numbers(runs, program):
    task = runs.python(program, limits={"scratch": 32 * MIB})
    record = task.exited(30)
    assert record["reason"] == "evicted_disk"
    assert record["stopped"] is True
    assert record["disk_limit"] == 32 * MIB
    assert record["disk_used"] > 32 * MIB
    assert f"the limit is {32 * MIB:,}" in record["text"]


def test_folders_too_deep_to_be_counted_count_as_too_much(runs):
    record = runs.python(DEEP, limits={"scratch": 32 * MIB}).exited(30)
    assert record["reason"] == "evicted_disk"
    assert record["disk_used"] == 0
    assert "deeper than 128 levels" in record["text"]


def test_links_pipes_and_holes_lead_nowhere(runs):
    record = runs.python(LINKS, limits={"scratch": 32 * MIB}).exited(30)
    assert record["reason"] is None


def test_a_stop_does_not_wait_for_the_count(runs):
    """A million entries are counted in slices: orders and output come between."""
    program = MANY_FILES.replace("20000", "100000").replace("time.sleep", 'print("made", flush=True); time.sleep')
    task = runs.python(program, limits={"scratch": 1 << 40})
    task.wait_for(supervision.RUNNING)
    while b"made" not in (task.log.read_bytes() if task.log.exists() else b""):
        time.sleep(0.05)
    began = time.monotonic()
    task.stop(0)
    assert task.exited(30)["stopped"] is True
    assert time.monotonic() - began < 10
