"""The view of the machine that a task gets under bubblewrap: only what is named here or in its task.json."""

from __future__ import annotations

import os
import shutil
from typing import NamedTuple

from danlu.runtime.isolation import person, seccomp
from danlu.runtime.isolation.person import Stage
from danlu.runtime.isolation.trial import try_out
from danlu.runtime.isolation.view import Shown, TaskView
from danlu.runtime.task import SupervisedTask

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt")
# Topology and devices, as CUDA and NUMA libraries read them; not the control groups.
_SYS = ("/sys/devices", "/sys/class", "/sys/bus", "/sys/module")
# The kernel's settings belong to user 0, who needs no privilege to change them: a task that is root to itself as well.
_KERNEL = (
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
)
_LONGEST_HOST_NAME = 63


class NoSandbox(Exception):
    """bubblewrap cannot be used; the text says why."""


class Sandbox(NamedTuple):
    """A bubblewrap that works here, with the arguments every task shares."""

    program: str
    shared: list[str]
    visible: list[str]

    def arguments(
        self, task: SupervisedTask, directory: str, stage: Stage, status_fd: int, filter_fd: int
    ) -> list[str]:
        """Everything before the command; bubblewrap reports the child's pid and exit on `status_fd`, and reads which
        system calls are refused from `filter_fd`.

        To be handed over by descriptor: the environment may hold secrets, and command lines are public."""
        words = [*self.shared, "--json-status-fd", str(status_fd)]
        words += ["--seccomp", str(filter_fd)] if filter_fd >= 0 else []
        words += ["--size", str(task.shm)] if task.shm else []
        words += ["--perms", "1777", "--tmpfs", "/dev/shm"]
        for device in filter(os.path.exists, task.devices):
            words += ["--dev-bind", stage.place(device), device]
        for source, target, mode in task.binds:
            place = stage.place(source)
            words += [_BINDS[mode], place, target]
            stage.make += [(place, path) for owner, path in task.folders if owner == source]
        shown = [*self.visible, *(target for _, target, _ in task.binds)]
        for path in task.hidden:
            # What is not shown needs no cover, and every mount costs.
            words += ["--tmpfs", path] if _is_below(path, shown) else []
        words += ["--bind", stage.place(task.cwd), task.cwd, "--chdir", directory]
        if task.hostname:
            words += ["--hostname", host_name(task.hostname)]
        for path, text in _etc(task).items():
            words += ["--ro-bind", stage.place(_write(task.folder, path, text)), path]
        for name, value in task.env.items():
            words += ["--setenv", name, value]
        return words

    def view(self, task: SupervisedTask) -> TaskView:
        """What `arguments` shows, in the same order."""
        parts = [Shown(path, path, public=True) for path in self.visible]
        parts += [Shown(target, source) for source, target, _ in task.binds]
        parts += [Shown(path, None) for path in task.hidden]
        return TaskView([*parts, Shown(task.cwd, task.cwd)])


_BINDS = {"ro": "--ro-bind", "rw": "--bind", "shared": "--bind", "dev": "--dev-bind"}


def find_sandbox() -> Sandbox:
    """NoSandbox says why bubblewrap cannot be used; it is really tried, for many machines forbid it."""
    found = shutil.which("bwrap")
    if found is None:
        raise NoSandbox("bubblewrap is not installed")
    program = os.path.realpath(found)  # a link may lie where people cannot look
    words, visible = _shared()
    tried = [program, *words, "--", "/bin/true"]
    # As root it is tried as tasks run it: as somebody who is not.
    somebody = person.somebody()
    trouble = try_out([*tried[:1], "--disable-userns", *tried[1:]], somebody)
    if not trouble:
        return Sandbox(program, [*words, "--disable-userns"], visible)
    # Older ones cannot forbid further user namespaces; the refused system calls do.
    trouble = try_out(tried, somebody) if seccomp.available() else trouble
    if trouble:
        raise NoSandbox(f"bubblewrap does not work on this machine: {trouble}")
    return Sandbox(program, words, visible)


def _shared() -> tuple[list[str], list[str]]:
    words: list[str] = []
    visible: list[str] = []
    for path in (*_SYSTEM, *_SYS):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
        else:
            continue
        visible.append(path)
    resolver = os.path.dirname(os.path.realpath("/etc/resolv.conf"))
    if resolver.startswith("/run/") and os.path.isdir(resolver):
        words += ["--ro-bind", resolver, resolver]
    words += ["--proc", "/proc"]
    for path in _KERNEL:
        words += ["--ro-bind", path, path] if os.path.exists(path) else []
    words += ["--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/var/tmp", "--dir", "/run"]
    words += [
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--unshare-user",
    ]
    return words, visible


def host_name(name: str) -> str:
    """As much of the name as a host name may have; the index at its end tells tasks apart, so it stays."""
    if len(os.fsencode(name)) <= _LONGEST_HOST_NAME:
        return name
    head, dash, index = name.rpartition("-")
    end = dash + index if dash and index.isdigit() and len(index) < 20 else ""
    start = os.fsencode(head if end else name)[: _LONGEST_HOST_NAME - len(end)]
    return start.decode("utf-8", "ignore").rstrip("-.") + end


def _is_below(path: str, roots: list[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _etc(task: SupervisedTask) -> dict[str, str]:
    """Files of /etc that differ from the machine's."""
    files = person.accounts(task.person, task.env["HOME"])
    if task.hostname or task.hosts:
        files["/etc/hosts"] = _hosts(task)
    return files


def _hosts(task: SupervisedTask) -> str:
    """The machine's host names and the task's own: without an entry for its own name torchrun would hang."""
    lines = [f"{address} {name}\n" for address, name in task.hosts]
    own = [address for address, name in task.hosts if name == task.hostname]
    if task.hostname and (not own or host_name(task.hostname) != task.hostname):
        lines.append(f"{(own or ['127.0.0.1'])[0]} {host_name(task.hostname)}\n")
    try:
        with open("/etc/hosts", encoding="utf-8", errors="surrogateescape") as file:
            lines.append(file.read())
    except OSError:
        lines.append("127.0.0.1 localhost\n")
    return "".join(lines)


def _write(folder: str, name: str, text: str) -> str:
    """Of the same name in that folder, for all to read who are shown it; its path."""
    path = os.path.join(folder, os.path.basename(name))
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    os.chmod(path, 0o644)
    return path
