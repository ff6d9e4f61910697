"""What somebody may do with a volume: see it, use its files, change it."""

from __future__ import annotations

from dataclasses import replace

from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.volume import MountMode, Volume

P = Permission


def sees(caller: Caller, one: Volume) -> bool:
    """Whether they may know of it. Whoever it is shared with does, also if it is sensitive and they may not use it; in
    the trash it is there for those who could take it out."""
    if one.trashed_at is not None:
        return caller.may(P.VOLUME_READ, one.owner) and caller.may(P.VOLUME_WRITE, one.owner)
    return caller.may(P.VOLUME_READ, one.owner) or (
        caller.may(P.VOLUME_READ) and one.mode_for(caller.name, caller.projects, sensitive=True) is not None
    )


def mode_of(caller: Caller, one: Volume) -> MountMode | None:
    """How they may use its files, in a job or through Danlu; None: not at all."""
    if not sees(caller, one) or _is_sealed(caller, one):
        return None
    if one.source is not None and not one.source.writable:
        return MountMode.RO
    return MountMode.RW if _writes(caller, one) else MountMode.RO


def may_edit(caller: Caller, one: Volume) -> bool:
    """Whether they may rename, grow, share, trash and restore it."""
    return caller.may(P.VOLUME_WRITE, one.owner) and not _is_sealed(caller, one)


def _writes(caller: Caller, one: Volume) -> bool:
    if caller.may(P.VOLUME_WRITE, one.owner):
        return True
    # Who only looks on in a project, or with a role or token that only reads, writes to none of its volumes.
    working = [name for name, role in caller.projects.items() if role.may_queue]
    shared = replace(one, sensitive=False).mode_for(caller.name, working)
    return shared is MountMode.RW and caller.may(P.VOLUME_WRITE)


def _is_sealed(caller: Caller, one: Volume) -> bool:
    if one.is_private and caller.name != one.owner:
        return True  # whatever else they may do: who oversees volumes knows that it is there
    return one.sensitive and caller.name != one.owner and not caller.may(P.VOLUME_SENSITIVE, one.owner)
