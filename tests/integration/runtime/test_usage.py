"""What supervisors measure of real tasks: by control group, by processes, and of cards by the driver's library."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import numpy
import pytest

from danlu.ports.samples import usage_file
from danlu.telemetry.samples import read_samples

from .conftest import MODES, Runs, until

BURN = """
import os, time
held = bytearray(96 << 20)
for at in range(0, len(held), 4096):
    held[at] = 1
if os.fork() == 0:
    with open("accounts", "w", buffering=1) as accounts:
        while True:
            print(time.time() * 1000, time.process_time() * 1000, file=accounts)
            end = time.process_time() + 0.02
            while time.process_time() < end:
                pass
time.sleep(1000)
"""
FOREVER = 10**12
MIB = 1 << 20

DRIVER = r"""
typedef struct { unsigned int gpu, memory; } Rates;
typedef struct { unsigned long long total, free, used; } Memory;
typedef struct { unsigned int version; unsigned long long total, reserved, free, used; } MemoryV2;
static unsigned int cards[4];

int nvmlInit_v2(void) { return BROKEN; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **card) {
    if (index >= 4 || index == 2) return 6;
    cards[index] = index;
    *card = &cards[index];
    return 0;
}
int nvmlDeviceGetUtilizationRates(void *card, Rates *rates) {
    HANG;
    rates->gpu = 10 + *(unsigned int *)card;
    rates->memory = 99;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void *card, Memory *memory) {
    memory->used = (1000ULL + *(unsigned int *)card) << 20;
    return 0;
}
#ifdef NEWER
int nvmlDeviceGetMemoryInfo_v2(void *card, MemoryV2 *memory) {
    if (memory->version != 0x02000028) return 2;
    memory->reserved = 500ULL << 20;
    memory->used = (500ULL + *(unsigned int *)card) << 20;
    return 0;
}
#endif
"""


def readings(task):
    found = read_samples(Path(usage_file(str(task.log))), FOREVER)
    return found if found is not None and found.times.size else None


@pytest.fixture
def with_driver(tmp_path, monkeypatch):
    """Launchers that find a stand-in for the driver's library, compiled as the test wants it."""
    opened = []

    def install(broken=0, hang="", newer=True):
        folder = tmp_path / "driver"
        folder.mkdir()
        (folder / "nvml.c").write_text(DRIVER)
        options = [f"-DBROKEN={broken}", f"-DHANG={hang}", *(["-DNEWER"] if newer else [])]
        target = ["-o", str(folder / "libnvidia-ml.so.1"), str(folder / "nvml.c")]
        subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", *options, *target], check=True)
        monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
        runs = Runs(tmp_path / "data")
        runs.open_launcher()
        opened.append(runs)
        return runs

    yield install
    for runs in opened:
        runs.close()


def own_account(task, since, until):
    """By the word of what burns: the processors it had of this time, which on a busy machine are few."""
    accounts = [line.split() for line in (task.work / "accounts").read_text().splitlines()[:-1]]
    times, used = zip(*[(float(when), float(ms)) for when, ms in accounts], strict=True)
    return float(numpy.interp(until, times, used) - numpy.interp(since, times, used)) / (until - since)


@pytest.fixture(scope="module")
def burning(shared_runs):
    """A task at every level of isolation, all at once: samples are seconds apart."""
    limits = {"memory": 1 << 30, "cpu_milli": 2000}
    return {mode: shared_runs.python(BURN, isolation=MODES[mode], limits=limits) for mode in MODES}


@pytest.mark.parametrize("mode", MODES)
def test_a_task_that_burns_and_holds_shows_it_within_seconds(burning, mode):
    task = burning[mode]

    def seen():
        """Two samples since it holds and burns."""
        found = readings(task)
        burns = found is not None and (task.work / "accounts").exists() and len(found.times) > 1
        return found if burns and found.values[1][-2] > 90 * MIB else None

    found = until(seen, lambda: f"the use in {readings(task)}")
    until(lambda: (task.work / "accounts").stat().st_mtime * 1000 > found.times[-1] + 100, "its account")
    assert found.values[0][-1] == pytest.approx(own_account(task, *found.times[-2:]), rel=0.25)
    assert 90 * MIB < found.values[1][-1] < 400 * MIB
    assert (found.gpus, found.every) == ((), 5_000)
    task.stop(0)
    task.exited()


def test_what_the_kernel_keeps_of_files_is_not_the_tasks_memory(runs):
    program = """
import time
with open("large", "wb") as file:
    for _ in range(128):
        file.write(bytes(1 << 20))
print("written", flush=True)
time.sleep(1000)
"""
    task = runs.python(program, isolation={"bubblewrap": False, "cgroup": True}, limits={"memory": 1 << 30})
    until(lambda: task.log.exists() and task.output() == b"written\n", "the file")
    after = len(readings(task).times) if readings(task) else 0
    found = until(lambda: (now := readings(task)) is not None and len(now.times) > after and now, "a sample")
    assert found.values[1][-1] < 64 * MIB
    task.stop(0)
    task.exited()


def test_a_task_that_ends_at_once_leaves_none(runs):
    task = runs.start(argv=["/bin/true"])
    task.exited()
    assert not Path(usage_file(str(task.log))).exists()


@pytest.mark.parametrize(("newer", "least"), [(True, 500), (False, 1000)])
def test_cards_are_measured_by_the_drivers_library(with_driver, newer, least):
    runs = with_driver(newer=newer)
    task = runs.start(argv=["/bin/sleep", "1000"], gpus=[1, 3, 2])
    found = until(lambda: readings(task), "a sample")
    assert found.gpus == (1, 3, 2)
    values = found.values[2:, -1].tolist()
    assert values[:4] == [11, (least + 1) * MIB, 13, (least + 3) * MIB]
    assert all(math.isnan(value) for value in values[4:]), "there is no card 2"


@pytest.mark.parametrize("trouble", [{"broken": 9}, {"hang": "for (;;)"}])
def test_a_library_that_fails_or_hangs_costs_the_cards_numbers_and_nothing_else(with_driver, trouble):
    runs = with_driver(**trouble)
    task = runs.start(command="echo begun; until [ -e go ]; do sleep 0.05; done; echo done", gpus=[0])
    found = until(lambda: readings(task), "a sample")
    assert math.isfinite(found.values[1][0])
    assert all(math.isnan(value) for value in found.values[2:, 0])
    (task.work / "go").touch()
    assert task.exited()["code"] == 0
    assert task.output() == b"begun\ndone\n"


def test_without_a_driver_there_are_no_numbers_of_cards(runs):
    task = runs.start(argv=["/bin/sleep", "1000"], gpus=[0])
    found = until(lambda: readings(task), "a sample")
    assert found.gpus == (0,)
    assert all(math.isnan(value) for value in found.values[2:, 0])
    task.stop(0)
    task.exited()


def test_samples_that_find_no_room_are_dropped_and_the_task_goes_on(runs, tmp_path):
    task = runs.task(command="sleep 2; echo done", log=str(tmp_path / "logs" / "worker-0.log"))
    task.log = tmp_path / "logs" / "worker-0.log"
    task.log.parent.mkdir()
    Path(usage_file(str(task.log))).symlink_to("/dev/full")
    assert runs.ask({"start": task.name}) == [{"ok": True}]
    assert task.exited()["code"] == 0
    assert task.output() == b"done\n"
