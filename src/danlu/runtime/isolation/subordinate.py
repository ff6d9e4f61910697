"""Subordinate user ids: an ordinary user who has a range of them is root among them, in a user namespace."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import sys
from typing import TYPE_CHECKING, Iterable, NamedTuple

from danlu.runtime.isolation import holder

if TYPE_CHECKING:
    import subprocess

_FILES = ("/etc/subuid", "/etc/subgid")
_PROGRAMS = ("newuidmap", "newgidmap")
_PATIENCE = 20
_CLONE_NEWUSER = 0x10000000
NO_RANGE, NOT_INSTALLED, NOT_WORKING = "no_range", "not_installed", "not_working"


class NoIds(Exception):
    """There are none; `cause` is a code, the text says more."""

    def __init__(self, cause: str, text: str) -> None:
        super().__init__(text)
        self.cause = cause


class SubordinateIds(NamedTuple):
    """Ranges of the machine's ids that one user may use: where the user ids begin, where the group ids do, and how
    many there are of both."""

    uids: int
    gids: int
    size: int


def find_ids() -> SubordinateIds:
    """Those of the user we are; NoIds says what is missing."""
    uid = os.getuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        raise NoIds(NO_RANGE, str(uid)) from None
    ranges = [widest_range(_lines(path), name, uid) for path in _FILES]
    users, groups = ranges
    if users is None or groups is None:
        raise NoIds(NO_RANGE, name)
    if not all(map(shutil.which, _PROGRAMS)):
        raise NoIds(NOT_INSTALLED, "newuidmap and newgidmap are not installed")
    return SubordinateIds(users[0], groups[0], min(users[1], groups[1]))


def widest_range(lines: Iterable[str], name: str, uid: int) -> tuple[int, int] | None:
    """First id and number of ids that such a file gives to a user, who stands there by name or by number."""
    found = []
    for line in lines:
        parts = line.strip().split(":")
        if len(parts) == 3 and parts[0] in (name, str(uid)) and parts[1].isdigit() and parts[2].isdigit():
            found.append((int(parts[1]), int(parts[2])))
    return max((one for one in found if one[1]), key=lambda one: one[1], default=None)


def make_namespace(first: int, folder: str) -> int:
    """A descriptor of a user namespace where we are user 0 and our subordinate ids are those from `first` on. They are
    tried out in the folder: not every file system lets files be given to them. NoIds where it cannot be had."""
    import subprocess  # launchers of root never need it

    ids = find_ids()
    # Not a fork: until it is mapped others may look into it, so it must hold nothing of ours.
    with subprocess.Popen(
        [sys.executable, "-I", holder.__file__, folder, str(first)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
        text=True,
    ) as held:
        _expect(held, "+")
        for program, own, start in zip(_PROGRAMS, (os.getuid(), os.getgid()), ids[:2]):
            _run([program, *map(str, (held.pid, 0, own, 1, first, start, ids.size))])
        assert held.stdin is not None
        held.stdin.write("\n")
        held.stdin.flush()
        _expect(held, "ok")
        return os.open(f"/proc/{held.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)


def why_none(folder: str) -> NoIds:
    """Why a Danlu that is not in such a namespace is not."""
    try:
        os.close(make_namespace(1, folder))
    except NoIds as missing:
        return missing
    except OSError as error:
        return NoIds(NOT_WORKING, error.strerror or str(error))
    return NoIds(NOT_WORKING, "they work here, but this Danlu was started without them")


def namespace_of(pid: int) -> int | None:
    """A descriptor of another process's user namespace, if it is not ours and we may enter it."""
    try:
        found = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    if os.path.samestat(os.fstat(found), os.stat("/proc/self/ns/user")):
        os.close(found)
        return None
    return found


def enter(namespace: int) -> None:
    """Go on in there, for good. OSError where that is refused; not with threads."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _CLONE_NEWUSER) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _expect(held: subprocess.Popen[str], wanted: str) -> None:
    assert held.stdout is not None
    said = held.stdout.readline().strip()
    if said != wanted:
        held.kill()
        raise NoIds(NOT_WORKING, said or "user namespaces cannot be made")


def _run(command: list[str]) -> None:
    import subprocess

    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_PATIENCE)
    except subprocess.CalledProcessError as error:
        raise NoIds(NOT_WORKING, error.stderr.strip() or f"{command[0]} fails") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise NoIds(NOT_WORKING, str(error)) from error


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20).splitlines()
    except OSError:
        return []
