"""How somebody may use a volume."""

from __future__ import annotations

from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes import MountMode, Volume


def mode_of(volume: Volume, caller: Caller) -> MountMode | None:
    """How a person may mount it; None: not at all, nor know of it."""
    sensitive = caller.may(Permission.VOLUME_SENSITIVE, volume.owner)
    return volume.mode_for(caller.name, caller.projects, sensitive=sensitive)
