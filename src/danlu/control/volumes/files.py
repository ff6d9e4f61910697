"""Who may read and change the files of a volume, and how much may still be written there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from danlu.control.volumes.attached import source_of
from danlu.control.volumes.volumes import Volumes
from danlu.domain.errors import Conflict, DiskFull, NotAllowed, TooLarge
from danlu.domain.job import Time
from danlu.domain.permissions import Caller, Permission
from danlu.domain.quantity import show_size
from danlu.domain.volumes.access import mode_of
from danlu.domain.volumes.source import BucketAddress, Login
from danlu.domain.volumes.volume import LOCAL_CLUSTER, RESERVED_NAMES, MountMode, Volume, VolumeKind
from danlu.domain.words import Words
from danlu.ports.clock import Clock
from danlu.ports.governance import AuditStore
from danlu.ports.storage import DiskFigure, PersonalUse
from danlu.ports.volumes.changing import IN_BUCKET, Hand, OpenVolume, VolumeFolders, VolumePlaces

_ONCE_IN: Time = 3_600_000
_REMEMBERED = 10_000
PERSONAL = "personal"
BoundOf = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class FilesOfVolume:
    """The files of a volume, opened for somebody under `ref`. `bound` is how many bytes it may take, None: any number;
    `used` what it took when it was last counted. `inside` is the directory's path as one's own tasks know it. Volumes
    have an id and a title."""

    name: str
    ref: str
    open: OpenVolume
    bound: int | None = None
    used: int = 0
    inside: str | None = None
    id: str = ""
    title: str = ""
    sensitive: bool = False

    @property
    def at(self) -> VolumeFolders:
        return self.open.folders

    @property
    def left(self) -> int | None:
        return None if self.bound is None else max(0, self.bound - self.used)


class VolumeFiles:
    """Any thread. Who reads or changes others' files without their having shared them is noted in the
    audit log, once an hour; and so is everybody where they are sensitive."""

    def __init__(
        self,
        volumes: Volumes,
        places: VolumePlaces,
        personal: PersonalUse,
        personal_bound: BoundOf,
        store: AuditStore,
        clock: Clock,
        trash_time: Time,
    ) -> None:
        self._volumes, self._places = volumes, places
        self._personal, self._personal_bound = personal, personal_bound
        self._store, self._clock = store, clock
        self._trash_time = trash_time
        self._noted: dict[tuple[str, str, str], Time] = {}
        self._lock = threading.Lock()

    def open(self, caller: Caller, ref: str, *, write: bool = False) -> FilesOfVolume:
        """By id, name or OWNER:NAME; `personal` and `archive` are one's own directories. NotFound, NotAllowed, and
        Conflict while the volume is in the trash."""
        if ref in RESERVED_NAMES:
            return self._own(caller, ref, write)
        one = self._volumes.get(caller, ref)
        if one.trashed_at is not None:
            raise Conflict(_TRASHED.fill(name=one.name))
        mode = mode_of(caller, one)
        if mode is None:
            raise NotAllowed(_SENSITIVE.fill(name=one.title))
        if write and one.kind is VolumeKind.NFS:
            raise NotAllowed(_EXPORTS_ARE_READ.fill(name=one.title))
        if write and one.source is not None and not one.source.writable:
            raise NotAllowed(_ATTACHED_READ_ONLY.fill(name=one.title))
        if write and mode is not MountMode.RW:
            raise NotAllowed(_READ_ONLY.fill(name=one.title))
        if one.source is not None:
            return self._outside(caller, one, write)
        if one.cluster != LOCAL_CLUSTER:
            raise Conflict(_ELSEWHERE.fill(name=one.title, cluster=one.cluster))
        self._note(caller, one, "edited" if write else "read")
        figure = self._volumes.standing(caller, one).figure
        used = figure.used if figure else 0
        return FilesOfVolume(
            one.name,
            ref,
            self._places.of(one, caller.name),
            one.capacity,
            used,
            id=one.id,
            title=one.title,
            sensitive=one.sensitive,
        )

    def bucket(self, volume_id: str) -> tuple[BucketAddress, Login | None]:
        """Of one that is in a bucket, for who was let at its files just now."""
        one = self._volumes.stored(volume_id)
        return source_of(one).bucket, self._volumes.attached.login(one)

    def _outside(self, caller: Caller, one: Volume, write: bool) -> FilesOfVolume:
        """Of a bucket: as much as anybody writes, and nothing to put aside."""
        self._volumes.attached.open(one)
        self._note(caller, one, "edited" if write else "read")
        aside = self._places.of(one, caller.name).folders.aside
        return FilesOfVolume(
            one.name, one.id, OpenVolume(VolumeFolders(f"{IN_BUCKET}{one.id}", aside), Hand())
        )

    def volume(self, caller: Caller, ref: str) -> Volume:
        """One that they see, by id, name or OWNER:NAME: NotFound."""
        return self._volumes.get(caller, ref)

    def gone_at(self, deleted_at: Time) -> Time | None:
        """When what was deleted from a volume is gone for good; None: not by itself."""
        return deleted_at + self._trash_time if self._trash_time else None

    def require_room(self, opened: FilesOfVolume, more: int) -> None:
        """TooLarge beyond the volume's capacity, DiskFull beyond that of the disk."""
        left = opened.left
        if left is not None and more > left:
            raise TooLarge(
                _NO_ROOM.fill(
                    name=opened.name,
                    bound=show_size(opened.bound or 0),
                    left=show_size(left),
                    more=show_size(more),
                )
            )
        if more > self._places.free():
            raise DiskFull(_DISK_FULL.fill(more=show_size(more)))

    def require_still(self, caller: Caller, ref: str, more: int) -> None:
        """While much is written: that they may still write there, and that there is room for so much more. Figures are
        as last counted."""
        self.require_room(self.open(caller, ref, write=True), more)

    def _own(self, caller: Caller, name: str, write: bool) -> FilesOfVolume:
        caller.require(Permission.VOLUME_WRITE if write else Permission.VOLUME_READ, caller.name)
        made = self._places.own(caller.name, name, make=write)
        if name != PERSONAL:
            return FilesOfVolume(name, name, made, inside=f"/archives/{caller.name}")
        figure: DiskFigure | None = self._personal.of(caller.name)
        used = figure.used if figure else 0
        return FilesOfVolume(
            name, name, made, self._personal_bound(caller.name), used, inside=f"/mnt/{caller.name}"
        )

    def _note(self, caller: Caller, one: Volume, act: str) -> None:
        """Whom it is shared with may come and go, unless it is sensitive."""
        shared = one.mode_for(caller.name, caller.projects, sensitive=True) is not None
        if caller.name == one.owner or (shared and not one.sensitive):
            return
        if self._is_news((caller.name, one.id, act)):
            self._store.note((caller.entry(act, f"volume:{one.title}"),), self._clock.now())

    def _is_news(self, key: tuple[str, str, str]) -> bool:
        now = self._clock.now()
        with self._lock:
            if now - self._noted.get(key, -_ONCE_IN) < _ONCE_IN:
                return False
            if len(self._noted) >= _REMEMBERED:
                self._noted.clear()
            self._noted[key] = now
            return True


