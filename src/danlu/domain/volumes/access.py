"""What somebody may do with what is owned and shared: see it, use its files, change it."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.domain.permissions import Caller, Permission
from danlu.domain.volumes.volume import MountMode, Shareable

P = Permission


@dataclass(frozen=True, slots=True)
class Access:
    """By the permissions to read and to write things of one kind."""

    read: Permission
    write: Permission

    def sees(self, caller: Caller, one: Shareable) -> bool:
        """Whether they may know of it. Whoever it is shared with does, also if it is sensitive and they may not use it;
        in the trash it is there for those who could take it out."""
        if one.trashed_at is not None:
            return caller.may(self.read, one.owner) and caller.may(self.write, one.owner)
        return caller.may(self.read, one.owner) or (
            caller.may(self.read) and one.mode_for(caller.name, caller.projects, sensitive=True) is not None
        )

    def mode_of(self, caller: Caller, one: Shareable) -> MountMode | None:
        """How they may use its files, in a job or through Danlu; None: not at all."""
        if not self.sees(caller, one) or _is_sealed(caller, one):
            return None
        return MountMode.RW if one.is_writable and self._writes(caller, one) else MountMode.RO

    def may_edit(self, caller: Caller, one: Shareable) -> bool:
        """Whether they may rename, grow, share, trash and restore it."""
        return caller.may(self.write, one.owner) and not _is_sealed(caller, one)

    def _writes(self, caller: Caller, one: Shareable) -> bool:
        if caller.may(self.write, one.owner):
            return True
        # Who only looks on in a project, or with a role or token that only reads, writes to none of its volumes.
        working = [name for name, role in caller.projects.items() if role.may_queue]
        shared = one.mode_for(caller.name, working, sensitive=True)
        return shared is MountMode.RW and caller.may(self.write)


def _is_sealed(caller: Caller, one: Shareable) -> bool:
    if one.is_private and caller.name != one.owner:
        return True  # whatever else they may do: who oversees volumes knows that it is there
    return one.sensitive and caller.name != one.owner and not caller.may(P.VOLUME_SENSITIVE, one.owner)


_VOLUMES = Access(P.VOLUME_READ, P.VOLUME_WRITE)
sees, mode_of, may_edit = _VOLUMES.sees, _VOLUMES.mode_of, _VOLUMES.may_edit
