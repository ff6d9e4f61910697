"""Volumes on this machine, as the user that Danlu runs as can keep them."""

from __future__ import annotations

import os
from collections.abc import Callable

from danlu.control.volumes.attached import MeansOutside
from danlu.data.checks import PlacesOutside, StoresOutside
from danlu.data.counting import FileFigures
from danlu.data.directory import DataDirectory
from danlu.data.logins import FileLoginSeal
from danlu.data.outside import NetworkGuard
from danlu.data.volumes.disk import DiskVolumes
from danlu.data.volumes.places import DiskPlaces
from danlu.engines.local.users import task_uid
from danlu.files.settings import Settings
from danlu.ports.user_ids import own_map, task_ids


def volumes_on_disk(
    settings: Settings, directory: DataDirectory, stored_uid: Callable[[str], int | None]
) -> DiskVolumes:
    return DiskVolumes(directory.volume_data, FileFigures(directory.volume_use), _uids(settings, stored_uid))


def places_on_disk(
    settings: Settings, directory: DataDirectory, stored_uid: Callable[[str], int | None]
) -> DiskPlaces:
    alone = not (settings.share_user or settings.isolation == "process")
    return DiskPlaces(
        {"personal": directory.volumes, "archive": directory.archives},
        directory.volume_data,
        _uids(settings, stored_uid),
        alone,
        settings.disk_reserve,
    )


def outside_of(settings: Settings, directory: DataDirectory) -> MeansOutside:
    guard = NetworkGuard(settings.attach_local)
    return MeansOutside(PlacesOutside(guard), FileLoginSeal(directory.secrets), StoresOutside(guard))


def _uids(settings: Settings, stored_uid: Callable[[str], int | None]) -> Callable[[str], int | None] | None:
    """Where tasks run as users of their own, each volume is its owner's and its group's; else all is one user's."""
    own_users = os.geteuid() == 0 and settings.isolation != "process"
    subordinate = task_ids(own_map())

    def uid_of(owner: str) -> int | None:
        stored = stored_uid(owner)
        return None if stored is None else task_uid(stored, subordinate.size if subordinate else 0)

    return uid_of if own_users else None
