"""Limits are kept, and what went beyond them is told."""

import pytest

from .conftest import MODES, until

HOG = """
import time
print("eating", flush=True)
eaten = []
while True:
    eaten.append(b"x" * (8 << 20))
    time.sleep(0.005)
"""


@pytest.mark.smoke
def test_a_task_that_eats_too_much_memory_ends_as_out_of_memory(runs, isolation):
    task = runs.python(HOG, isolation=isolation, limits={"memory": 128 << 20})
    ended = task.exited()
    assert (ended["oom"], ended["reason"]) == (True, "out_of_memory")
    assert ended["memory_peak"] > 64 << 20
    assert task.output() == b"eating\n"


def test_memory_eaten_by_children_counts_too(runs, isolation):
    program = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {HOG!r}]))"
    ended = runs.python(program, isolation=isolation, limits={"memory": 128 << 20}).exited()
    assert ended["reason"] == "out_of_memory"


def test_memory_shared_by_many_processes_is_counted_once(runs):
    """Forty processes share sixty megabytes: far more than the limit if each were charged with all of it."""
    program = """
import os, time
block = bytearray(60 << 20)
for i in range(0, len(block), 4096):
    block[i] = 1
children = []
for _ in range(40):
    pid = os.fork()
    if pid == 0:
        time.sleep(0.8)
        os._exit(0)
    children.append(pid)
for pid in children:
    os.waitpid(pid, 0)
"""
    isolation = {"bubblewrap": False, "cgroup": False}
    assert runs.python(program, isolation=isolation, limits={"memory": 400 << 20}).exited()["code"] == 0


@pytest.mark.parametrize("mode", ["sandbox+cgroup", "cgroup"])
def test_no_more_processes_than_allowed_can_be_started(runs, mode):
    program = """
import os
made = 0
try:
    for _ in range(100):
        pid = os.fork()
        if pid == 0:
            import time; time.sleep(30)
        made += 1
except BlockingIOError:
    print("refused", made < 30, flush=True)
"""
    task = runs.python(program, isolation=MODES[mode], limits={"pids": 30})
    assert task.exited()["code"] == 0
    assert task.output() == b"refused True\n"


@pytest.mark.parametrize("mode", ["sandbox+cgroup", "cgroup"])
def test_no_more_cpu_than_allowed_is_used(runs, mode):
    """A fifth of a processor: what takes 250 ms of one lasts longer than a second, and on a busy machine longer yet."""
    program = """
import time
began = time.monotonic()
while time.process_time() < 0.3:
    pass
print(time.monotonic() - began, flush=True)
"""
    task = runs.python(program, isolation=MODES[mode], limits={"cpu_milli": 200})
    assert 250 < task.exited()["cpu_ms"] < 700
    assert float(task.output()) > 0.75


def test_processor_time_is_told_though_the_task_was_killed(runs, isolation):
    program = """
import time
while time.process_time() < 0.3: pass
print("on", flush=True)
time.sleep(1000)
"""
    task = runs.python(program, isolation=isolation)
    until(lambda: task.log.exists() and task.output(), "the line")
    task.stop(0)
    assert task.exited()["cpu_ms"] > 200
