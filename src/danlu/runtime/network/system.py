"""System calls about namespaces and other processes' files that Python lacks."""

from __future__ import annotations

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
# The same numbers on every architecture, as for all calls that are younger than these.
_PIDFD_OPEN, _PIDFD_GETFD = 434, 438


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags))


def enter(namespace: int, kind: int) -> None:
    """Go on in a namespace of this kind and no other. Of a process with threads, only the one that asks."""
    _checked(_libc.setns(namespace, kind))


def own_network() -> int:
    """A descriptor of the network namespace that the calling thread is in."""
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


def copy_descriptor(pid: int, number: int) -> int:
    """A copy of another process's open file; OSError where that process may not be traced, or has none."""
    process = _result(_libc.syscall(_PIDFD_OPEN, pid, 0))
    try:
        return _result(_libc.syscall(_PIDFD_GETFD, process, number, 0))
    finally:
        os.close(process)


def be_same_user(uid: int, gid: int) -> None:
    """In a new user namespace, stay who one was."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def _result(value: int) -> int:
    if value < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return value


def _checked(value: int) -> None:
    _result(-1 if value else 0)
