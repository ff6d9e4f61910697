"""Why a job waits for a volume, or could not have one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import show_size
from danlu.domain.reasons.base import AtNode, Reason
from danlu.domain.reasons.nodes import moment
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class VolumeBusy(Reason):
    """`writes` says how the other job mounts it, `ahead` that it is only before this one in the queue. `job` is empty
    where it is another person's, and `until` None where nothing tells when it ends."""

    code = "volume_busy"
    sentence = Words("volume {volume} is {used} by {who}{until}", "存储卷 {volume} {used}{who}{until}")
    meaning = Words(
        "A block volume is written by one job, or read by any number of jobs, never both at the same time. Who waits "
        "for it holds no nodes and evicts nobody.",
        "块存储卷同一时间只能由一个任务写入，或由任意多个任务读取，二者不能并存。"
        "等待存储卷的任务不占用节点，也不会驱逐他人。",
    )
    advice = Words(
        "It starts automatically once the volume is free. To read while others read, mount it with mode: ro; what many "
        "jobs write at once belongs on a filesystem volume.",
        "存储卷空闲后任务会自动启动。若只需读取，请使用 mode: ro，可与其他读取者同时运行；"
        "需要多个任务同时写入的数据应放在文件存储卷上。",
    )
    volume: str
    writes: bool
    owner: str
    job: str = ""
    until: int | None = None
    ahead: bool = False

    def shown(self) -> dict[str, Any]:
        used = "written" if self.writes else "read"
        return {
            "volume": self.volume,
            "used": f"to be {used} first" if self.ahead else used,
            "who": f"job {self.job}" if self.job else f"a job of {self.owner}",
            "until": f" until about {moment(self.until)}" if self.until is not None else "",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        who = f"任务 {self.job} " if self.job else f" {self.owner} 的任务"
        used = "写入" if self.writes else "读取"
        return {
            "volume": self.volume,
            "used": "须先由" if self.ahead else "正由",
            "who": f"{who}{used}",
            "until": f"，预计到 {moment(self.until)}" if self.until is not None else "",
        }


@dataclass(frozen=True, slots=True)
class VolumeFull(Reason):
    """In bytes, as last counted. The volume as the job file names it."""

    code = "volume_full"
    sentence = Words(
        "volume {volume} is full: {used} are used, its capacity is {capacity}",
        "存储卷 {volume} 已满：已用 {used}，容量 {capacity}",
    )
    meaning = Words(
        "The volume takes more than its capacity. A job that went on writing to it was ended, with its grace period, "
        "and no policy starts it again by itself; a job in the queue that writes to it waits until there is room.",
        "存储卷的用量超过其容量。仍在写入的任务已在宽限期后被终止，且不会按策略自动重启；"
        "队列中需要写入它的任务会等到有剩余容量。",
    )
    advice = Words(
        "Enlarge the volume (danlu volume grow; a personal directory: danlu request quota), or delete files that are "
        "no longer needed and empty its trash. What waits starts once that was counted, within a minute or two; start "
        "again what was ended.",
        "请扩容（danlu volume grow；个人目录：danlu request quota），或删除不再需要的文件并清空其回收站。"
        "重新统计后（一两分钟内），等待中的任务会自动启动；已终止的任务请再次启动。",
    )
    volume: str
    used: int
    capacity: int

    def shown(self) -> dict[str, Any]:
        return {
            "volume": self.volume,
            "used": show_size(self.used),
            "capacity": show_size(self.capacity),
        }


@dataclass(frozen=True, slots=True)
class VolumeNotAvailable(AtNode):
    """The volume as the job file names it: it tells nothing that its owner did not know."""

    code = "volume_not_available"
    sentence = Words(
        "{task} was not started{on}: volume {volume} is not available to {owner} in this way any more",
        "{task} {on}未启动：{owner} 已不能这样使用存储卷 {volume}",
    )
    meaning = Words(
        "When the task was to start, the volume was gone or in the trash, or it was no longer shared with the job's "
        "owner as the job mounts it.",
        "子任务启动时，存储卷已不存在、在回收站中，或不再以任务所需的方式共享给任务的所有者。",
    )
    advice = Words(
        "Ask the volume's owner to share it again, or change `mounts`, then start the job again.",
        "请联系存储卷的所有者重新共享，或修改 `mounts`，然后重新启动任务。",
    )
    task: str
    volume: str
    owner: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class DatasetNotAvailable(AtNode):
    """The version as the job file names it: it tells nothing that its owner did not know."""

    code = "dataset_not_available"
    sentence = Words(
        "{task} was not started{on}: dataset {dataset} is not available to {owner} any more",
        "{task} {on}未启动：{owner} 已不能使用数据集 {dataset}",
    )
    meaning = Words(
        "When the task was to start, the dataset was gone or in the trash, or it was no longer shared with the job's "
        "owner.",
        "子任务启动时，数据集已不存在、在回收站中，或不再共享给任务的所有者。",
    )
    advice = Words(
        "Ask the dataset's owner to share it again, or change `mounts`, then start the job again.",
        "请联系数据集的所有者重新共享，或修改 `mounts`，然后重新启动任务。",
    )
    task: str
    dataset: str
    owner: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class DatasetNotCopied(AtNode):
    """`why` is a code; `said` is what is damaged or what the connection or the machine said, `said_zh` the same in
    Chinese."""

    code = "dataset_not_copied"
    sentence = Words(
        "{task} was not started{on}: dataset {dataset} {why}", "{task} {on}未启动：数据集 {dataset} {why}"
    )
    meaning = Words(
        "On Kubernetes a version is copied into the pod before its task begins, and this one could not be copied "
        "there. Every file is compared with its SHA-256.",
        "在 Kubernetes 上，子任务开始之前会先把版本复制到容器组，而该版本未能复制。每个文件都会与其 SHA-256 比对。",
    )
    advice = Words(
        "If it is damaged, verify it (danlu dataset verify) and mend it from its source; if Danlu could not be "
        "reached, an administrator looks at the network between pods and Danlu (public_url). Then start the job again.",
        "若已损坏，请先校验（danlu dataset verify）并从来源修复；若无法连接丹炉，请管理员检查容器组与丹炉之间的网络"
        "（public_url）。然后重新启动任务。",
    )
    task: str
    dataset: str
    why: str
    size: int = 0
    bound: int = 0
    said: str = ""
    said_zh: str = ""
    node: str = ""

    def shown(self) -> dict[str, Any]:
        return {**AtNode.shown(self), "why": self._why().en}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**AtNode.shown_in_chinese(self), "why": self._why().zh}

    def _why(self) -> Words:
        said = Words(self.said, self.said_zh or self.said)
        sizes = {"size": show_size(self.size), "bound": show_size(self.bound)}
        return _VERSION_NOT_COPIED.get(self.why, _VERSION_NOT_COPIED["told"]).fill(told=said, **sizes)


