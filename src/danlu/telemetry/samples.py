"""Files of samples as columns of numbers; what is torn or garbage in them is passed over."""

from __future__ import annotations

import os
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from danlu.domain.arrays import Floats, Ints, np
from danlu.ports import beneath, samples
from danlu.ports.samples import Head

_SLACK = 10
_UNSEEN = 3
"""Counters read farther apart than this many times the usual distance tell no pace."""
_MOST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Readings:
    """Times rise. The rows of `values` are cores, memory, then busy and memory of each card, or bytes received and
    sent per second; nan is unknown. `last` has the words of the last record as they were written."""

    gpus: tuple[int, ...]
    every: int
    times: Ints
    values: Floats
    last: tuple[int, ...] = ()


def read_samples(path: Path, window: int) -> Readings | None:
    """The samples of at least so many milliseconds before the last one; None where there is no such file."""
    try:
        with os.fdopen(beneath.open_file(str(path.parent), path.name), "rb", buffering=0) as file:
            head = samples.read_head(file.read(samples.LARGEST_HEAD))
            if head is None:
                return None
            count = (os.fstat(file.fileno()).st_size - head.size) // head.record_size
            # No two are nearer than `every`, so that the window is within so many records of the end.
            wanted = min(window // head.every + _SLACK, _MOST_BYTES // head.record_size)
            first = max(0, count - wanted)
            file.seek(head.size + first * head.record_size)
            data = file.read((count - first) * head.record_size)
    except OSError:
        return None
    return _readings(head, data, from_start=first == 0)


def _readings(head: Head, data: bytes, from_start: bool) -> Readings:
    whole = len(data) // head.record_size * head.record_size
    words = np.frombuffer(data[:whole], "<u8").reshape(-1, head.record_words)
    words = words[np.bitwise_xor.reduce(words, axis=1) == np.uint64(samples.CHECK)]
    times = words[:, 0].astype(np.int64)
    if np.any(np.diff(times, prepend=0) <= 0):
        rising = _rising(times)
        words, times = words[rising], times[rising]
    measured = words[:, 1:-1].T
    values = np.where(np.equal(measured, np.uint64(samples.UNKNOWN)), np.nan, measured.astype(np.float64))
    if head.cpu == samples.COUNTED:
        values[0] = _pace(times, values[0], head.began if from_start else None) / 1000
    elif head.cpu == samples.RATED:
        values[0] /= 1000
    else:
        values[:2] = [_steady(head, times, _pace(times, row, None)) * 1000 for row in values[:2]]
    last = tuple(words[-1, 1:-1].tolist()) if len(words) else ()
    return Readings(head.gpus, head.every, times, values, last)


def _rising(times: Ints) -> list[int]:
    """The places of the most records whose times rise: what a clock wrote that was wrong for a while is left out."""
    ends: list[int] = []  # the lowest time with which so many that rise can end, and where that is
    places: list[int] = []
    before: list[int] = []
    for place, time in enumerate(times.tolist()):
        length = bisect_left(ends, time)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1] = [time]
        places[length : length + 1] = [place]
    chosen: list[int] = []
    place = places[-1] if places else -1
    while place >= 0:
        chosen.append(place)
        place = before[place]
    return chosen[::-1]


def _steady(head: Head, times: Ints, pace: Floats) -> Floats:
    """Without what was counted while nobody looked: it says nothing of any one moment."""
    return np.where(np.diff(times, prepend=times[:1]) > _UNSEEN * head.every, np.nan, pace)


def _pace(times: Ints, counted: Floats, began: int | None) -> Floats:
    """The difference quotient of a counter, by millisecond, which was zero when it `began`."""
    passed = np.diff(times, prepend=times[:1] if began is None else [began]).astype(np.float64)
    used = np.diff(counted, prepend=np.nan if began is None else 0.0)
    pace = np.full(times.shape, np.nan)
    np.divide(used, passed, out=pace, where=(passed > 0) & (used >= 0))
    return pace
