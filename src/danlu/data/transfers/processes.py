"""Processes that transfer: Implements ports.transfers.TransferWorkers on this machine.

volume-data/<volume>/transfers/<transfer>/    the room of one: what came of files that are not whole yet"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from danlu.data.files.descent import open_folder
from danlu.data.files.drafts import ROOMS, discard, room_of
from danlu.domain.file_names import escaped_path
from danlu.domain.transfers.problems import Problem, TransferStopped, bounded
from danlu.domain.transfers.transfer import TransferEnd, TransferProgress
from danlu.ports.transfers import OrderEnd, TransferOrder
from danlu.ports.volumes.changing import Hand, OpenVolume, VolumeFolders

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PATH = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_LINE = 1 << 16
_KEPT = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR")


class ProcessWorkers:
    """Start them from a thread that lives as long as they should: the kernel ends them with it. `reserve` bytes of the
    disk stay free, `limits` are size and entries that an archive may unpack to, and `allowed` the networks that may be
    reached besides the Internet. With `outside_local` buckets may be on this machine."""

    def __init__(
        self, reserve: int, limits: tuple[int, int], allowed: Sequence[str], outside_local: bool = False
    ) -> None:
        self._reserve, self._limits, self._allowed = reserve, limits, tuple(allowed)
        self._outside_local = outside_local

    def start(self, order: TransferOrder) -> WorkerProcess:
        with contextlib.ExitStack() as closing:
            try:
                fds = self._opened(order, closing)
            except OSError as error:
                raise TransferStopped("no_worker", why=error.strerror or error) from None
            return WorkerProcess(self._told(order, fds), [fd for fd in fds.values() if fd is not None])

    def tidy(self, transfer_id: str, at: VolumeFolders) -> None:
        if at.aside:
            with contextlib.suppress(FileNotFoundError), room_of(at, ROOMS) as rooms:
                discard(at, rooms, transfer_id.encode())

    def _opened(self, order: TransferOrder, closing: contextlib.ExitStack) -> dict[str, int | None]:
        target, source = order.target.volume, order.source.volume
        fds: dict[str, int | None] = dict.fromkeys(("files", "room", "from"))
        if order.source.left is not None:
            fds["from"] = _closed_by(closing, open_folder(order.source.left))
        if source is not None:
            fds["from"] = _closed_by(closing, os.open(source.folders.files, _PATH))
        if target is not None:
            fds["files"] = _closed_by(closing, os.open(target.folders.files, _PATH))
            fds["room"] = _closed_by(closing, _made_room(order.id, target))
        return fds

    def _told(self, order: TransferOrder, fds: dict[str, int | None]) -> dict[str, Any]:
        wish = {**asdict(order.wish), "existing": order.wish.existing.value}
        return {
            **fds,
            "person": _person(order),
            "source": _end(order.source.end),
            "target": _end(order.target.end),
            "from_bucket": _bucket(order.source),
            "to_bucket": _bucket(order.target),
            "outside_local": self._outside_local,
            "hand": asdict(_hand(order)),
            "wish": wish,
            "login": None if order.login is None else asdict(order.login),
            "most": order.most,
            "bound": order.bound,
            "reserve": self._reserve,
            "limits": self._limits,
            "allowed": self._allowed,
        }


class WorkerProcess:
    """Implements ports.transfers.TransferRun."""

    def __init__(self, order: dict[str, Any], fds: Sequence[int]) -> None:
        self._progress, self._problem = TransferProgress(), Problem("worker_died", {"how": "?"})
        self._complete = False
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", "danlu.data.transfers.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=fds,
                cwd="/",
                start_new_session=True,
                env={name: os.environ[name] for name in _KEPT if name in os.environ},
            )
        except OSError as error:
            raise TransferStopped("no_worker", why=error.strerror or error) from None
        self.pid = self._process.pid
        with contextlib.suppress(BrokenPipeError):
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.close()
        self._reader = threading.Thread(target=self._read, name=f"transfer {self.pid}", daemon=True)
        self._reader.start()

    def progress(self) -> TransferProgress:
        return self._progress

    def ended(self) -> bool:
        return not self._reader.is_alive()

    def problem(self) -> Problem | None:
        return None if self._complete else self._problem

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # git and its helpers with it
        self._reader.join()

    def _read(self) -> None:
        """Until its end. What it says is bounded: it reads what others wrote."""
        out = self._process.stdout
        assert out is not None
        with out:
            while line := out.readline(_LONGEST_LINE):
                self._hear(line)
        code = self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if self._problem.code == "worker_died":
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self._problem = Problem("worker_died", {"how": how})

    def _hear(self, line: bytes) -> None:
        try:
            said = json.loads(line)
            if "progress" in said:
                self._progress = TransferProgress(**said["progress"])
            elif "ended" in said and said["problem"] is None:
                self._complete = True
            elif "ended" in said:
                code, params = said["problem"]
                self._problem = Problem(str(code), {str(key): bounded(one) for key, one in params.items()})
        except (ValueError, TypeError, AttributeError):
            return


def _made_room(transfer_id: str, target: OpenVolume) -> int:
    """The transfer's own folder beside the volume, which its person's user may write to."""
    if not _ID.fullmatch(transfer_id):
        raise ValueError(f"{transfer_id!r} is no id")
    with room_of(target.folders, ROOMS) as rooms:
        with contextlib.suppress(FileExistsError):
            os.mkdir(transfer_id, 0o700, dir_fd=rooms)
        fd = os.open(transfer_id, _READ, dir_fd=rooms)
    if target.hand.uid is not None:
        os.fchown(fd, target.hand.uid, -1)
    return fd


def _person(order: TransferOrder) -> dict[str, Any]:
    """Where tasks run as users of their own, so do transfers; else as whoever runs Danlu."""
    hand = _hand(order)
    if hand.uid is None or os.geteuid() != 0:
        return {"uid": None, "gid": None, "groups": []}
    source = order.source.volume
    groups = {one for one in (hand.gid, source.hand.gid if source else None) if one is not None}
    return {"uid": hand.uid, "gid": hand.gid if hand.gid is not None else hand.uid, "groups": sorted(groups)}


def _hand(order: TransferOrder) -> Hand:
    """Of the volume that is written to; of the one that is read from, where it goes to a bucket."""
    volume = order.target.volume or order.source.volume
    assert volume is not None, "one end is on this machine's disk"
    return volume.hand


def _bucket(end: OrderEnd) -> dict[str, Any] | None:
    if end.bucket is None:
        return None
    return {"address": asdict(end.bucket), "login": None if end.key is None else asdict(end.key)}


def _closed_by(closing: contextlib.ExitStack, fd: int) -> int:
    closing.callback(os.close, fd)
    return fd


def _end(end: TransferEnd) -> dict[str, Any]:
    return {**asdict(end), "path": escaped_path(end.path)}
