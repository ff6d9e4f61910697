"""Logs and metrics of a past that was made up for a demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from danlu.ports.past import PastLog
from danlu.ports.reports import METRICS_FILE, point_line, reports_folder
from danlu.telemetry.logs import log_path


class FilePastLogs:
    """Implements ports.past.PastLogs over `logs/` of the data directory."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def keep(self, logs: Sequence[PastLog]) -> None:
        for one in logs:
            path = log_path(self._root, one.key)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{at // 1000}.{at % 1000:03} o {line}\n" for at, line in one.lines)
            path.write_text(text, "utf-8")
            if one.points:
                folder = Path(reports_folder(str(path)))
                folder.mkdir()
                (folder / METRICS_FILE).write_bytes(b"".join(map(point_line, one.points)))
