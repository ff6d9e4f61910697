"""The cgroup under which a node keeps its pods, in either version of cgroups."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from tools.dev.steps import Stop

MOUNT = Path("/sys/fs/cgroup")
CONTROLLERS = ("cpu", "cpuacct", "cpuset", "memory", "pids")


def make_cgroup(name: str) -> None:
    roots = hierarchies()
    if not roots:
        raise Stop("no cgroups are mounted at /sys/fs/cgroup, which pods need.")
    for root in roots:
        enable_controllers(root)
        (root / name.lstrip("/")).mkdir(exist_ok=True)


def remove_cgroups(prefix: str) -> None:
    """Remove every tree whose name begins so, deepest first; processes that still leave get a moment."""
    for root in hierarchies():
        for top in root.glob(f"{prefix}*"):
            for here, _, _ in os.walk(top, topdown=False):
                remove_folder(Path(here))


def remove_folder(folder: Path) -> None:
    for _ in range(100):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.02)
        else:
            return


def hierarchies() -> list[Path]:
    """One folder for version 2; one per controller for version 1, and the other version's beside them."""
    if (MOUNT / "cgroup.controllers").exists():
        return [MOUNT]
    return [folder for folder in sorted(MOUNT.iterdir()) if (folder / "cgroup.procs").exists()]


def enable_controllers(root: Path) -> None:
    """Where a cgroup must be told what its children may have, as in version 2."""
    control = root / "cgroup.subtree_control"
    for controller in CONTROLLERS if control.exists() else ():
        with contextlib.suppress(OSError):
            control.write_text(f"+{controller}")
