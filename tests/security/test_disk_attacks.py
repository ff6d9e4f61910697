"""Tasks that want the whole disk: by their log, their working directory, or files that no folder shows."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.ports import supervision
from danlu.sdk import Client, DiskLimit, TooLarge
from tests.live import LiveServer, eventually, live_server, training

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
    assert text_of(head).startswith(b"flood ")
    with task.log.open("rb") as log:
        log.seek(-4096, 2)
        assert text_of(log.read().splitlines()[-1]) == b"the end"


def text_of(line: bytes) -> bytes:
    record = supervision.split_record(line)
    assert record is not None
    return record.text


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
    program = MANY_FILES.replace("20000", "100000").replace(
        "time.sleep", 'print("made", flush=True); time.sleep'
    )
    task = runs.python(program, limits={"scratch": 1 << 40})
    task.wait_for(supervision.RUNNING)
    while b"made" not in (task.log.read_bytes() if task.log.exists() else b""):
        time.sleep(0.05)
    began = time.monotonic()
    task.stop(0)
    assert task.exited(30)["stopped"] is True
    assert time.monotonic() - began < 10


# ── the whole server ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A Danlu with little room for anybody."""
    bounds = {
        "DANLU_LOG_LIMIT": "1MiB",
        "DANLU_SCRATCH_LIMIT": "32MiB",
        "DANLU_PERSONAL_LIMIT": "16MiB",
        "DANLU_CODE_LIMIT": "4MiB",
        "DANLU_CODE_TOTAL": "6MiB",
        "DANLU_UNPACK_ENTRIES": "10",
        "DANLU_UNPACK_LIMIT": "1MiB",
    }
    with live_server(tmp_path_factory.mktemp("disk"), "--virtual-nodes", "1x2xA100", **bounds) as server:
        yield server


def ended(client: Client, job: Any, state: str) -> Any:
    return eventually(lambda: (found := client.get(job.id)).state == state and found)


