"""What a task's mounts are on this machine: where their files lie, and what speaks against showing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from danlu.domain.reasons import MountNotPossible, VolumeNotAvailable
from danlu.ports.datasets.trees import Trees
from danlu.ports.engine import AttemptOrder, MountOrder
from danlu.ports.volumes.copies import BucketCopies, CopyOf
from danlu.ports.volumes.ids import volume_gid

READ, SHARE, OWN = "ro", "shared", "rw"
"""How binds are shown: what is the task's own is given to its person before; what is shared never is."""


@dataclass(frozen=True, slots=True)
class LocalMounts:
    """`volumes` holds the files of volumes by id, `trees` versions of datasets. Where people have users of their own,
    tasks join the groups of their volumes."""

    volumes: Path
    trees: Trees
    sandboxed: bool
    own_users: bool
    copies: BucketCopies | None = None
    attempt_id: str = ""

    def refusal(
        self, order: AttemptOrder, task: str, node: str, shown: Iterable[str]
    ) -> MountNotPossible | VolumeNotAvailable | None:
        """Why a task may not start with its mounts beside what else is shown to it."""
        if order.mounts and not self.sandboxed:
            return MountNotPossible(task, order.mounts[0].path, MountNotPossible.NO_SANDBOX, node)
        targets = list(shown)
        for mount in order.mounts:
            if any(_touches(mount.path, other) for other in targets):
                return MountNotPossible(task, mount.path, MountNotPossible.COVERS, node)
            if mount.local is not None:
                continue
            files = self.files(mount)
            if mount.tree and files.is_dir():
                continue
            if not mount.volume or files.is_symlink() or not files.is_dir():
                return VolumeNotAvailable(task, mount.title, order.owner, node)
            if mount.bucket:
                continue
            if self.own_users and not _is_owners(mount, order.owner) and volume_gid(mount.gid) is None:
                return MountNotPossible(task, mount.path, MountNotPossible.NO_GROUP, node)
        return None

    def files(self, mount: MountOrder) -> Path:
        if mount.bucket and self.copies is not None:
            return self.copies.folder(self.attempt_id, CopyOf(mount.volume, mount.below))
        return self.trees.place(mount.tree) if mount.tree else self.volumes / mount.volume / "files"

    def groups(self, mounts: Sequence[MountOrder]) -> list[int]:
        """The groups that the task's processes are in besides their person's own."""
        found = (
            {volume_gid(mount.gid) for mount in mounts if mount.volume and not mount.bucket}
            if self.own_users
            else ()
        )
        return sorted(gid for gid in found if gid is not None)

    def binds(self, mounts: Sequence[MountOrder], folder: Path) -> list[list[str]]:
        """Source, target and how; folders of the task's own are made in its folder."""
        binds = []
        for number, mount in enumerate(mounts):
            if mount.local is None:
                how = READ if mount.read_only or mount.bucket else SHARE
                binds.append([str(self.files(mount)), mount.path, how])
            else:
                own = local_folder(folder, number)
                own.mkdir(exist_ok=True)
                binds.append([str(own), mount.path, OWN])
        return binds


def local_folder(folder: Path, number: int) -> Path:
    return folder / f"local-{number}"


def _is_owners(mount: MountOrder, person: str) -> bool:
    return mount.title.partition(":")[0] == person


def _touches(path: str, other: str) -> bool:
    """Whether one of them is, or lies in, the other."""
    return path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/")
