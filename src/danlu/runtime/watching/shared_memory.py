"""What a task's sandbox keeps in memory as files: /dev/shm, its own /tmp, and whatever else only it has."""

from __future__ import annotations

import contextlib
import os
from typing import Iterable

_TRIED = 16
_LONGEST = 1 << 20
_PLACE = getattr(os, "O_PATH", 0) | os.O_NOFOLLOW | os.O_CLOEXEC


def memory_of(pids: Iterable[int]) -> int:
    """Bytes in file systems in memory that these processes have and we have not; 0 outside of a sandbox."""
    own = _in_memory("self")
    theirs: dict[str, tuple[int, str]] = {}
    for pid, _ in zip(pids, range(_TRIED)):
        for device, place in _in_memory(str(pid)).items():
            if device not in own:
                theirs.setdefault(device, (pid, place))
    return sum(_taken(pid, device, place) for device, (pid, place) in theirs.items())


def _in_memory(pid: str) -> dict[str, str]:
    """Where in its view each file system of this kind is, by device."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError), open(f"/proc/{pid}/mountinfo", errors="surrogateescape") as file:
        for line in file.read(_LONGEST).splitlines():
            told, _, kind = line.partition(" - ")
            fields = told.split(" ")
            if kind.startswith("tmpfs ") and len(fields) > 4:
                found.setdefault(fields[2], fields[4])
    return found


def _taken(pid: int, device: str, place: str) -> int:
    """0 if something else is there: nobody is led elsewhere by a link."""
    with contextlib.suppress(OSError, ValueError):
        fd = os.open(f"/proc/{pid}/root{_unescaped(place)}", _PLACE)
        try:
            there = os.fstat(fd).st_dev
            if f"{os.major(there)}:{os.minor(there)}" == device:
                found = os.statvfs(fd)
                return (found.f_blocks - found.f_bfree) * found.f_frsize
        finally:
            os.close(fd)
    return 0


def _unescaped(place: str) -> str:
    """The kernel writes blanks and the like as \\040."""
    first, *rest = place.split("\\")
    return first + "".join(chr(int(one[:3], 8)) + one[3:] for one in rest)
