"""The usage of all tasks on a node together, and of the machine's network, kept for as long as people look back."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from danlu.domain.job import Job
from danlu.domain.node import Node
from danlu.ports.clock import Clock
from danlu.ports.logs import LogKey
from danlu.ports.samples import (
    LARGEST_HEAD,
    RATED,
    TRAFFIC,
    UNKNOWN,
    Head,
    Sample,
    SampleFile,
    pack_head,
    read_head,
)
from danlu.ports.usage import NODES_EVERY
from danlu.telemetry.usage import Present, network_path, node_path

log = logging.getLogger(__name__)

MOST_RECORDS = 31 * 86_400_000 // NODES_EVERY


@dataclass(slots=True)
class _Load:
    """The tasks of one node added up. The numbers of a GPU are for the whole GPU, even if it is shared."""

    cpus: float = 0.0
    memory: float = 0.0
    gpus: dict[int, tuple[float, float]] = field(default_factory=dict)

    def add(self, used: Present) -> None:
        self.cpus = _sum(self.cpus, used.cpus)
        self.memory = _sum(self.memory, used.memory)
        for index, (busy, memory) in used.gpus.items():
            known = self.gpus.get(index, (math.nan, math.nan))
            self.gpus[index] = (_higher(known[0], busy), _higher(known[1], memory))

    def sample(self, time: int, gpus: tuple[int, ...]) -> Sample:
        """The sum as one sample; a GPU without tasks counts as unused."""
        cards = (self.gpus.get(index, (0.0, 0.0)) for index in gpus)
        words = tuple((_word(busy), _word(memory)) for busy, memory in cards)
        return Sample(time, _word(self.cpus * 1000), _word(self.memory), words)


class NodeMeter:
    """Adds up the latest samples of the live tasks every so often; costs nothing where none is measured."""

    def __init__(
        self,
        present: Callable[[LogKey], Present | None],
        folder: Path,
        live: Callable[[], Iterable[Job]],
        nodes: Callable[[], Sequence[Node]],
        clock: Clock,
        traffic: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        """`traffic` counts what the machine has received and sent; None where that cannot be known."""
        self._present, self._folder, self._clock = present, folder, clock
        self._live, self._nodes = live, nodes
        self._files: dict[str, SampleFile] = {}
        self._busy: set[str] = set()
        self._traffic = traffic
        self._network: SampleFile | None = None

    def run(self, stop: threading.Event) -> None:
        """For a thread of its own, until told to stop."""
        while not stop.wait(NODES_EVERY / 1000):
            try:
                self.look()
            except Exception:
                log.exception("could not measure the usage of nodes")

    def look(self) -> None:
        """One record of the machine's network, and one for each node with measured tasks; a final zero for a node that
        no longer has any."""
        self._look_at_network()
        loads: dict[str, _Load] = {}
        for job in self._live():
            for task in job.live_tasks:
                assert job.attempt is not None
                used = self._present(LogKey(job.id, job.attempt.number, task.run))
                if used is not None:
                    loads.setdefault(task.node, _Load()).add(used)
        self._open((loads.keys() | self._busy) - self._files.keys())
        names = sorted((loads.keys() | self._busy) & self._files.keys())
        now = self._clock.now()
        for name in names:
            file = self._files[name]
            if file.append(loads.get(name, _Load()).sample(now, file.head.gpus)):
                _bound(file)
        self._busy = set(loads)

    def _look_at_network(self) -> None:
        counted = self._traffic()
        if counted is None:
            return
        if self._network is None:
            self._network = _opened(network_path(self._folder), Head(0, NODES_EVERY, TRAFFIC, ()))
        if self._network.append(Sample(self._clock.now(), *counted)):
            _bound(self._network)

    def _open(self, names: set[str]) -> None:
        cards = {node.name: node.gpus for node in self._nodes()} if names else {}
        for name in names & cards.keys():  # of a node that is away for a moment we do not know the cards
            real = tuple(gpu.index for gpu in cards[name] if not gpu.declared)
            head = Head(0, NODES_EVERY, RATED, real)
            self._files[name] = _opened(node_path(self._folder, name), head)


def _opened(path: Path, head: Head) -> SampleFile:
    """The node's file; it starts anew if the node's GPUs have changed."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            if read_head(file.read(LARGEST_HEAD)) != head:
                path.unlink()
    return SampleFile(str(path), head)


def _bound(file: SampleFile) -> None:
    """Drop the older half of a file that has become too large."""
    head = file.head
    draft = f"{file.path}.new"
    try:
        if os.stat(file.path).st_size <= head.size + MOST_RECORDS * head.record_size:
            return
        with open(file.path, "rb") as old, open(draft, "wb") as new:
            old.seek(head.size + MOST_RECORDS // 2 * head.record_size)
            new.write(pack_head(head) + old.read())
        os.replace(draft, file.path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def _sum(known: float, more: float) -> float:
    return known if math.isnan(more) else known + more


def _higher(one: float, other: float) -> float:
    return other if math.isnan(one) else one if math.isnan(other) else max(one, other)


def _word(value: float) -> int:
    return UNKNOWN if math.isnan(value) else round(value)
