"""A machine of the cluster: its own network, its own processes, its own view of the file system.

Its first process adopts and reaps what others leave; when that ends, the kernel ends everything in the machine.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path

from tools.cluster.layout import Layout
from tools.cluster.processes import Process, Processes
from tools.dev.steps import Stop

# Kubelet's path for device plugins cannot be changed.
KUBELET_HOME = Path("/var/lib/kubelet")


def start_machine(layout: Layout, processes: Processes, machine: str) -> Process:
    """Have the machine ready to be entered when this returns."""
    folder = layout.folder(machine)
    for part in ("log", "kubelet-home"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    KUBELET_HOME.mkdir(parents=True, exist_ok=True)
    ready = folder / "ready"
    ready.unlink(missing_ok=True)
    script = f"""
        set -e
        mount --make-rshared /
        mount -t tmpfs -o mode=755 tmpfs /run
        mount --bind {shlex.quote(str(folder / "log"))} /var/log
        mount --bind {shlex.quote(str(folder / "kubelet-home"))} {KUBELET_HOME}
        # Kubelet would report every process that this computer ever ran out of memory with.
        mount --bind /dev/null /dev/kmsg
        touch {shlex.quote(str(ready))}
        set +e
        while :; do sleep 86400 & wait $!; done
    """
    namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]
    command = [
        "nsenter",
        f"--net={layout.namespace_file(machine)}",
        "unshare",
        *namespaces,
        "sh",
        "-c",
        script,
    ]
    holder = processes.start(holder_name(machine), command, layout.log(f"machine@{machine}"))
    deadline = time.monotonic() + 20
    while not ready.exists():
        if not holder.alive or time.monotonic() > deadline:
            raise Stop(f"the machine {machine} did not start: {layout.log(f'machine@{machine}')} says why.")
        time.sleep(0.01)
    return holder


def inside(layout: Layout, processes: Processes, machine: str, command: Sequence[str | Path]) -> list[str]:
    """The command that runs another one inside the machine."""
    pid = processes.get(holder_name(machine)).pid
    entries = [
        f"--net={layout.namespace_file(machine)}",
        f"--mount=/proc/{pid}/ns/mnt",
        f"--pid=/proc/{pid}/ns/pid_for_children",
    ]
    return ["nsenter", *entries, *(str(word) for word in command)]


def holder_name(machine: str) -> str:
    return f"machine@{machine}"
