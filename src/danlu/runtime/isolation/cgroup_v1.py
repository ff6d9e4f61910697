"""Control groups, first version: one directory per controller."""

from __future__ import annotations

import os
import signal
import time

from danlu.runtime.isolation import cgroups, tree
from danlu.runtime.isolation.cgroups import CgroupLimits, ControlGroup, Missing, NoCgroups

_PERIOD_US = 100_000


class GroupV1(ControlGroup):
    """The memory directory comes first: it is always there."""

    def kill(self) -> None:
        """Freeze, kill, thaw: nothing forks away meanwhile."""
        freezer = next((d for d in self.directories if os.path.exists(f"{d}/freezer.state")), None)
        if freezer is None:
            super().kill()
            return
        cgroups.write(f"{freezer}/freezer.state", "FROZEN")
        for _ in range(20):
            if cgroups.read(f"{freezer}/freezer.state").strip() == "FROZEN":
                break
            time.sleep(0.001)
        tree.signal_all(self.pids(), signal.SIGKILL)
        cgroups.write(f"{freezer}/freezer.state", "THAWED")

    def oom_kills(self) -> int:
        return cgroups.counter(cgroups.read(f"{self.directories[0]}/memory.oom_control"), "oom_kill")

    def memory_peak(self) -> int | None:
        text = cgroups.read(f"{self.directories[0]}/memory.max_usage_in_bytes").strip()
        return int(text) if text else None

    def memory_used(self) -> int | None:
        stat = cgroups.read(f"{self.directories[0]}/memory.stat")
        cached, shared = cgroups.counter(stat, "total_cache"), cgroups.counter(stat, "total_shmem")
        return cgroups.without_cache(
            cgroups.read(f"{self.directories[0]}/memory.usage_in_bytes"), cached, shared
        )

    def cpu_us(self) -> int | None:
        """Most systems mount the controllers `cpu` and `cpuacct` as one; the others are not made to count."""
        for directory in self.directories:
            text = cgroups.read(f"{directory}/cpuacct.usage").strip()
            if text:
                return int(text) // 1000
        return None


class DriverV1:
    """Makes groups below the one that the launcher was started in: limits set from outside hold too."""

    version = "v1"

    def __init__(self, parents: dict[str, str]) -> None:
        """`parents`: by controller, the directory that the groups of tasks are made in."""
        self._parents = parents

    def create(self, name: str, limits: CgroupLimits, freezable: bool) -> ControlGroup:
        """Only the controllers that do something for this task: each costs a third of a millisecond."""
        wanted = ["memory"]
        wanted += ["cpu"] if limits.cpu_milli else []
        wanted += ["pids"] if limits.pids else []
        wanted += ["freezer"] if freezable else []
        directories = {c: f"{self._parents[c]}/{name}" for c in wanted if c in self._parents}
        group = GroupV1(list(directories.values()), [os.path.dirname(self._parents[c]) for c in directories])
        try:
            for directory in directories.values():
                os.makedirs(directory, exist_ok=True)
            self._limit(directories, limits)
        except OSError as error:
            group.remove()
            raise NoCgroups(f"a control group cannot be created: {cgroups.explain(error)}") from error
        return group

    def close(self) -> None:
        """Leave nothing behind, unless tasks still run."""
        for parent in self._parents.values():
            cgroups.remove_directory(parent)

    def _limit(self, directories: dict[str, str], limits: CgroupLimits) -> None:
        if limits.memory:
            memory = directories["memory"]
            cgroups.write(f"{memory}/memory.limit_in_bytes", str(limits.memory))
            swap = f"{memory}/memory.memsw.limit_in_bytes"
            if os.path.exists(swap):
                cgroups.write(swap, str(limits.memory))
        if "cpu" in directories:
            quota = max(1000, limits.cpu_milli * _PERIOD_US // 1000)
            cgroups.write(f"{directories['cpu']}/cpu.cfs_period_us", str(_PERIOD_US))
            cgroups.write(f"{directories['cpu']}/cpu.cfs_quota_us", str(quota))
        if "pids" in directories:
            cgroups.write(f"{directories['pids']}/pids.max", str(limits.pids))


def find(label: str) -> DriverV1:
    """The driver, if its memory controller can be used; the other controllers as far as they can."""
    mounts = cgroups.mounts("cgroup")
    if "memory" not in mounts:
        raise Missing("this machine has no control groups with a memory controller")
    parents: dict[str, str] = {}
    for controller in ("memory", "cpu", "pids", "freezer"):
        if controller not in mounts:
            continue
        parent = f"{mounts[controller].own}/{label}"
        try:
            os.makedirs(parent, exist_ok=True)
        except OSError as error:
            if controller == "memory":
                raise NoCgroups(f"control groups cannot be written: {cgroups.explain(error)}") from error
            continue
        cgroups.clear(parent)
        parents[controller] = parent
    return DriverV1(parents)
