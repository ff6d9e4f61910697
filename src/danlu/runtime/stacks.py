"""Tells where the processes of a running task are: `python -m danlu.runtime.stacks TASK_DIR [PY_SPY]`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any, Iterator

from danlu.ports import supervision
from danlu.runtime.isolation import tree

MOST_PROCESSES = 20
EACH_S = 10.0
ALL_S = 15.0
"""Time limit for all processes together: the caller waits no longer."""
_STATES = {
    "R": "running", "S": "sleeping", "D": "waiting for a device", "T": "stopped", "t": "held by a debugger",
    "I": "idle",
}  # fmt: skip
_STOPPED = ("T", "t")
_LONGEST_COMMAND = 300
_LONGEST_TEXT = 1 << 16
_TICKS = os.sysconf("SC_CLK_TCK")
_WITHOUT = (
    "Install py-spy in the task's Python environment, in Danlu's own or on PATH to see the stacks of Python "
    "processes here."
)


def main(argv: list[str]) -> int:
    """Prints what is found; 126 and a sentence when the task does not run, 2 when asked wrongly."""
    if not 1 <= len(argv) <= 2:
        print("usage: python -m danlu.runtime.stacks TASK_DIR [PY_SPY]", file=sys.stderr)
        return 2
    supervisor = _supervisor(argv[0])
    if supervisor is None:
        print("the task is not running", file=sys.stderr)
        return 126
    for part in told(_members(supervisor), argv[1] if len(argv) > 1 else None):
        print(part)
    return 0


def told(pids: list[int], py_spy: str | None) -> Iterator[str]:
    """A paragraph for each process, and what more there would be to know."""
    until, lacking = time.monotonic() + ALL_S, False
    for pid in pids[:MOST_PROCESSES]:
        process = _Process(pid)
        if process.gone:
            continue
        stacks = ""
        if process.is_python:
            lacking = lacking or py_spy is None
            stacks = _dumped(py_spy, process, until - time.monotonic()) if py_spy else ""
        yield f"process {pid}: {process.command}\n{process.standing}\n{stacks}"
    if len(pids) > MOST_PROCESSES:
        yield f"and {len(pids) - MOST_PROCESSES} more processes"
    if lacking:
        yield _WITHOUT


def _supervisor(task_dir: str) -> int | None:
    if not supervision.is_alive(task_dir):
        return None
    records, _ = supervision.read_status(task_dir)
    return next((record["supervisor"] for record in records if record["event"] == supervision.STARTING), None)


def _members(supervisor: int) -> list[int]:
    """The task's processes, without those of the sandbox itself."""
    return [pid for pid in tree.descendants(supervisor) if _text(f"/proc/{pid}/comm").strip() != "bwrap"]


class _Process:
    """What /proc says of a process at one moment."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        _, _, rest = _text(f"/proc/{pid}/stat").rpartition(") ")
        self._fields = rest.split()
        self.gone = not self._fields or self._fields[0] in ("Z", "X")

    @property
    def command(self) -> str:
        words = " ".join(_text(f"/proc/{self.pid}/cmdline").replace("\0", " ").split())
        words = words or _text(f"/proc/{self.pid}/comm").strip()
        return words if len(words) <= _LONGEST_COMMAND else words[:_LONGEST_COMMAND] + "…"

    @property
    def stopped(self) -> bool:
        return self._fields[0] in _STOPPED

    @property
    def is_python(self) -> bool:
        """By its program, whatever it is called as: torchrun and the like are Python too."""
        try:
            program = os.readlink(f"/proc/{self.pid}/exe")
        except OSError:
            program = self.command.partition(" ")[0]
        return os.path.basename(program).startswith("python")

    @property
    def standing(self) -> str:
        """Its state, where it waits in the kernel, and how much of its life it has worked."""
        state = _STATES.get(self._fields[0], self._fields[0])
        waits = _text(f"/proc/{self.pid}/wchan").strip("0\n ")
        used = sum(int(field) for field in self._fields[11:13]) / _TICKS
        uptime = float(_text("/proc/uptime").partition(" ")[0] or 0)
        life = max(0.0, uptime - int(self._fields[19]) / _TICKS)
        where = f" in {waits}" if waits else ""
        return f"{state}{where}; {used:.1f} s of CPU time in {life:.0f} s"


def _dumped(py_spy: str, process: _Process, left: float) -> str:
    """What py-spy sees, or why it cannot. It cannot halt what is stopped already, and need not."""
    if left <= 0:
        return "(no time was left to take its stacks)\n"
    still = ["--nonblocking"] if process.stopped else []
    command = [py_spy, "dump", *still, "--pid", str(process.pid)]
    quiet: dict[str, Any] = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }
    try:
        said = subprocess.run(command, timeout=min(EACH_S, left), check=False, **quiet)
    except subprocess.TimeoutExpired:
        return f"(py-spy found nothing within {min(EACH_S, left):.0f} s)\n"
    except OSError as error:
        return f"(py-spy cannot be run: {error.strerror})\n"
    if said.returncode:
        return f"(py-spy: {_refusal(said.stderr)})\n"
    lines = said.stdout.decode("utf-8", "replace").splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("Python v")), 0)
    return "\n".join(lines[first:]) + "\n"


def _refusal(said: bytes) -> str:
    """Its last cause, without the trace of py-spy itself."""
    text = said.decode("utf-8", "replace").partition("Stack backtrace:")[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and lines[0].startswith("Permission Denied"):
        return "this user is not allowed to inspect the process (see ptrace_scope in `man ptrace`)"
    return lines[-1] if lines else "no stacks found"


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST_TEXT)
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
