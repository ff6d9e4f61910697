"""Removes folders of any size and depth: what is nested is first moved up, so that no way in is ever long."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ROUNDS = 8
"""How often a folder is read again that is not empty after everything in it was removed."""


def empty_folder(path: str) -> None:
    """Remove everything in the folder; what cannot be removed stays for the next time. A folder that is not there is
    empty."""
    try:
        top = os.open(path, _FOLDER)
    except FileNotFoundError:
        return
    stuck: set[str] = set()
    try:
        while names := [name for name in os.listdir(top) if name not in stuck]:
            for name in names:
                if not _removed(top, name):
                    stuck.add(name)
    finally:
        os.close(top)


def _removed(top: int, name: str) -> bool:
    """Whether it is gone; folders in it are in `top` then."""
    try:
        os.unlink(name, dir_fd=top)
        return True
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno not in (errno.EISDIR, errno.EPERM):
            return False
    for _ in range(_ROUNDS):
        try:
            _flatten(top, name)
            os.rmdir(name, dir_fd=top)
            return True
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                return False
    return False


def _flatten(top: int, name: str) -> None:
    with contextlib.suppress(PermissionError):
        os.chmod(name, 0o700, dir_fd=top)
    here = os.open(name, _FOLDER, dir_fd=top)
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    # A folder can only be moved by who may write to it: its way up is changed.
                    with contextlib.suppress(PermissionError):
                        os.chmod(entry.name, 0o700, dir_fd=here)
                    os.rename(entry.name, secrets.token_hex(8), src_dir_fd=here, dst_dir_fd=top)
                else:
                    os.unlink(entry.name, dir_fd=here)
    finally:
        os.close(here)