@dataclass(frozen=True, slots=True)
class BucketNotCopied(AtNode):
    """`why` is a code; `said` is what the bucket's store or the machine said, `said_zh` the same in Chinese."""

    code = "bucket_not_copied"
    sentence = Words("{task} was not started{on}: {why}", "{task} {on}未启动：{why}")
    meaning = Words(
        "A bucket or an NFS export is copied to the node before its job begins, and this one could not be.",
        "任务开始之前会先把存储桶或 NFS 导出目录复制到节点，而这一个未能复制。",
    )
    advice = Words(
        "Mount a part of the bucket that fits (bucket: NAME/FOLDER), or mend what the sentence names (danlu volume "
        "check), then start the job again. An administrator sets how much a node keeps: bucket_cache.",
        "请只挂载其中放得下的部分（bucket: 名称/目录），或按提示修正（danlu volume check），然后重新启动任务。"
        "节点的保留量由管理员通过 bucket_cache 设置。",
    )
    task: str
    why: str
    size: int = 0
    bound: int = 0
    said: str = ""
    said_zh: str = ""
    node: str = ""

    def shown(self) -> dict[str, Any]:
        return {**AtNode.shown(self), "why": self._why().en}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**AtNode.shown_in_chinese(self), "why": self._why().zh}

    def _why(self) -> Words:
        said, size = Words(self.said, self.said_zh or self.said), show_size(self.size)
        bound = show_size(self.bound) if self.size else f"{self.bound:,}"
        return _NOT_COPIED.get(self.why, _NOT_COPIED["told"]).fill(told=said, size=size, bound=bound)


