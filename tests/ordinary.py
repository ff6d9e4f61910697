"""An ordinary user of this machine with subordinate ids, whom only the processes started here see."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import danlu

UID, NAME = 12_346, "smith"
FIRST_SUBORDINATE, SUBORDINATES = 1_640_000_000, 65_536
RANGE = f"{NAME}:{FIRST_SUBORDINATE}:{SUBORDINATES}\n"


class OrdinaryUser:
    """`root` is a folder of theirs. With no `range` they have no subordinate ids."""

    def __init__(self, root: Path, view: Path) -> None:
        self.root, self._view = root, view
        self.range = RANGE

    def command(self, *words: str) -> list[str]:
        """The command that runs these words as that user; it becomes them, so its process is theirs."""
        about = {
            "passwd": f"{NAME}:x:{UID}:{UID}::{self.root}:/bin/sh\n" + Path("/etc/passwd").read_text(),
            "group": f"{NAME}:x:{UID}:\n" + Path("/etc/group").read_text(),
            "subuid": self.range,
            "subgid": self.range,
        }
        lines = ["set -e"]
        for name, text in about.items():
            (self._view / name).write_text(text)
            (self._view / name).chmod(0o644)
            Path("/etc", name).touch()
            lines.append(f"mount --bind {self._view}/{name} /etc/{name}")
        become = ["setpriv", "--reuid", str(UID), "--regid", str(UID), "--clear-groups", *words]
        lines += [*_open_ways(self._view), f"exec {shlex.join(become)}"]
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines)]

    @contextlib.contextmanager
    def acting(self) -> Iterator[None]:
        """What this process makes meanwhile is theirs."""
        os.setegid(UID)
        os.seteuid(UID)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)


def _open_ways(view: Path) -> list[str]:
    """Lets everybody reach Python and Danlu, which may lie in root's own folder: in this view alone."""
    needed = sorted({sys.prefix, sys.base_prefix, str(Path(danlu.__file__).parent.parent)})
    closed = {path: at for path in needed if (at := _closed_above(Path(path)))}
    lines = []
    for number, path in enumerate(closed):
        lines += [f"mkdir -p {view}/{number}", f"mount --bind {path} {view}/{number}"]
    lines += [f"mount -t tmpfs -o mode=755 danlu {folder}" for folder in sorted(set(closed.values()))]
    for number, path in enumerate(closed):
        lines += [f"mkdir -p {path}", f"mount --move {view}/{number} {path}"]
    return lines


def _closed_above(path: Path) -> str:
    return next((str(folder) for folder in path.parents[::-1] if not folder.stat().st_mode & 0o001), "")


@contextlib.contextmanager
def ordinary_user() -> Iterator[OrdinaryUser]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o755)
        root, view = Path(place, "home"), Path(place, "view")
        for folder in (root, view):
            folder.mkdir()
        os.chown(root, UID, UID)
        yield OrdinaryUser(root, view)
