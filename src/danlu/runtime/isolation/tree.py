"""Processes below a process: who they are, what they use, and how to end them."""

from __future__ import annotations

import contextlib
import os
import resource
from typing import Iterable

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_CHUNK, _MOST = 1 << 16, 4 << 20
"""Bytes of one file in /proc: a process decides itself where its environment ends."""


def descendants(root: int) -> list[int]:
    """Everything below `root`, parents first; only complete while nothing forks or dies."""
    found = []
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def has_children(pid: int) -> bool:
    """Unlike what is found below a process, certain also while some of it dies and its children move up."""
    return bool(_children(pid))


def signal_all(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def memory_of(pids: Iterable[int], limit: int) -> int:
    """Bytes in use. The exact count, shared pages shared out, is dear: made when a rough one is too high."""
    pids = list(pids)
    rough = sum(_resident(pid) for pid in pids)
    return rough if rough <= limit else sum(_proportional(pid) for pid in pids)


def cpu_ms(pids: Iterable[int]) -> int:
    """Processor time used so far, the children they have waited for included."""
    ticks = 0
    for pid in pids:
        _, _, fields = _read(f"/proc/{pid}/stat").rpartition(b") ")
        ticks += sum(int(field) for field in fields.split()[11:15])
    return ticks * 1000 // _TICKS


def reaped_cpu_ms() -> int:
    """Processor time of the children that this process has waited for, and of all that they waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((usage.ru_utime + usage.ru_stime) * 1000)


def largest_reaped() -> int:
    """Bytes that the largest of them used."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def carrying(cookie: bytes) -> list[int]:
    """Processes whose environment holds exactly this `NAME=value`."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and cookie in _read(f"/proc/{entry}/environ").split(b"\0"):
            found.append(int(entry))
    return found


def name_of(pid: int) -> str:
    """The first 15 characters of its program's name, or nothing when it has gone."""
    return _read(f"/proc/{pid}/comm").decode("utf-8", "replace").rstrip("\n")


def is_zombie(pid: int) -> bool:
    """Dead but not yet reaped; so is what has gone altogether."""
    _, _, fields = _read(f"/proc/{pid}/stat").rpartition(b") ")
    return fields[:1] in (b"Z", b"X", b"")


def _children(pid: int) -> list[int]:
    found = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    for thread in threads:
        found += [int(child) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]
    return found


def _resident(pid: int) -> int:
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if len(fields) > 1 else 0


def _proportional(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(pid)


def _read(path: str) -> bytes:
    data = b""
    try:
        with open(path, "rb", buffering=0) as file:
            while len(data) < _MOST:
                more = file.read(_CHUNK)
                if not more:
                    break
                data += more
    except OSError:
        return b""
    return data
