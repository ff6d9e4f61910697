"""The few Linux calls that the standard library lacks."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import socket

_libc = ctypes.CDLL(None, use_errno=True)

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_NS_GET_USERNS = 0xB701
_F_SETPIPE_SZ = 1031
_CLONE_NEWNS, _CLONE_NEWUTS, _CLONE_NEWUSER = 0x20000, 0x4000000, 0x10000000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_BIND, _MS_REC, _MS_SLAVE = 4096, 16384, 1 << 19


def become_subreaper() -> None:
    """Orphans among our descendants become our children instead of init's."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Be killed when the parent goes; at once if it has gone already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def keep_to_itself() -> None:
    """Until the next program is run, processes of the same user may not look into this one: not at its memory, its
    environment, its files nor its view."""
    _prctl(_PR_SET_DUMPABLE, 0)


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


def own_view() -> None:
    """Go on in a view of the files that nobody shares, as the same user, who may change what is mounted in it until
    the next program is run. OSError where that is forbidden; root without privileges may not."""
    uid, gid = os.geteuid(), os.getegid()
    _checked(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS))
    _stay(uid, gid)


def own_host_name(name: str) -> None:
    """Be called so, and all that is started from here on; OSError where that is forbidden. Not with threads."""
    try:
        _checked(_libc.unshare(_CLONE_NEWUTS))
    except OSError:
        uid, gid = os.geteuid(), os.getegid()
        _checked(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWUTS))
        _stay(uid, gid)
    socket.sethostname(name)


def own_mounts() -> None:
    """Go on in a view of the files that nobody shares; what the machine unmounts goes from it too. For root."""
    _checked(_libc.unshare(_CLONE_NEWNS))
    _mount(b"none", "/", None, _MS_SLAVE | _MS_REC)


def bind(source: str, target: str) -> None:
    """Show a file in the place of another, or a folder with all that is mounted in it."""
    _mount(os.fsencode(source), target, None, _MS_BIND | _MS_REC)


def mount_memory(target: str) -> None:
    """An empty folder in memory, which everybody may look into."""
    _mount(b"danlu", target, b"tmpfs", _MS_NOSUID, b"mode=0755")


def show_own_network() -> None:
    """Let /sys tell of the interfaces of the network that we are in, no longer of the machine's; where a new one may
    not be mounted, of none. In a view of the files of our own."""
    try:
        _mount(b"sysfs", "/sys", b"sysfs", _MS_RDONLY | _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    except OSError:
        for folder in ("/sys/class/net", "/sys/devices/virtual/net"):
            if os.path.isdir(folder):
                mount_memory(folder)


def widen_pipe(fd: int, size: int) -> None:
    """Ask for a larger pipe buffer; a system that refuses is fine."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(fd, _F_SETPIPE_SZ, size)


def _mount(source: bytes, target: str, kind: bytes | None, flags: int, options: bytes | None = None) -> None:
    _checked(_libc.mount(source, os.fsencode(target), kind, ctypes.c_ulong(flags), options))


def _stay(uid: int, gid: int) -> None:
    """Be the same user in a new user namespace."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def _prctl(option: int, value: int) -> None:
    unsigned = ctypes.c_ulong
    _checked(_libc.prctl(option, unsigned(value), unsigned(0), unsigned(0), unsigned(0)))


def _checked(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
