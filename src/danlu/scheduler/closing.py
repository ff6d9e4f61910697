"""Nodes that will close: which jobs end before that, and which must not start there any more."""

from __future__ import annotations

from bisect import bisect_left

from danlu.domain.arrays import Mask, np
from danlu.domain.job import Time
from danlu.domain.reasons import Reason
from danlu.scheduler.cluster import AllNodes
from danlu.scheduler.model import FOREVER


class Closing:
    """When nodes close, relative to now. A job may use a node only if it is sure to end before; a job without max_time
    only if the node closes later than `notice` from now.

    Jobs of one rank may use the same nodes; the higher the rank, the fewer. If no node closes there is one rank."""

    def __init__(self, cluster: AllNodes, now: Time, notice: int) -> None:
        self._closes, self._now, self._notice = cluster.closes, now, notice
        self.times: list[Time] = []
        if self._closes is not None:
            self.times = [int(time) for time in np.unique(self._closes) if time < FOREVER]
        self._left = [time - now for time in self.times]
        self._open: dict[int, Mask] = {}
        self.possible: dict[object, bool] = {}
        """Cache by ask and rank: whether it would fit on the nodes open to it if those were idle."""
        self.reasons: dict[object, Reason | None] = {}
        """Cache of their reasons."""

    def __bool__(self) -> bool:
        return bool(self.times)

    def rank(self, max_time: int) -> int:
        """The rank of a job: how many of the closing times are too soon for it if it starts now."""
        return bisect_left(self._left, self._needs(max_time)) if self.times else 0

    def open(self, max_time: int) -> Mask | None:
        """The nodes that a job may start on now; None means all."""
        return self.open_to(self.rank(max_time))

    def open_to(self, rank: int) -> Mask | None:
        if not rank or self._closes is None:
            return None
        if rank not in self._open:
            self._open[rank] = self._closes > self.times[rank - 1]
        return self._open[rank]

    def open_later(self, start: Time, max_time: int) -> Mask | None:
        """The nodes that will be open to a job which starts then; None means all."""
        return None if self._closes is None else self._closes >= start + self._needs(max_time)

    def left(self, rank: int) -> int:
        """The longest duration of a job of this rank."""
        return self._left[rank]

    def closing_at(self, rank: int) -> Mask:
        """The nodes that are the first to close for jobs of this rank."""
        assert self._closes is not None
        nodes: Mask = self._closes == self.times[rank]
        return nodes

    def _needs(self, max_time: int) -> int:
        return self._notice if self._now + max_time >= FOREVER else max_time
