"""The few Linux calls that the standard library lacks."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal

_libc = ctypes.CDLL(None, use_errno=True)

_PR_SET_PDEATHSIG = 1
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_NS_GET_USERNS = 0xB701
_F_SETPIPE_SZ = 1031


def become_subreaper() -> None:
    """Orphans among our descendants become our children instead of init's."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Be killed when the parent goes; at once if it has gone already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def drop_capabilities() -> None:
    """Give up all privileges of root for good, files of its own excepted."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(64):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(ctypes.byref(header), ctypes.byref(nothing)))


def enter_namespace(fd: int) -> None:
    _checked(_libc.setns(fd, 0))


def owner_of_namespace(fd: int) -> int:
    """A descriptor of the user namespace that owns the given one."""
    return fcntl.ioctl(fd, _NS_GET_USERNS)


def widen_pipe(fd: int, size: int) -> None:
    """Ask for a larger pipe buffer; a system that refuses is fine."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(fd, _F_SETPIPE_SZ, size)


def _prctl(option: int, value: int) -> None:
    unsigned = ctypes.c_ulong
    _checked(_libc.prctl(option, unsigned(value), unsigned(0), unsigned(0), unsigned(0)))


def _checked(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
