"""Volumes: places for data that stay after a job."""

from __future__ import annotations

from danlu.control.foundation import Foundation
from danlu.control.volumes.attached import Attached
from danlu.control.volumes.files import BoundOf, VolumeFiles
from danlu.control.volumes.quota import VolumeQuota
from danlu.control.volumes.volumes import Volumes
from danlu.domain.job import Time
from danlu.ports.storage import PersonalUse
from danlu.ports.volumes.changing import VolumePlaces
from danlu.ports.volumes.records import VolumeDisk


def build(
    on: Foundation,
    disk: VolumeDisk,
    total: int | None,
    trash_time: Time,
    attached: Attached,
    tolerance: int = 0,
) -> Volumes:
    """`total` is how much capacity of a kind each person may have where no quota says so, in bytes; `trash_time` how
    long volumes stay in the trash, 0: as long as nobody deletes them; `tolerance` what is shown of how capacities are
    held to."""
    quota = VolumeQuota(on.registry, total)
    return Volumes(on.store, on.registry, quota, disk, on.clock, on.ids, trash_time, attached, tolerance)


def build_files(
    on: Foundation,
    volumes: Volumes,
    places: VolumePlaces,
    personal: PersonalUse,
    bound: BoundOf,
    trash_time: Time,
) -> VolumeFiles:
    """`bound` is how much somebody's personal directory may take; `trash_time` how long deleted files stay in the
    trash of their volume, 0: as long as nobody deletes them."""
    return VolumeFiles(volumes, places, personal, bound, on.store, on.clock, trash_time)
