"""The view of the machine that a task gets under bubblewrap: only what is named here or in its task.json."""

from __future__ import annotations

import os
import select
import shutil
import signal
from typing import NamedTuple

from danlu.runtime.isolation.cgroups import NoCgroups
from danlu.runtime.isolation.covers import Covers
from danlu.runtime.task import CannotStart, SupervisedTask

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt")
# Topology and devices, as CUDA and NUMA libraries read them; not the control groups.
_SYS = ("/sys/devices", "/sys/class", "/sys/bus", "/sys/module")
# Below these even root's own files are covered: without privileges tasks of a root server could read them.
_COVERED = ("/etc", "/opt")
# The kernel's settings belong to user 0, who needs no privilege to change them.
_KERNEL = (
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
)
_DEVICES = ("nvidia", "kfd", "dri", "infiniband")
_PRIVATE = ("/tmp", "/dev", "/proc")
_PROBE_SECONDS = 5.0
_LONGEST_HOST_NAME = 63


class Sandbox(NamedTuple):
    """A bubblewrap that works here, with the arguments every task shares."""

    program: str
    shared: list[str]
    visible: list[str]
    covers: Covers | None = None

    def arguments(self, task: SupervisedTask, directory: str, status_fd: int) -> list[str]:
        """Everything before the command; bubblewrap reports the child's pid and exit on `status_fd`.

        To be handed over by descriptor: the environment may hold secrets, and command lines are public."""
        words = [*self.shared, *self._covered(), "--json-status-fd", str(status_fd)]
        words += ["--size", str(task.shm)] if task.shm else []
        words += ["--perms", "1777", "--tmpfs", "/dev/shm"]
        for device in _devices() if task.devices is None else task.devices:
            words += ["--dev-bind-try", device, device]
        for source, target, mode in task.binds:
            words += [_BINDS[mode], source, target]
        shown = [*self.visible, *(target for _, target, _ in task.binds)]
        for path in task.hidden:
            # What is not shown needs no cover, and every mount costs.
            words += ["--tmpfs", path] if _is_below(path, shown) else []
        words += ["--bind", task.cwd, task.cwd, "--chdir", directory]
        if task.hostname:
            words += ["--hostname", host_name(task.hostname)]
        if task.hostname or task.hosts:
            words += ["--ro-bind", _write_hosts(task), "/etc/hosts"]
        for name, value in task.env.items():
            words += ["--setenv", name, value]
        return words

    def check_visible(self, program: str, task: SupervisedTask) -> None:
        """A program that is on the machine but not in the view deserves a better word than "not found"."""
        roots = [*self.visible, *_PRIVATE, task.cwd, *(target for _, target, _ in task.binds)]
        for path in (program, os.path.realpath(program)):
            if not _is_below(path, roots):
                raise CannotStart(f"{program} exists on the machine, but tasks cannot see {path}")
        targets = [task.cwd, *(target for _, target, _ in task.binds)]
        path = os.path.realpath(program)
        for cover in self.covers.paths() if self.covers is not None else []:
            if _is_below(path, [cover]) and not _is_below(path, targets):
                raise CannotStart(
                    f"{program} exists on the machine, but tasks cannot see {path}: "
                    f"{cover} is not readable for everyone; run chmod o+rX on it"
                )

    def _covered(self) -> list[str]:
        return self.covers.words() if self.covers is not None else []


_BINDS = {"ro": "--ro-bind", "rw": "--bind", "dev": "--dev-bind"}


def find_sandbox() -> Sandbox:
    """Unavailable says why bubblewrap cannot be used; it is really tried, for many machines forbid it."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoCgroups("bubblewrap is not installed")
    words, visible = _shared()
    # What another user may not read, the kernel keeps from that user's tasks too.
    covers = Covers(_COVERED if os.geteuid() == 0 else ())
    sandbox = Sandbox(program, words, visible, covers)
    trouble = _try([program, *words, *covers.words(), "--", "/bin/true"])
    if trouble:
        raise NoCgroups(f"bubblewrap does not work on this machine: {trouble}")
    return sandbox


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
    ]
    # As root a user namespace would add nothing that dropping every capability does not.
    words += ["--cap-drop", "ALL"] if os.geteuid() == 0 else ["--unshare-user"]
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


def _devices() -> list[str]:
    return [f"/dev/{name}" for name in os.listdir("/dev") if name.startswith(_DEVICES)]


def _write_hosts(task: SupervisedTask) -> str:
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
    path = os.path.abspath("hosts")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(lines)
    os.chmod(path, 0o644)
    return path


def _try(argv: list[str]) -> str:
    """Run it once; the empty string when it works, else what it said."""
    reader, writer = os.pipe()
    pid = os.posix_spawn(
        argv[0],
        argv,
        {},
        file_actions=[(os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, writer, 2)],
    )
    os.close(writer)
    said = b""
    while select.select([reader], [], [], _PROBE_SECONDS)[0]:
        data = os.read(reader, 4096)
        if not data:
            break
        said += data
    else:
        os.kill(pid, signal.SIGKILL)
        said = b"it does not end"
    os.close(reader)
    status = os.waitpid(pid, 0)[1]
    if status == 0:
        return ""
    return said.decode("utf-8", "replace").strip() or f"it ended with status {status}"
