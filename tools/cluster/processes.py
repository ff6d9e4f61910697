"""The processes of a cluster: started in their machine, remembered on disk, ended by what was remembered."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.dev.stamps import write_stamp

# Nothing of the caller's environment (proxies, certificates, tokens) reaches the cluster.
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    # Kubelet asks whether it is in a cloud, and waits for an answer.
    "AWS_EC2_METADATA_DISABLED": "true",
}


@dataclass(frozen=True)
class Process:
    """A process that leads a group of its own; `started` tells it from a later one with the same pid."""

    name: str
    pid: int
    started: int
    command: tuple[str, ...]

    @property
    def alive(self) -> bool:
        if (started := start_time(self.pid)) is None:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, os.WNOHANG)
        return started == self.started

    def send(self, number: signal.Signals) -> None:
        """Reach the whole group; a process that is gone is left in peace."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def freeze(self) -> None:
        """Stop the whole group in its tracks, and return when every thread of it stands still: a signal is only a wish,
        and on a busy computer a thread may answer a few requests more before it is granted."""
        self.send(signal.SIGSTOP)
        deadline = time.monotonic() + 20
        while not all(is_still(pid) for pid in members(self.pid)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} could not be paused")
            time.sleep(0.005)

    def thaw(self) -> None:
        self.send(signal.SIGCONT)

    def end(self) -> None:
        """Kill the whole group and wait until all of it is gone, with its ports and files."""
        if not self.alive:
            return
        self.send(signal.SIGKILL)
        deadline = time.monotonic() + 20
        while members(self.pid) and time.monotonic() < deadline:
            time.sleep(0.02)


class Processes:
    """The records in one folder, by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, name: str, command: Sequence[str | Path], log: Path) -> Process:
        log.parent.mkdir(parents=True, exist_ok=True)
        words = [str(word) for word in command]
        with log.open("ab") as output:
            child = subprocess.Popen(
                words,
                env=ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        # It outlives the one who started it, who therefore never waits for it.
        child.returncode = 0
        process = Process(name, child.pid, start_time(child.pid) or 0, tuple(words))
        write_stamp(self.folder / f"{name}.json", asdict(process))
        return process

    def all(self) -> list[Process]:
        return [read_process(file) for file in sorted(self.folder.glob("*.json"))]

    def get(self, name: str) -> Process:
        return read_process(self.folder / f"{name}.json")


def read_process(file: Path) -> Process:
    content = json.loads(file.read_text())
    return Process(content["name"], content["pid"], content["started"], tuple(content["command"]))


def start_time(pid: int) -> int | None:
    """When the process began, in clock ticks since boot; None when it is gone or only waits to be reaped."""
    fields = stat_of(pid)
    return None if fields is None else int(fields[19])


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [pid for pid in pids if (fields := stat_of(pid)) is not None and int(fields[2]) == group]


def is_still(pid: int) -> bool:
    """Whether every thread of a process was stopped, or has ended."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return True
    stats = (read_stat(thread) for thread in threads)
    return all(fields is None or fields[0] in "TtZX" for fields in stats)


def stat_of(pid: int) -> list[str] | None:
    """What the kernel tells of a process; None when it has ended."""
    fields = read_stat(Path(f"/proc/{pid}"))
    if fields is None:
        return None
    # The first thread may be gone while others still hold its ports and files.
    ended = fields[0] in ("Z", "X") and int(fields[17]) <= 1
    return None if ended else fields


def read_stat(folder: Path) -> list[str] | None:
    """The fields of a process's or thread's stat file from its state on; None when it is gone."""
    try:
        return (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
