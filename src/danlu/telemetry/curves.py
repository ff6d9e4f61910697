"""Samples as lines with a limited number of points, which keep the maxima."""

from __future__ import annotations

from danlu.domain.arrays import Floats, Ints, np
from danlu.ports.usage import GpuLines, Line, NetworkLines, Usage
from danlu.telemetry.samples import Readings

NOTHING = Usage([], Line([], []), Line([], []), ())
NO_NETWORK = NetworkLines([], Line([], []), Line([], []))
_GAP = 3
"""A gap: samples that are farther apart than this many times the usual distance."""


def draw(readings: Readings, begin: int, end: int, points: int) -> Usage:
    return _lines(readings.gpus, *_thinned(readings, begin, end, points))


def draw_network(readings: Readings, begin: int, end: int, points: int) -> NetworkLines:
    times, means, highs = _thinned(readings, begin, end, points)
    received, sent = (Line(_plain(means[row], 0), _plain(highs[row], 0)) for row in (0, 1))
    return NetworkLines(times.tolist(), received, sent)


def _thinned(readings: Readings, begin: int, end: int, points: int) -> tuple[Ints, Floats, Floats]:
    """The samples after `begin` up to `end`: as they are if they fit, else in intervals of equal length."""
    inside = (readings.times > begin) & (readings.times <= end)
    times, values = readings.times[inside], readings.values[:, inside]
    shown, means = _with_gaps(times, values, readings.every)
    highs = means
    if shown.size > points:
        shown, means, highs = _stretched(times, values, readings.every, points)
    return shown, means, highs


def _with_gaps(times: Ints, values: Floats, every: int) -> tuple[Ints, Floats]:
    """An unknown value wherever something is missing, so that no line is drawn across."""
    after = np.flatnonzero(np.diff(times) > _GAP * every) + 1
    middles = (times[after - 1] + times[after]) // 2
    return np.insert(times, after, middles), np.insert(values, after, np.nan, axis=1)


def _stretched(times: Ints, values: Floats, every: int, points: int) -> tuple[Ints, Floats, Floats]:
    """Middles, means and highest values of stretches that begin at multiples of their length: as time goes on,
    a sample stays in its stretch and the line does not tremble."""
    length = int(-(-(times[-1] - times[0]) // ((points - 1) * every))) * every
    number = times // length
    filled, firsts = np.unique(number, return_index=True)
    known = np.isfinite(values)
    counts = np.add.reduceat(known, firsts, axis=1, dtype=np.int64)
    sums = np.add.reduceat(np.where(known, values, 0.0), firsts, axis=1)
    every_stretch = np.arange(filled[0], filled[-1] + 1)
    shape = (len(values), every_stretch.size)
    means, highs = np.full(shape, np.nan), np.full(shape, np.nan)
    at = filled - filled[0]
    means[:, at] = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    highs[:, at] = np.fmax.reduceat(values, firsts, axis=1)
    return every_stretch * length + length // 2, means, highs


def _lines(gpus: tuple[int, ...], times: Ints, means: Floats, highs: Floats) -> Usage:
    def line(row: int, digits: int) -> Line:
        return Line(_plain(means[row], digits), _plain(highs[row], digits))

    cards = tuple(GpuLines(index, line(2 * at + 2, 1), line(2 * at + 3, 0)) for at, index in enumerate(gpus))
    return Usage(times.tolist(), line(0, 3), line(1, 0), cards)


def _plain(values: Floats, digits: int) -> list[float | None]:
    rounded = np.round(values, digits).tolist()
    whole = int if digits == 0 else float
    return [None if value != value else whole(value) for value in rounded]
