"""What holds a volume to its capacity, and how far beyond it a job may take one that is only counted."""

from __future__ import annotations

from enum import StrEnum

from danlu.domain.volumes.volume import LOCAL_CLUSTER, Volume

LEAST_TOLERANCE = 2**30
"""Counts are late and rounded to blocks: a part of a small capacity would be less than one write between two counts."""


class Enforcement(StrEnum):
    """What happens at the capacity of a volume."""

    STORAGE = "storage"
    """A cluster's storage made it; whether it refuses more is up to that storage."""
    ENDING_JOBS = "ending_jobs"
    """It is counted, and jobs that go on writing beyond the capacity and the tolerance are ended."""
    MEASURED = "measured"
    """It is counted; nobody is ended."""
    NONE = "none"
    """The data is outside: there is no capacity."""


def enforcement_of(volume: Volume, tolerance: int) -> Enforcement:
    """`tolerance` as of `most_of`."""
    if volume.source is not None:
        return Enforcement.NONE
    if volume.cluster != LOCAL_CLUSTER or volume.claim:
        return Enforcement.STORAGE
    return Enforcement.ENDING_JOBS if tolerance else Enforcement.MEASURED


def most_of(capacity: int, tolerance: int) -> int | None:
    """How much it may take before jobs that go on writing are ended; None: any amount. `tolerance` is a size or, if it
    is negative, a part of the capacity in percent: a gibibyte at least, but no more than the capacity again. 0: nobody
    is ended."""
    if not tolerance or not capacity:
        return None
    if tolerance > 0:
        return capacity + tolerance
    return capacity + max(capacity * -tolerance // 100, min(capacity, LEAST_TOLERANCE))
