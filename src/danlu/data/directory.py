"""The data directory: its places, and who uses it at a time."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import socket
import time
from pathlib import Path

from danlu.data.once import made_once
from danlu.domain.errors import Conflict, DiskFull, Unavailable
from danlu.domain.words import NOTHING, Words, say


class DataDirectory:
    """Locks the directory for this process until `release`, alone or `shared` with others; Conflict names who uses
    it."""

    def __init__(self, root: Path, *, shared: bool = False) -> None:
        self.root = root.expanduser().absolute()
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            for place in (
                self.logs,
                self.runs,
                self.code,
                self.volumes,
                self.archives,
                self.volume_data,
                self.secrets,
                self.usage,
                self.results,
                self.datasets,
            ):
                place.mkdir(exist_ok=True, mode=0o700)
            self._lock = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unusable(self.root, error) from error
        self._take(fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    @property
    def id(self) -> str:
        """An id of this directory that stays the same wherever it is mounted."""
        try:
            return made_once(self.root / "id", lambda: secrets.token_hex(8).encode()).decode()
        except OSError as error:
            raise _unusable(self.root, error) from error

    @property
    def database(self) -> Path:
        return self.root / "danlu.db"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def code(self) -> Path:
        return self.root / "code"

    @property
    def volumes(self) -> Path:
        """Personal directories."""
        return self.root / "volumes"

    @property
    def archives(self) -> Path:
        """What people put away, each in a folder of their name."""
        return self.root / "archives"

    @property
    def volume_data(self) -> Path:
        """The files of volumes, each under its id."""
        return self.root / "volume-data"

    @property
    def bucket_cache(self) -> Path:
        """Copies of buckets that jobs mount; may be removed while none runs."""
        return self.root / "bucket-cache"

    @property
    def volume_use(self) -> Path:
        """What volumes take."""
        return self.usage / "volumes.json"

    @property
    def datasets(self) -> Path:
        """Versions of datasets, content by content."""
        return self.root / "datasets"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets"

    @property
    def usage(self) -> Path:
        return self.root / "usage"

    @property
    def results(self) -> Path:
        """Working folders of tasks that have ended."""
        return self.root / "results"

    @property
    def result_figures(self) -> Path:
        """What results take."""
        return self.usage / "results.json"

    @property
    def personal_use(self) -> Path:
        """What personal directories take."""
        return self.usage / "personal.json"

    def announce(self, url: str) -> None:
        """Write down the URL of this process, for others that find the directory in use."""
        note = {"pid": os.getpid(), "host": socket.gethostname(), "url": url, "since": int(time.time())}
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, json.dumps(note).encode(), 0)

    def release(self) -> None:
        os.close(self._lock)

    def _take(self, way: int) -> None:
        try:
            fcntl.flock(self._lock, way | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = self._holder()
            os.close(self._lock)
            raise Conflict(
                say(
                    "the data directory {root} is in use {holder}",
                    "数据目录 {root} 正被占用：{holder}",
                    root=self.root,
                    holder=holder,
                )
            ) from None
        self.announce("")

    def _holder(self) -> Words:
        try:
            note = json.loads(os.pread(self._lock, 4096, 0))
            since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(note["since"]))
            where = say(" at {url}", "（{url}）", url=note["url"]) if note["url"] else NOTHING
            return say(
                "by another Danlu (process {pid} on {host}{where}, since {since})",
                "{host} 上进程号为 {pid} 的丹炉{where}，自 {since} 起",
                pid=note["pid"],
                host=note["host"],
                where=where,
                since=since,
            )
        except (ValueError, KeyError):
            return Words("by another Danlu that is starting up", "另一个正在启动的丹炉")


def _unusable(root: Path, error: OSError) -> Unavailable:
    if error.errno == errno.ENOSPC:
        return DiskFull(
            say(
                "the disk of {root} is full; free some space and start again",
                "{root} 所在的磁盘已满，请腾出空间后重新启动",
                root=root,
            )
        )
    return Unavailable(
        say(
            "the data directory {root} cannot be used: {strerror}; choose another with --data",
            "数据目录 {root} 无法使用：{strerror}；请用 --data 更换",
            root=root,
            strerror=error.strerror,
        )
    )
