"""Which control groups this machine lets us use, and what a task's group must offer."""

from __future__ import annotations

import errno
import os
import signal
import time
from typing import NamedTuple

from danlu.runtime.isolation import tree


class CgroupLimits(NamedTuple):
    memory: int  # bytes; 0 = none, here and below
    cpu_milli: int
    pids: int


class CgroupMount(NamedTuple):
    """A mounted hierarchy with the directory of our own group in it."""

    point: str
    own: str


class NoCgroups(Exception):
    """No control groups; the text says why."""


class Missing(NoCgroups):
    """This version of control groups is not there at all."""


class ControlGroup:
    """One task's group: a directory, or one for each controller. `homes`: the launcher's, alike."""

    def __init__(self, directories: list[str], homes: list[str]) -> None:
        self.directories = directories
        self._homes = homes

    def join(self) -> None:
        """Move this process in; what it starts is born inside."""
        for directory in self.directories:
            write(f"{directory}/cgroup.procs", "0")

    def leave(self) -> None:
        """Move this process back to where the launcher is."""
        for home in self._homes:
            write(f"{home}/cgroup.procs", "0")

    def pids(self) -> list[int]:
        return [int(pid) for pid in read(f"{self.directories[0]}/cgroup.procs").split()]

    def kill(self) -> None:
        """Kill everything inside once; ask `pids` whether all are gone."""
        tree.signal_all(self.pids(), signal.SIGKILL)

    def oom_kills(self) -> int:
        raise NotImplementedError

    def memory_peak(self) -> int | None:
        raise NotImplementedError

    def memory_used(self) -> int | None:
        """Bytes in use now, without what the kernel merely keeps of files; None where it does not say."""
        raise NotImplementedError

    def cpu_us(self) -> int | None:
        """Microseconds of processor time used so far; None where nobody counts."""
        raise NotImplementedError

    def remove(self) -> None:
        """Remove the group; one that is still busy after a moment is left to the next launcher."""
        for directory in self.directories:
            for _ in range(50):
                if remove_directory(directory):
                    break
                time.sleep(0.002)


def mounts(kind: str) -> dict[str, CgroupMount]:
    """Hierarchies of a file system type (cgroup, cgroup2) by controller; cgroup2's key is empty."""
    own = {}
    for line in read("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            own[controller] = path
    found = {}
    for line in read("/proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        if after.split()[0] != kind:
            continue
        options = after.split()[2].split(",") if kind == "cgroup" else [""]
        for controller in own:
            if controller in options:
                found[controller] = CgroupMount(point, _inside(point, root, own[controller]))
    return found


def _inside(point: str, root: str, path: str) -> str:
    """Where our own group is below the mount point: a container's mount may show only a part of the tree."""
    if root != "/" and (path == root or path.startswith(root + "/")):
        path = path[len(root) :]
    directory = os.path.normpath(f"{point}/{path}")
    return directory if os.path.isdir(directory) else point


def explain(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def write(path: str, value: str) -> None:
    """One write call, as the kernel wants it."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


def counter(text: str, key: str) -> int:
    """The number after `key` in a file of `key number` lines."""
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0


def without_cache(current: str, cached: int, shared: int) -> int | None:
    """Memory without the page cache. Files in memory (`shared`) are kept there too, but cannot be dropped."""
    return max(0, int(current) - max(0, cached - shared)) if current.strip() else None


def remove_directory(directory: str) -> bool:
    """True when it is gone; False while it is busy."""
    try:
        os.rmdir(directory)
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENODEV)
    return True


def clear(parent: str) -> None:
    """Remove the empty groups that earlier launchers left."""
    try:
        names = os.listdir(parent)
    except OSError:
        return
    for name in names:
        if os.path.isdir(f"{parent}/{name}"):
            remove_directory(f"{parent}/{name}")
