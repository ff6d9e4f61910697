"""What a job mounts into its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mount:
    """A volume inside every task; or, with `local`, a folder of each task's own on its node's disk, which is wiped when
    the task ends: of so many bytes, 0 if only the bound on scratch counts.

    `id`, `block` and `cluster` are those of the volume that the name meant when the job was written. With `refuses`, a
    start is refused while the volume is taken, instead of waiting for it. Of a `bucket`, the task gets a copy of what
    is `below` a folder of it, which ends in a slash; empty: of all.

    Or, with `dataset`, a version of a dataset, named with its number (`lin:cifar@v3`) and known by the id `version`: a
    tag was resolved when the job was written, so that every attempt has the same bytes."""

    volume: str
    path: str
    read_only: bool = True
    local: int | None = None
    refuses: bool = False
    id: str = ""
    block: bool = False
    cluster: str = ""
    bucket: bool = False
    below: str = ""
    dataset: str = ""
    version: str = ""
    login: bool = False
    """Whether the tasks get the bucket's login, which is kept nowhere but with the volume."""


def login_prefix(mount: Mount, mounts: Sequence[Mount]) -> str:
    """What stands before the variables of its login: nothing, unless several buckets have one."""
    if len({one.id or one.volume for one in mounts if one.login}) < 2:
        return ""
    name = mount.volume.rpartition(":")[2].upper()
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name) + "_"
