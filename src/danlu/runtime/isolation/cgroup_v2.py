"""Control groups, second version: one directory for all controllers."""

from __future__ import annotations

import os
import signal
import time

from danlu.runtime.isolation import cgroups, tree
from danlu.runtime.isolation.cgroups import CgroupLimits, CgroupMount, ControlGroup, Missing, NoCgroups

_PERIOD_US = 100_000
_CONTROLLERS = ("memory", "cpu", "pids")


class GroupV2(ControlGroup):
    def kill(self) -> None:
        """By the kernel in one go since Linux 5.14; before that freeze, kill, thaw."""
        directory = self.directories[0]
        if os.path.exists(f"{directory}/cgroup.kill"):
            cgroups.write(f"{directory}/cgroup.kill", "1")
            return
        cgroups.write(f"{directory}/cgroup.freeze", "1")
        for _ in range(20):
            if cgroups.counter(cgroups.read(f"{directory}/cgroup.events"), "frozen"):
                break
            time.sleep(0.001)
        tree.signal_all(self.pids(), signal.SIGKILL)
        cgroups.write(f"{directory}/cgroup.freeze", "0")

    def oom_kills(self) -> int:
        return cgroups.counter(cgroups.read(f"{self.directories[0]}/memory.events"), "oom_kill")

    def memory_peak(self) -> int | None:
        text = cgroups.read(f"{self.directories[0]}/memory.peak").strip()
        return int(text) if text else None

    def memory_used(self) -> int | None:
        stat = cgroups.read(f"{self.directories[0]}/memory.stat")
        cached, shared = cgroups.counter(stat, "file"), cgroups.counter(stat, "shmem")
        return cgroups.without_cache(cgroups.read(f"{self.directories[0]}/memory.current"), cached, shared)

    def cpu_us(self) -> int | None:
        text = cgroups.read(f"{self.directories[0]}/cpu.stat")
        return cgroups.counter(text, "usage_usec") if text else None


class DriverV2:
    version = "v2"

    def __init__(self, home: str, parent: str, controllers: set[str]) -> None:
        self._home = home
        self._parent = parent
        self._controllers = controllers

    def create(self, name: str, limits: CgroupLimits, freezable: bool) -> ControlGroup:  # noqa: ARG002 (every group can freeze)
        group = GroupV2([f"{self._parent}/{name}"], [self._home])
        try:
            os.makedirs(group.directories[0], exist_ok=True)
            self._limit(group.directories[0], limits)
        except OSError as error:
            group.remove()
            raise NoCgroups(f"a control group cannot be created: {cgroups.explain(error)}") from error
        return group

    def close(self) -> None:
        """Leave nothing behind, unless tasks still run."""
        cgroups.remove_directory(self._parent)

    def _limit(self, directory: str, limits: CgroupLimits) -> None:
        if limits.memory:
            cgroups.write(f"{directory}/memory.max", str(limits.memory))
            if os.path.exists(f"{directory}/memory.swap.max"):
                cgroups.write(f"{directory}/memory.swap.max", "0")
        if limits.cpu_milli and "cpu" in self._controllers:
            quota = max(1000, limits.cpu_milli * _PERIOD_US // 1000)
            cgroups.write(f"{directory}/cpu.max", f"{quota} {_PERIOD_US}")
        if limits.pids and "pids" in self._controllers:
            cgroups.write(f"{directory}/pids.max", str(limits.pids))


def find(label: str) -> DriverV2:
    mounts = cgroups.mounts("cgroup2")
    if "" not in mounts:
        raise Missing("this machine has no control groups")
    return find_below(mounts[""], label)


def find_below(mount: CgroupMount, label: str) -> DriverV2:
    """As near to our own group as may be.

    A group with processes in it cannot have children with limits, so it is often the next above, or as root
    the top."""
    trouble = ""
    base = mount.own
    while True:
        try:
            return _open(mount.own, base, label)
        except (OSError, NoCgroups) as error:
            trouble = trouble or cgroups.explain(error)
        if base == mount.point or not base.startswith(mount.point):
            raise NoCgroups(f"control groups cannot be used: {trouble}")
        base = os.path.dirname(base)


def _open(home: str, base: str, label: str) -> DriverV2:
    offered = [c for c in _CONTROLLERS if c in cgroups.read(f"{base}/cgroup.controllers").split()]
    if "memory" not in offered:
        raise NoCgroups(f"{base} has no memory controller")
    parent = f"{base}/{label}"
    os.makedirs(parent, exist_ok=True)
    try:
        for directory in (base, parent):
            enabled = cgroups.read(f"{directory}/cgroup.subtree_control").split()
            missing = [f"+{c}" for c in offered if c not in enabled]
            if missing:
                cgroups.write(f"{directory}/cgroup.subtree_control", " ".join(missing))
    except OSError:
        cgroups.remove_directory(parent)
        raise
    cgroups.clear(parent)
    return DriverV2(home, parent, set(offered))
