"""What happens to volumes that running jobs have mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.events.base import Event
from danlu.domain.quantity import show_size
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class MountChanged(Event):
    """A volume that this attempt mounts is different now, and how: a code, of its room or of its owner's access. The
    mount stays until the attempt ends; `volume` is as the job file names it."""

    kind = "mount_changed"
    attempt_id: str
    volume: str
    what: str
    used: int = 0
    capacity: int = 0

    ROOM, NEARLY_FULL, FULL, OVER = "room", "nearly_full", "full", "over"
    USABLE, REVOKED, READ_ONLY, SENSITIVE, GONE = "usable", "revoked", "read_only", "sensitive", "gone"

    def data(self) -> dict[str, Any]:
        sizes = {"used": self.used, "capacity": self.capacity} if self.capacity else {}
        return {"attempt": self.attempt_id, "volume": self.volume, "what": self.what, **sizes}

    def text(self) -> Words:
        used, capacity = show_size(self.used), show_size(self.capacity)
        return _SAID[self.what].fill(volume=self.volume, used=used, capacity=capacity)


@dataclass(frozen=True, slots=True)
class VolumeOverrun(Event):
    """A volume that this attempt writes to took more than is tolerated, and still grew after the attempt was told."""

    kind = "volume_overrun"
    sentence = Words(
        "volume {volume} still grew beyond its capacity: {used} of {capacity} are used",
        "存储卷 {volume} 超出容量后仍在增长：已用 {used}，容量 {capacity}",
    )
    attempt_id: str
    volume: str
    used: int
    capacity: int

    def data(self) -> dict[str, Any]:
        sizes = {"used": self.used, "capacity": self.capacity}
        return {"attempt": self.attempt_id, "volume": self.volume, **sizes}

    def shown(self) -> dict[str, Any]:
        return {
            "volume": self.volume,
            "used": show_size(self.used),
            "capacity": show_size(self.capacity),
        }


_SAID: Mapping[str, Words] = {
    "room": Words(
        "volume {volume} has room again: {used} of {capacity} are used",
        "存储卷 {volume} 又有剩余容量：已用 {used}，容量 {capacity}",
    ),
    "nearly_full": Words(
        "volume {volume} is nearly full: {used} of {capacity} are used",
        "存储卷 {volume} 即将写满：已用 {used}，容量 {capacity}",
    ),
    "full": Words(
        "volume {volume} is full: {used} of {capacity} are used; writing may fail",
        "存储卷 {volume} 已满：已用 {used}，容量 {capacity}；写入可能失败",
    ),
    "over": Words(
        "volume {volume} is far beyond its capacity: {used} of {capacity} are used; jobs that write to it are ended "
        "if it still grows",
        "存储卷 {volume} 已大幅超出容量：已用 {used}，容量 {capacity}；若继续增长，写入它的任务将被终止",
    ),
    "usable": Words("volume {volume} may be used again", "存储卷 {volume} 又可以使用"),
    "revoked": Words(
        "volume {volume} is no longer shared with the job's owner: it stays mounted until this run ends, and the next "
        "start fails",
        "存储卷 {volume} 已不再共享给任务的所有者：本次运行结束前保持挂载，下次启动会失败",
    ),
    "read_only": Words(
        "volume {volume} may only be read by now: it stays mounted as it is until this run ends, and the next start "
        "fails",
        "存储卷 {volume} 现在只能读取：本次运行结束前挂载方式不变，下次启动会失败",
    ),
    "sensitive": Words(
        "volume {volume} holds sensitive data by now, which the job's owner may not use: it stays mounted until this "
        "run ends, and the next start fails",
        "存储卷 {volume} 已被设为敏感数据，任务的所有者无权使用：本次运行结束前保持挂载，下次启动会失败",
    ),
    "gone": Words(
        "volume {volume} is gone or in the trash: the next start fails",
        "存储卷 {volume} 已不存在或在回收站中：下次启动会失败",
    ),
}
