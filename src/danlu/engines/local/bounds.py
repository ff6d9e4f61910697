"""How much of this machine's disk tasks may take, and what is kept free."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from danlu.domain.node import LowDisk, Node, NodeState
from danlu.domain.quantity import GIB, show_size

_LOOK_EVERY_S = 1.0
_STEP = GIB // 10
"""What is free is told in such steps, so that nodes do not change with every file."""


@dataclass(frozen=True, slots=True)
class DiskBounds:
    """In bytes, 0 is no bound: a task's log and its scratch, what its code may unpack to (and how many entries), and
    what must stay free for a start."""

    log: int = 0
    scratch: int = 0
    unpack: int = 64 << 30
    unpack_entries: int = 2_000_000
    reserve: int = 0


UNBOUNDED = DiskBounds()


def part_of_disk(folder: Path, bound: int) -> int:
    """A bound in bytes; a negative one is so many percent of the disk that the folder is on."""
    if bound >= 0:
        return bound
    found = os.statvfs(folder)
    return found.f_blocks * found.f_frsize * -bound // 100


class DiskReserve:
    """Closes the nodes to new starts while the disk has less than the reserve left. Any thread."""

    def __init__(self, folder: Path, reserve: int) -> None:
        self._folder, self._reserve = folder, reserve
        self._next_look = 0.0
        self._low: LowDisk | None = None
        self._known: tuple[LowDisk | None, Sequence[Node], Sequence[Node]] = (None, (), ())
        self._lock = threading.Lock()

    def applied(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """The nodes as they may be used now; the same objects while nothing changed."""
        if not self._reserve:
            return nodes
        with self._lock:
            now = time.monotonic()
            if now >= self._next_look:
                self._next_look = now + _LOOK_EVERY_S
                self._low = self._look()
            if self._low is None:
                return nodes
            if self._known[:2] != (self._low, nodes):
                self._known = (self._low, nodes, tuple(_closed(node, self._low) for node in nodes))
            return self._known[2]

    def _look(self) -> LowDisk | None:
        try:
            found = os.statvfs(self._folder)
        except OSError:
            return self._low
        free = found.f_bavail * found.f_frsize
        # Open again only with a little more, or a disk at its bound would open and close with every file.
        enough = self._reserve if self._low is None else self._reserve + min(self._reserve // 10, GIB)
        return None if free >= enough else LowDisk(min(free - free % _STEP, self._reserve), self._reserve)


def _closed(node: Node, low: LowDisk) -> Node:
    if node.state is not NodeState.READY:
        return node
    why = f"its disk has {show_size(low.free)} left, {show_size(low.reserve)} are kept free (disk_reserve)"
    return replace(node, state=NodeState.CORDONED, why=why, low_disk=low)
