"""Which results have to go: decided from what there is, with time as data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

from danlu.domain.job import Time
from danlu.ports.results import GoneCause, KeptAttempt

Removal = tuple[KeptAttempt, GoneCause]


def too_many(
    kept: Iterable[KeptAttempt],
    active: Collection[str],
    life: Time,
    total_of: Callable[[str], int | None],
    now: Time,
) -> list[Removal]:
    """The oldest first: what is older than `life` (0: no bound), then what a person has too much of. Never of a job
    that is active, and never what somebody asked to keep, though it counts."""
    left: dict[str, list[KeptAttempt]] = defaultdict(list)
    going: list[Removal] = []
    for one in sorted(kept, key=lambda one: one.ended_at):
        loose = not one.wanted and one.job_id not in active
        if loose and life and one.ended_at + life <= now:
            going.append((one, GoneCause.AGE))
        else:
            left[one.owner].append(one)
    for owner, own in left.items():
        bound = total_of(owner)
        used = sum(one.size or 0 for one in own)
        for one in own:
            if bound is None or used <= bound:
                break
            if not one.wanted and one.job_id not in active:
                going.append((one, GoneCause.SIZE))
                used -= one.size or 0
    return going


def to_free(kept: Iterable[KeptAttempt], bytes_missing: int) -> list[Removal]:
    """The oldest results whose going frees so much of a disk that is nearly full; those of earlier attempts of active
    jobs as well, or a job that fills the disk could never go on."""
    going: list[Removal] = []
    for one in sorted(kept, key=lambda one: one.ended_at):
        if bytes_missing <= 0:
            break
        if not one.wanted and one.size:
            going.append((one, GoneCause.DISK))
            bytes_missing -= one.size
    return going
