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

    def end(self) -> None:
        """Kill the whole group and wait until all of it is gone, with its ports and files."""
        if not self.alive:
            return
        self.send(signal.SIGKILL)
        deadline = time.monotonic() + 20
        while has_members(self.pid) and time.monotonic() < deadline:
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


def has_members(group: int) -> bool:
    stats = (stat_of(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return any(int(fields[2]) == group for fields in stats if fields is not None)


def stat_of(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; None when the process has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    # The first thread may be gone while others still hold its ports and files.
    ended = fields[0] in ("Z", "X") and int(fields[17]) <= 1
    return None if ended else fields
