"""The first step of a Danlu that an ordinary user starts: to be root among their subordinate user ids, if any.

From there on all is as for root. There is no way back, and it takes a process without threads."""

from __future__ import annotations

import contextlib
import logging
import os
import pwd
import shutil
from collections.abc import Iterator
from pathlib import Path

from danlu.domain.errors import Unavailable
from danlu.domain.people import FIRST_UID
from danlu.domain.words import Words
from danlu.files.settings import Settings
from danlu.ports import supervision
from danlu.ports.user_ids import machine_uid
from danlu.runtime.isolation import subordinate

log = logging.getLogger(__name__)


def take_own_ids(settings: Settings) -> None:
    """Where that cannot be had all people are one user, and nodes say why. Unavailable when files of people belong to
    users that are out of reach now."""
    if os.geteuid() == 0 or settings.engine != "local":
        return
    root = settings.data.expanduser().absolute()
    # Without a sandbox tasks are plain processes of whoever starts them: they must not be root among others' ids.
    if settings.isolation != "process" and shutil.which("bwrap"):
        _enter(root)
    _must_reach(root / "volumes")
    _must_reach(root / "archives")


def _enter(root: Path) -> None:
    """The namespace of what runs already, or else a new one: only from inside the same one can tasks be entered."""
    with contextlib.suppress(OSError):
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
    _remember_who_we_are()
    for pid in _at_work(root / "runs"):
        living = subordinate.namespace_of(pid)
        if living is not None and _entered(living):
            return
    try:
        _entered(subordinate.make_namespace(FIRST_UID, str(root)))
    except (subordinate.NoIds, OSError) as error:
        log.debug("no subordinate user ids: %s", error)


def _entered(namespace: int) -> bool:
    try:
        subordinate.enter(namespace)
    except OSError as error:
        log.debug("a user namespace cannot be entered: %s", error)
        return False
    finally:
        os.close(namespace)
    return True


def _remember_who_we_are() -> None:
    """Inside we look like root: programs would take root's home, and PostgreSQL's root for ours."""
    with contextlib.suppress(KeyError):
        account = pwd.getpwuid(os.getuid())
        os.environ.setdefault("HOME", account.pw_dir)
        os.environ.setdefault("PGUSER", account.pw_name)


def _at_work(runs: Path) -> Iterator[int]:
    """Processes of this data directory: its launcher, unless that is idle and the range is another now; else
    supervisors that outlived theirs."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        launcher = supervision.ask_launcher(str(runs), {"ping": True})[0]
        if launcher["supervisors"] or _how_many() in (None, launcher["ids"]):
            yield launcher["pid"]
            return
    for task in sorted(runs.glob("*/*")):
        if supervision.is_alive(str(task)):
            records, _ = supervision.read_status(str(task))
            yield from (record["supervisor"] for record in records[:1] if "supervisor" in record)


def _how_many() -> int | None:
    with contextlib.suppress(subordinate.NoIds):
        return subordinate.find_ids().size
    return None


def _must_reach(volumes: Path) -> None:
    """What people wrote under other ids must not silently be missing."""
    try:
        folders = [Path(entry.path) for entry in os.scandir(volumes)]
    except OSError:
        return
    for folder in folders:
        owner = folder.lstat().st_uid
        if owner != os.geteuid() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise Unavailable(
                _OUT_OF_REACH.fill(folder=folder, owner=owner, us=machine_uid(), volumes=volumes)
            )


_OUT_OF_REACH = Words(
    "{folder} belongs to user {owner}, as whom this Danlu cannot act: it was written by a Danlu that ran as root, or "
    "with other subordinate user ids. Bring these back (packages bubblewrap and uidmap, the former lines in "
    "/etc/subuid and /etc/subgid), or as root: chown -R {us}: {volumes}",
    "{folder} 属于用户 {owner}，当前的丹炉无法以其身份操作：写入它的丹炉当时以 root 运行，或使用另一段从属 uid。"
    "请恢复原状（安装 bubblewrap 和 uidmap，恢复 /etc/subuid 和 /etc/subgid 中原有的行），"
    "或以 root 执行：chown -R {us}: {volumes}",
)
