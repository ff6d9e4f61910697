"""Storage of reports that tasks send over the network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from danlu.ports.logs import LogKey
from danlu.ports.reports import ReportedPoint, Save


class ReportStore(Protocol):
    """Any thread."""

    def keep(self, key: LogKey, points: Sequence[ReportedPoint], saves: Sequence[Save]) -> None:
        """Append them to the reports of a task; Unavailable if the disk fails, TooLarge if the task has reported too
        much."""