def code_of(folder: Path, size: int, files: int = 1) -> Path:
    """A folder of code that cannot be compressed."""
    folder.mkdir()
    for number in range(files):
        (folder / f"{number}.bin").write_bytes(os.urandom(size // files))
    return folder


def coded(name: str, folder: Path) -> dict[str, Any]:
    return training(name, "true", code={"path": str(folder)})


@pytest.mark.parametrize("place", ["/dev/shm", "/tmp"])
def test_what_is_hoarded_in_memory_counts_with_the_disk(live: LiveServer, place: str) -> None:
    fill = "dd if=/dev/zero of={} bs=1M count=20 2>/dev/null; "
    command = fill.format("hoard") + fill.format(f"{place}/hoard") + "sleep 600"
    with live.client() as client:
        job = ended(
            client, client.submit(training(f"memory-{place.strip('/')}".replace("/", "-"), command)), "failed"
        )
        assert job.reason.code == "evicted_disk"
        said = r"it takes ([\d.]+)MiB of disk space and ([\d.]+)MiB of shared memory, and may take 32MiB together"
        told = re.search(said, job.reason.text["en"])
        assert told, job.reason.text["en"]
        assert 32 < float(told[1]) + float(told[2]) < 42
        assert "共享内存" in job.reason.text["zh"]


def test_a_hoarding_job_fails_with_the_reason_and_the_numbers(live: LiveServer) -> None:
    command = "dd if=/dev/zero of=hoard bs=1M count=64 2>/dev/null; sleep 600"
    with live.client() as client:
        job = ended(client, client.submit(training("hoard", command)), "failed")
        assert job.reason.code == "evicted_disk"
        told = re.search(r"it takes ([\d.]+)MiB of disk space, and may take 32MiB", job.reason.text["en"])
        assert told, job.reason.text["en"]
        assert 32 < float(told[1]) <= 66  # it was counted while it wrote, or afterwards


def test_a_flooded_log_is_read_followed_and_searched_around_the_cut(live: LiveServer) -> None:
    command = f"{sys.executable} -c '{FLOOD.replace(chr(39), chr(34))}'"
    with live.client() as client:
        job = ended(client, client.submit(training("flood", command)), "completed")
        text = live.cli("logs", job.id).stdout
        assert text.startswith("flood x")
        assert len(re.findall(r"\[danlu\] .* of output were cut here: a log keeps its first", text)) == 1
        assert text.endswith("the end\n")
        assert len(text) < 2 * MIB
        assert live.cli("logs", job.id, "--tail", "1").stdout == "the end\n"


def test_a_full_personal_directory_refuses_the_next_start_and_leaves_what_runs(live: LiveServer) -> None:
    with live.client() as client:
        running = client.submit(training("lasting", "sleep 600"))
        eventually(lambda: client.get(running.id).state == "running")
        fill = 'dd if=/dev/zero of="$DANLU_PERSONAL_DIR/data" bs=1M count=24 2>/dev/null'
        ended(client, client.submit(training("fill", fill)), "completed")
        eventually(lambda: _personal(client)["used"] > 16 * MIB)
        with pytest.raises(DiskLimit) as refused:
            client.submit(training("more", "true"))
        assert re.search(r"takes 2\d\.\d+MiB and may take 16MiB \(counted \S+ ago\)", refused.value.detail)
        assert client.get(running.id).state == "running"
        assert "personal directory: 2" in live.cli("quota", "show").stdout
        shutil.rmtree(live.data / "volumes" / _name(client))
        (live.data / "volumes" / _name(client)).mkdir()
        eventually(lambda: _personal(client)["used"] < 16 * MIB)
        ended(client, client.submit(training("after", "true")), "completed")
        client.stop(running.id)


def _name(client: Client) -> str:
    return client.me().user.name


def _personal(client: Client) -> Any:
    standing = client.quotas.of_user(_name(client))
    (row,) = [row for row in standing.storage if row.type == "local"]
    return {"used": row.used, "limit": row.limit, "counted_at": row.counted_at}


def test_uploads_are_bounded_per_archive_and_per_person(live: LiveServer, tmp_path: Path) -> None:
    with live.client() as client:
        with pytest.raises(TooLarge, match=r"4MiB"):
            client.create(coded("huge", code_of(tmp_path / "huge", 5 * MIB)))
        client.create(coded("first", code_of(tmp_path / "first", 3 * MIB)))
        with pytest.raises(
            TooLarge, match=r"keeps 3\.\d+MiB of uploaded code, and 3\.\d+MiB more would exceed 6MiB"
        ):
            client.create(coded("second", code_of(tmp_path / "second", 7 * MIB // 2)))
        assert re.search(r"uploaded code: 3(\.\d+)? ?MiB of 6 ?MiB", live.cli("quota", "show").stdout)


@pytest.mark.parametrize(
    ("size", "files", "said"),
    [(1000, 20, "contains more than 10 entries (setting unpack_entries)"),
     (2 * MIB, 1, "unpacks to more than 1,048,576 bytes (setting unpack_limit)")],
)  # fmt: skip
def test_an_archive_that_unpacks_to_too_much_fails_with_the_bound(
    live: LiveServer, tmp_path: Path, size: int, files: int, said: str
) -> None:
    with live.client() as client:
        job = coded(f"bomb-{files}", code_of(tmp_path / "code", size, files))
        made = client.submit(job)
        assert said in ended(client, made, "failed").reason.text["en"]


def test_nothing_starts_while_the_disk_has_less_than_the_reserve(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    low = live_server(tmp_path, "--virtual-nodes", "1x2xA100", DANLU_DISK_RESERVE=f"{2 * free}B")
    with low as server, server.client() as client:
        job = client.submit(training("waits", "true"))
        found = eventually(lambda: (one := client.get(job.id)).reason and one)
        assert found.state == "queued"
        assert found.reason.code == "nodes_low_on_disk"
        assert "disk_reserve" in server.cli("nodes").stderr
