"""How much of what tasks hold they were measured to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from danlu.domain.job import Time
from danlu.domain.resources import GpuGrant
from danlu.ports.logs import LogKey
from danlu.ports.usage import Line, TimeWindow, UsageReader

_POINTS = 100


@dataclass(frozen=True, slots=True)
class BusyTime:
    """Thousandths × milliseconds: in use, of so much that was measured."""

    busy: int
    measured: int


class Busy:
    """Reads samples. Of tasks with GPUs the busy share of each of their cards counts, of others the CPUs in use."""

    def __init__(self, usage: UsageReader) -> None:
        self._usage = usage

    def of(
        self, task: LogKey, gpus: Sequence[GpuGrant], milli: int, begin: Time, end: Time
    ) -> BusyTime | None:
        """None where nothing was measured of it in that time."""
        if end <= begin:
            return None
        length = end - begin
        seen = self._usage.of_task(task, TimeWindow(length, _POINTS, end))
        if not gpus:
            cores = _mean(seen.cpus)
            return None if cores is None else BusyTime(round(cores * 1000) * length, milli * length)
        shares = {card.index: _mean(card.busy) for card in seen.gpus}
        known = [(grant.milli, share) for grant in gpus if (share := shares.get(grant.index)) is not None]
        if not known:
            return None
        busy = sum(given * share / 100 for given, share in known)
        return BusyTime(round(busy * length), sum(given for given, _ in known) * length)


def _mean(line: Line) -> float | None:
    known = [value for value in line.mean if value is not None]
    return sum(known) / len(known) if known else None
