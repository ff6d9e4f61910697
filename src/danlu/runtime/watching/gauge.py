"""Measures now and then what the task uses, and writes it down beside its log."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Sequence

from danlu.ports import samples
from danlu.ports.samples import Head, Sample, SampleFile
from danlu.runtime.isolation import tree
from danlu.runtime.isolation.cgroups import ControlGroup
from danlu.runtime.watching.gpus import GpuReader

_FIRST = 1.0
_EVERY = samples.EVERY_MS / 1000
_SET_BACK_MS = 60000


class Gauge:
    """One sample whenever it is due: by the task's control group, or by its processes where it has none."""

    def __init__(self, log: str, group: ControlGroup | None, memory_limit: int, gpus: Sequence[int]) -> None:
        self._group = group
        self._exact_above = memory_limit or sys.maxsize
        self._before_ms = tree.reaped_cpu_ms()
        self._cpu_us = 0
        self._gpus = GpuReader(gpus) if gpus else None
        self._last, self._last_look = int(time.time() * 1000), time.monotonic()
        self._file = SampleFile(
            samples.usage_file(log), Head(self._last, samples.EVERY_MS, samples.COUNTED, tuple(gpus))
        )
        self.next_look = self._last_look + _FIRST

    def look(self, now: float) -> None:
        """Measure, if it is time to."""
        if now < self.next_look:
            return
        self.next_look = now + _EVERY
        # Failures of the kernel, a driver or the disk must not affect the task: the sample is skipped.
        with contextlib.suppress(Exception):
            self._file.append(self._sample(now))

    def _sample(self, now: float) -> Sample:
        counted = self._group.cpu_us() if self._group is not None else None
        memory = self._group.memory_used() if self._group is not None else None
        if counted is None or memory is None:
            reaped = tree.reaped_cpu_ms() - self._before_ms
            pids = tree.descendants(os.getpid())
            counted = (reaped + tree.cpu_ms(pids)) * 1000 if counted is None else counted
            memory = tree.memory_of(pids, self._exact_above) if memory is None else memory
        # What nobody waited for takes its time with it; a counter must not go back.
        self._cpu_us = max(self._cpu_us, counted)
        return Sample(self._time(now), self._cpu_us, memory, self._gpus.read() if self._gpus else ())

    def _time(self, now: float) -> int:
        """The time of day. A clock that was set back a little is not believed, for times should rise; one that went
        back far had been wrong before."""
        wall, expected = int(time.time() * 1000), self._last + int((now - self._last_look) * 1000)
        self._last = expected if 0 < expected - wall < _SET_BACK_MS else wall
        self._last_look = now
        return self._last
