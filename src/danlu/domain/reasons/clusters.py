"""Why a cluster that Danlu does not own rejected, ended or delayed tasks and jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import time_said
from danlu.domain.reasons.base import Reason
from danlu.domain.reasons.parts import wanted_in_chinese
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class ImagePullFailed(Reason):
    code = "image_pull_failed"
    sentence = Words(
        "{task}: image {image} could not be pulled: {message}", "{task} 无法拉取镜像 {image}：{message}"
    )
    meaning = Words(
        "The node could not pull the image that the job names.",
        "节点无法获取任务指定的镜像。",
    )
    advice = Words(
        "Check the image's name and tag, and that the cluster has a pull secret for its registry.",
        "请检查镜像的名称和标签，并确认集群已配置该镜像仓库的拉取凭据。",
    )
    task: str
    image: str
    message: str


@dataclass(frozen=True, slots=True)
class VolumeMissing(Reason):
    code = "volume_missing"
    sentence = Words(
        "{task}: volume {volume} cannot be mounted: {message}", "{task} 无法挂载存储卷 {volume}：{message}"
    )
    meaning = Words(
        "A volume that the job mounts does not exist in the job's cluster, or cannot be used there.",
        "任务要挂载的存储卷在其运行的集群中不存在，或无法使用。",
    )
    advice = Words(
        "Check the names under `mounts`, and check that the volume exists in the cluster's namespace for jobs.",
        "请检查 `mounts` 中的名称，并确认该存储卷存在于集群的任务命名空间中。",
    )
    task: str
    volume: str
    message: str


@dataclass(frozen=True, slots=True)
class NotAdmitted(Reason):
    code = "not_admitted"
    sentence = Words(
        "the cluster rejected {task} on {node}: {message}", "集群未接纳 {node} 上的 {task}：{message}"
    )
    meaning = Words(
        "Danlu placed the job, but the cluster no longer had room for it or one of the cluster's own rules forbids "
        "it. All of the job's tasks were released together.",
        "任务已分配，但集群已没有空位，或其自身规则不允许。任务的所有子任务已一起释放。",
    )
    advice = Words(
        "Nothing to do: the job was requeued automatically. If this keeps happening, read the cluster's message.",
        "无需操作：任务已自动重新排队。若反复出现，请查看集群给出的原因。",
    )
    task: str
    node: str
    message: str


@dataclass(frozen=True, slots=True)
class EvictedByNode(Reason):
    code = "evicted_by_node"
    sentence = Words("{task} was evicted by node {node}: {message}", "{task} 被节点 {node} 驱逐：{message}")
    meaning = Words(
        "The node ran out of memory, disk or process IDs, or was shutting down, and evicted the task.",
        "节点的内存、磁盘或进程数不足，或节点正在关机，因此终止了子任务。",
    )
    advice = Words(
        "Start the job again; with `on: {{node_lost: requeue}}` it is requeued automatically. Write large files to "
        "a volume.",
        "请重新启动任务；设置 `on: {{node_lost: requeue}}` 后将自动重新排队。大文件请写入存储卷。",
    )
    task: str
    node: str
    message: str


@dataclass(frozen=True, slots=True)
class PreemptedElsewhere(Reason):
    code = "preempted_elsewhere"
    sentence = Words(
        "{task} was preempted on {node} by a pod that Danlu does not manage: {message}",
        "{task} 在 {node} 上为丹炉之外的负载让出了资源：{message}",
    )
    meaning = Words(
        "The cluster's own scheduler preempted the task for a pod of higher priority.",
        "集群自身的调度器为更高优先级的 Pod 终止了子任务。",
    )
    advice = Words(
        "Start the job again; administrators can give Danlu's pods a higher priority class in the cluster.",
        "请重新启动任务；管理员可在集群中为丹炉的 Pod 设置更高的优先级。",
    )
    task: str
    node: str
    message: str


@dataclass(frozen=True, slots=True)
class DeletedElsewhere(Reason):
    code = "deleted_elsewhere"
    sentence = Words("someone other than Danlu deleted {task} in the cluster", "{task} 在集群中被他人删除")
    meaning = Words(
        "The task's pod was deleted while the task was still needed, and not by Danlu.",
        "子任务的 Pod 在仍需运行时被移除，且并非由丹炉操作。",
    )
    advice = Words(
        "Ask the cluster's administrators who deleted the pod; then start the job again.",
        "请向集群管理员了解是谁删除了 Pod，然后重新启动任务。",
    )
    task: str


@dataclass(frozen=True, slots=True)
class NotInOneCluster(Reason):
    code = "not_in_one_cluster"
    sentence = Words(
        "no single cluster has room for all {tasks} tasks; at most {fit} now",
        "没有一个集群能容纳全部 {tasks} 个子任务；当前最多 {fit} 个",
    )
    meaning = Words(
        "All tasks of a job run in one cluster. The clusters have enough room together, but none has enough alone.",
        "同一任务的所有子任务须在同一个集群中运行。各集群的资源合计足够，但没有一个集群能单独容纳。",
    )
    advice = Words(
        "It starts automatically. Fewer or smaller tasks may start sooner.",
        "任务会自动启动。减少子任务数量或申请量可能更快。",
    )
    tasks: int
    fit: int


@dataclass(frozen=True, slots=True)
class HeldByOthers(Reason):
    code = "held_by_others"
    sentence = Words(
        "workloads outside Danlu use the resources it needs: {wanted}", "所需资源被外部负载占用：{wanted}"
    )
    meaning = Words(
        "The nodes are large enough, but workloads outside Danlu use so much of them that the job would not fit "
        "even if no other job ran.",
        "节点足够大，但丹炉之外的负载占用过多，即使没有其他任务运行也无法容纳该任务。",
    )
    advice = Words(
        "It starts automatically once those workloads have ended; a smaller request may start sooner. `danlu nodes` "
        "shows what they use.",
        "待这些负载退出后任务会自动启动。减少申请量可能更快；可用 `danlu nodes` 查看外部占用。",
    )
    wanted: str

    def shown_in_chinese(self) -> dict[str, Any]:
        return {"wanted": wanted_in_chinese(self.wanted)}


@dataclass(frozen=True, slots=True)
class HeldBack(Reason):
    code = "held_back"
    sentence = Words(
        "a cluster rejected it {times}; Danlu places it again in {wait}",
        "集群已 {refusals} 次未接纳该任务；{wait}后再次分配",
    )
    meaning = Words(
        "After a rejection the job waits before it is placed again, longer each time.",
        "被集群拒绝后，任务会稍等再分配，每次等待更久。",
    )
    advice = Words(
        "The job's events show the cluster's message. The job starts automatically once the cluster accepts it.",
        "请在任务事件中查看集群给出的原因；集群接纳后任务会自动启动。",
    )
    refusals: int
    wait: int

    def shown(self) -> dict[str, Any]:
        times = "once" if self.refusals == 1 else f"{self.refusals} times in a row"
        return {"refusals": self.refusals, "times": times, "wait": time_said(self.wait)}
