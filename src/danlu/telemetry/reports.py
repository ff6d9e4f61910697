"""Reports that tasks sent over the network, in the same files that tasks on this machine write."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Sequence
from pathlib import Path

from danlu.domain.errors import DiskFull, TooLarge, Unavailable
from danlu.domain.quantity import show_size
from danlu.domain.words import say
from danlu.ports import reports
from danlu.ports.logs import LogKey
from danlu.ports.reports import ReportedPoint, Save
from danlu.telemetry.logs import log_path

LARGEST_FILE = 1 << 30
"""How much one run may report in total: a task in a cluster must not fill the server's disk."""


class FileReports:
    """The ReportStore over `logs/` of the data directory."""

    def __init__(self, root: Path, largest_file: int = LARGEST_FILE) -> None:
        self._root, self._largest_file = root, largest_file

    def keep(self, key: LogKey, points: Sequence[ReportedPoint], saves: Sequence[Save]) -> None:
        folder = reports.reports_folder(str(log_path(self._root, key)))
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            if saves:
                self._append(folder, reports.CHECKPOINTS_FILE, b"".join(map(reports.save_line, saves)))
            if points:
                self._append(folder, reports.METRICS_FILE, b"".join(map(reports.point_line, points)))
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            raise (DiskFull if full else Unavailable)(
                say("reports cannot be stored: {error}", "无法保存上报内容：{error}", error=error)
            ) from error

    def _append(self, folder: str, name: str, data: bytes) -> None:
        with contextlib.suppress(FileNotFoundError):
            if os.lstat(os.path.join(folder, name)).st_size + len(data) > self._largest_file:
                raise TooLarge(
                    say(
                        "this task already reported {largest_file}, the most that a task may report",
                        "每个子任务最多可上报 {largest_file}，已达到上限",
                        largest_file=show_size(self._largest_file),
                    )
                )
        reports.append(folder, name, data)
