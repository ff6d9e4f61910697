"""How far beyond its capacity a volume may get, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from danlu.domain.volumes.capacity import Enforcement, enforcement_of, most_of
from danlu.domain.volumes.source import VolumeOutside
from danlu.domain.volumes.volume import Volume, VolumeKind

GIB, MIB = 2**30, 2**20
PLAIN = Volume("v", "lin", "data", VolumeKind.FILESYSTEM, 100, 0, 0)


@pytest.mark.parametrize(
    ("capacity", "tolerance", "most"),
    [
        (1000 * GIB, -10, 1100 * GIB),
        (10 * GIB, -10, 11 * GIB),
        (5 * GIB, -10, 6 * GIB),
        (100 * MIB, -10, 200 * MIB),
        (100 * GIB, -100, 200 * GIB),
        (100 * MIB, 5 * MIB, 105 * MIB),
        (100 * GIB, 0, None),
        (0, -10, None),
    ],
)
def test_a_part_is_a_gibibyte_at_least_and_the_capacity_again_at_most(
    capacity: int, tolerance: int, most: int | None
) -> None:
    assert most_of(capacity, tolerance) == most


@pytest.mark.parametrize(
    ("one", "tolerance", "said"),
    [
        (PLAIN, -10, Enforcement.ENDING_JOBS),
        (PLAIN, 0, Enforcement.MEASURED),
        (replace(PLAIN, cluster="east"), -10, Enforcement.STORAGE),
        (replace(PLAIN, claim="pvc-1"), 0, Enforcement.STORAGE),
        (replace(PLAIN, source=VolumeOutside("bucket")), -10, Enforcement.NONE),
    ],
)
def test_what_holds_at_the_capacity_is_said(one: Volume, tolerance: int, said: Enforcement) -> None:
    assert enforcement_of(one, tolerance) is said
