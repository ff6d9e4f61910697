"""Reduces many points to few, keeping the mean and both extremes of each interval."""

from __future__ import annotations

from typing import NamedTuple

from danlu.domain.arrays import Floats, np
from danlu.ports.metrics import Axis


class Points(NamedTuple):
    """Values over steps and times, with the extremes of what each stands for. Steps and times are whole numbers that
    a float keeps exactly; a value that is not finite is nan."""

    steps: Floats
    times: Floats
    values: Floats
    low: Floats
    high: Floats


def joined(parts: list[Points]) -> Points:
    return (
        parts[0]
        if len(parts) == 1
        else Points(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    )


def up_to(points: Points, step: float) -> Points:
    """The points up to a step."""
    counts = points.steps <= step
    return points if counts.all() else Points(*(column[counts] for column in points))


def thinned(points: Points, most: int, by: Axis) -> Points:
    """At most so many, in the order of the axis. What has the same place becomes one; where that does not suffice,
    stretches are of equal length, a power of two, and begin at multiples of it: as a line grows, its points stay."""
    if not points.steps.size:
        return points
    axis = points.steps if by == "step" else points.times
    if (axis[1:] < axis[:-1]).any():
        order = np.argsort(axis, kind="stable")
        points, axis = Points(*(column[order] for column in points)), axis[order]
    firsts = _firsts(axis)
    if firsts.size > most:
        firsts = _firsts(np.floor(axis / _length(axis[0], axis[-1], most)))
    return points if firsts.size == axis.size else _merged(points, firsts)


def _firsts(places: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Where each stretch of equal places begins."""
    return np.concatenate(([0], np.flatnonzero(places[1:] != places[:-1]) + 1))


def _length(first: float, last: float, most: int) -> float:
    length = 2.0
    while last // length - first // length + 1 > most:
        length *= 2
    return length


def _merged(points: Points, firsts: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Points:
    known = np.isfinite(points.values)
    counts = np.add.reduceat(known, firsts, dtype=np.int64)
    low, high = np.fmin.reduceat(points.low, firsts), np.fmax.reduceat(points.high, firsts)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = np.add.reduceat(points.values if known.all() else np.where(known, points.values, 0.0), firsts)
        means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    # The sum of huge values may be no number though their mean is; of equal ones the mean may be off by a bit.
    means = np.clip(np.where(np.isfinite(means), means, low / 2 + high / 2), low, high)
    lasts = np.append(firsts[1:], points.steps.size) - 1
    return Points(points.steps[lasts], points.times[lasts], means, low, high)