@dataclass(frozen=True, slots=True)
class MountNotPossible(AtNode):
    """`why` is a code: what the node lacks, or what the path would cover there."""

    code = "mount_not_possible"
    sentence = Words(
        "{task} was not started{on}: nothing can be mounted at {path}: {why}",
        "{task} {on}未启动：无法挂载到 {path}：{why}",
    )
    meaning = Words(
        "The node cannot show the mount at its path, and Danlu starts no task without what it asks for.",
        "节点无法将其挂载到该路径；缺少所需的挂载时，丹炉不会启动子任务。",
    )
    advice = Words(
        "Choose another path; or an administrator installs what is missing (bubblewrap, more subordinate ids in "
        "/etc/subgid), then start the job again.",
        "请更换路径；或请管理员补齐所缺（安装 bubblewrap，或在 /etc/subgid 中增加从属 id），然后重新启动任务。",
    )
    task: str
    path: str
    why: str
    node: str = ""

    NO_SANDBOX, COVERS, NO_GROUP = "no_sandbox", "covers", "no_group"

    def shown(self) -> dict[str, Any]:
        return {**AtNode.shown(self), "why": _WHY[self.why].en if self.why in _WHY else self.why}

    def shown_in_chinese(self) -> dict[str, Any]:
        said = _WHY[self.why].zh if self.why in _WHY else self.why
        return {**AtNode.shown_in_chinese(self), "why": said}


_NOT_COPIED = {
    "no_buckets": Words("buckets are not mounted here", "此处不支持挂载存储桶"),
    "gone": Words("the volume is gone", "存储卷已不存在"),
    "too_large": Words(
        "the volume takes {size} more, and {bound} is kept of all buckets and exports on this node (bucket_cache)",
        "存储卷还需要 {size}，而该节点为所有存储桶和导出目录共保留 {bound}（bucket_cache）",
    ),
    "over_bound": Words(
        "what is mounted of the bucket has {size}, and a pod may have {bound} of one (bucket_cache)",
        "所挂载的存储桶内容有 {size}，而一个容器组最多可有 {bound}（bucket_cache）",
    ),
    "disk_full": Words(
        "the node's disk has no room for {size} of the volume", "节点磁盘容量不足，存储卷还需要 {size}"
    ),
    "too_many": Words("the volume has more than {bound} files", "存储卷的文件超过 {bound} 个"),
    "nothing_below": Words("nothing is below {told} in the volume", "存储卷中 {told} 之下没有内容"),
    "changed": Words("{told} changed there while it was copied", "复制期间，{told} 在外部存储中发生了变化"),
    "unreachable": Words("it could not be copied to the pod: {told}", "未能复制到容器组：{told}"),
    "told": Words("the place outside: {told}", "外部存储：{told}"),
}

_VERSION_NOT_COPIED = {
    "damaged": Words("is damaged: {told}", "已损坏：{told}"),
    "too_large": Words(
        "does not fit: what is mounted takes {size}, and the whole disk of the node has {bound}",
        "放不下：挂载的内容需要 {size}，而节点磁盘总共只有 {bound}",
    ),
    "disk_full": Words(
        "does not fit: the node's disk has no room for {size}", "放不下：节点磁盘容量不足，还需要 {size}"
    ),
    "unreachable": Words("could not be copied to the pod: {told}", "未能复制到容器组：{told}"),
    "told": Words("could not be copied: {told}", "未能复制：{told}"),
}

_WHY = {
    "no_sandbox": Words(
        "its tasks are plain processes, which have no view of their own",
        "其子任务是普通进程，没有各自的文件视图",
    ),
    "covers": Words(
        "it would cover, or lie in, what the task needs from the machine",
        "会遮盖子任务所需的本机目录，或位于其中",
    ),
    "no_group": Words(
        "there are not enough subordinate ids for the volume's group",
        "从属 id 不足，无法为该存储卷分配用户组",
    ),
}
