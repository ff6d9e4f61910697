"""The person whose task it is: a user of this machine of their own, who finds what is laid out for them."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import Iterable

from danlu.ports import user_ids
from danlu.runtime.isolation import linux
from danlu.runtime.task import Person

_NOBODY = 65_534
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_STAGES = ("/mnt", "/media", "/srv")
"""Directories that every machine has and no sandbox needs: one of them is covered, in the task's own view only."""


def become(person: Person) -> None:
    """Be the person for good, with none of the privileges and groups of before, but those of their volumes."""
    os.setgroups(list(person.groups))
    become_inside(person)


def become_inside(person: Person) -> None:
    """In a sandbox, where groups cannot be changed any more."""
    os.setresgid(person.gid, person.gid, person.gid)
    os.setresuid(person.uid, person.uid, person.uid)


def somebody() -> Person | None:
    """Somebody to try a sandbox as; None where we cannot be anybody else."""
    if os.geteuid() != 0:
        return None
    ids = user_ids.task_ids(user_ids.own_map())
    uid = _NOBODY if ids is None else ids.first + ids.size - 1
    return Person(uid, uid, "nobody")


class Stage:
    """What the person must reach though it lies in folders that are closed to them, such as Danlu's own.

    Each thing gets a place where everybody finds it, in a view of the files that only the task's processes have."""

    def __init__(self, person: Person | None, make: Iterable[tuple[str, str]] = ()) -> None:
        self.person = person
        self.make = list(make)
        """Folders to make as that person: where, and their path there."""
        self._shown: list[str] = []
        self._root = next((path for path in _STAGES if os.path.isdir(path)), "/mnt")

    def place(self, source: str) -> str:
        """Where the sandbox is to look for it."""
        if self.person is None:
            return source
        self._shown.append(source)
        return f"{self._root}/{len(self._shown) - 1}"

    def set(self) -> None:
        """Lay everything out; from here on this process has a view of its own. OSError names what is missing."""
        linux.own_mounts()
        # Opened before the stage covers what may lie below it.
        opened = [(source, os.open(source, os.O_PATH | os.O_CLOEXEC)) for source in self._shown]
        linux.mount_memory(self._root)
        for number, (_, fd) in enumerate(opened):
            _lay_out(fd, f"{self._root}/{number}")
            os.close(fd)

    def make_folders(self) -> None:
        """As the person. What stands in the way is theirs too, and keeps nobody from starting."""
        for place, path in self.make:
            with contextlib.suppress(OSError):
                _make(place, path.split("/"))


def _make(place: str, names: list[str]) -> None:
    """One folder in the other, without following a link that somebody may have left there."""
    at = os.open(place, _FOLDER)
    try:
        for name in names:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, dir_fd=at)
            inner = os.open(name, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
    finally:
        os.close(at)


def _lay_out(fd: int, target: str) -> None:
    mode = os.fstat(fd).st_mode
    if stat.S_ISCHR(mode):
        # A node of the task's own: what it changes of that changes nothing of the machine's.
        with contextlib.suppress(PermissionError):
            os.mknod(target, stat.S_IFCHR | 0o666, os.fstat(fd).st_rdev)
            os.chmod(target, 0o666)
            return
    if stat.S_ISDIR(mode):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    linux.bind(f"/proc/self/fd/{fd}", target)


def is_strange(person: Person, path: str) -> bool:
    """Whether it belongs to somebody else than the person."""
    return os.lstat(path).st_uid != person.uid


def give(person: Person, folder: str) -> None:
    """Make the folder the person's, with everything in it.

    The folder itself comes last: when it is theirs, all of it is. Nothing is followed out of it."""
    top = os.open(folder, _FOLDER)
    try:
        for _, folders, files, at in os.fwalk(".", dir_fd=top, topdown=False):
            for name in (*folders, *files):
                os.chown(name, person.uid, person.gid, dir_fd=at, follow_symlinks=False)
        os.fchown(top, person.uid, person.gid)
    finally:
        os.close(top)


def accounts(person: Person | None, home: str) -> dict[str, str]:
    """What /etc/passwd and /etc/group say in the task: the machine's, with the person first, who has a shell and a
    home whatever the machine says of them."""
    uid, gid = (person.uid, person.gid) if person is not None else (os.geteuid(), os.getegid())
    passwd, group = _read("/etc/passwd"), _read("/etc/group")
    name = person.name if person is not None else _name_of(uid, passwd) or "danlu"
    # Nobody in a sandbox may give files to the group tty, which sshd would try.
    rest = [line for line in group.splitlines(keepends=True) if not line.startswith("tty:")]
    return {
        "/etc/passwd": f"{name}:x:{uid}:{gid}::{home}:/bin/sh\n{passwd}",
        "/etc/group": f"{name}:x:{gid}:\n{''.join(rest)}",
    }


def _name_of(uid: int, passwd: str) -> str:
    fields = (line.split(":") for line in passwd.splitlines())
    return next((entry[0] for entry in fields if entry[2:3] == [str(uid)]), "")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""