_TRASHED = Words(
    "volume {name} is in the trash; restore it first: danlu volume restore {name}",
    "存储卷 {name} 在回收站中，请先恢复：danlu volume restore {name}",
)
_SENSITIVE = Words(
    "volume {name} is sensitive: its files need the permission volume:sensitive",
    "存储卷 {name} 含敏感数据，访问其文件需要 volume:sensitive 权限",
)
_READ_ONLY = Words(
    "you may read volume {name} and not write to it; ask its owner to share it with mode rw",
    "你只能读取存储卷 {name}，不能写入；可请所有者以 rw 方式共享",
)
_ATTACHED_READ_ONLY = Words(
    "volume {name} was attached to be read: nobody writes there through Danlu; attach it again as writable "
    "to change that",
    "存储卷 {name} 以只读方式接入，不能通过丹炉写入；如需写入，请以可写方式重新接入",
)
_EXPORTS_ARE_READ = Words(
    "volume {name} is in an NFS export, which Danlu only reads; copy its files to another volume to change them",
    "存储卷 {name} 位于 NFS 导出目录，丹炉只能读取；如需修改，请先将文件复制到其他存储卷",
)
_ELSEWHERE = Words(
    "volume {name} is in cluster {cluster}, whose files Danlu does not read itself: mount it in a job or workspace "
    "there (mounts: [{{volume: {name}, path: /data}}]) and use them from inside it",
    "存储卷 {name} 位于集群 {cluster}，丹炉不直接读取其中的文件：请在该集群的任务或工作台中挂载它"
    "（mounts: [{{volume: {name}, path: /data}}]），再从其中访问",
)
_NO_ROOM = Words(
    "{name} has {left} left of {bound}, and this takes {more}; delete what is no longer needed (and empty the trash), "
    "or ask for more",
    "{name} 的容量为 {bound}，剩余 {left}，需要 {more}；请删除不再需要的文件（并清空回收站），或申请扩容",
)
_DISK_FULL = Words(
    "the server's disk has no space left for {more}; nothing was written",
    "服务端磁盘空间不足，无法写入 {more}；未写入任何内容",
)
