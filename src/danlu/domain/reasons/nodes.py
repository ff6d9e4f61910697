"""Why a job waits for, or must leave, nodes that administrators close."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from danlu.domain.quantity import show_size, show_time, time_in_chinese
from danlu.domain.reasons.base import Reason
from danlu.domain.words import Words

_QUEUES_AGAIN = Words(
    "It is requeued automatically and keeps its place in the queue; save checkpoints to lose less work.",
    "任务会自动重新排队并保留原有顺序；请保存检查点以减少损失。",
)


@dataclass(frozen=True, slots=True)
class ClosingSoon(Reason):
    """`nodes` is how many usable nodes close too soon for the job, `window` the maintenance they close for, and `fits`
    the longest max_time that would let it start, 0 if that is too short to mention."""

    code = "closing_soon"
    sentence = Words(
        "{nodes} it could use will close{window} before it is sure to end; a max_time of {fits} would fit",
        "可用的 {nodes} 个节点会在该任务确定结束之前关闭{window}；max_time {fits}时可赶在关闭前完成",
    )
    meaning = Words(
        "Danlu starts a job on a node only if the job ends before the node's next maintenance. A job without "
        "max_time could run for any time, so it starts there only long before a maintenance (setting "
        "`maintenance_notice`).",
        "若任务无法在节点维护开始前结束，就不会在该节点上启动。未设置 max_time 的任务运行时长未知，"
        "因此只有距维护开始还很久时才会启动（设置 `maintenance_notice`）。",
    )
    advice = Words(
        "It starts automatically once the nodes are open again; with a shorter max_time it may start before they "
        "close.",
        "节点恢复后任务会自动启动；缩短 max_time 后，有可能在节点关闭之前启动。",
    )
    nodes: int
    window: str
    fits: int

    def shown(self) -> dict[str, Any]:
        return {
            "nodes": "1 node" if self.nodes == 1 else f"{self.nodes} nodes",
            "window": f" for maintenance {self.window}" if self.window else "",
            "fits": f"{show_time(self.fits)} or less" if self.fits else "a few minutes",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        return {
            "nodes": self.nodes,
            "window": f"（维护 {self.window}）" if self.window else "",
            "fits": f"不超过 {time_in_chinese(self.fits)}" if self.fits else "为几分钟",
        }


@dataclass(frozen=True, slots=True)
class UnderMaintenance(Reason):
    """`window` is the maintenance that the first of the nodes are in, `names` the first of them; it ends for all at
    `until`, 0 if they do not end together."""

    code = "under_maintenance"
    sentence = Words(
        "{nodes} that could hold it{names} {are} closed for maintenance {window}{until}",
        "能容纳该任务的 {nodes} 个节点{names}正在维护（{window}）{until}",
    )
    meaning = Words(
        "No node that accepts jobs now could run it, but some nodes under maintenance could.",
        "当前可用的节点都无法运行该任务，而正在维护的节点可以。",
    )
    advice = Words(
        "It starts automatically after the maintenance; on other nodes it may start sooner.",
        "维护结束后任务会自动启动；改用其他节点可能更快。",
    )
    nodes: int
    window: str
    names: str = ""
    until: int = 0

    def shown(self) -> dict[str, Any]:
        until = f" until {moment(self.until)}" if self.until else ""
        return {**_how_many(self.nodes, self.names), "window": self.window, "until": until}

    def shown_in_chinese(self) -> dict[str, Any]:
        until = f"，{moment(self.until)} 结束" if self.until else ""
        return {**self.params(), "names": f"（{self.names}）" if self.names else "", "until": until}


@dataclass(frozen=True, slots=True)
class NodesCordoned(Reason):
    """`names` are the first of the nodes, `why` is the note on `node`; it may be empty."""

    code = "nodes_cordoned"
    asks_administrator = True
    sentence = Words(
        "{nodes} that could hold it{names} {are} cordoned{because}",
        "能容纳该任务的 {nodes} 个节点{names}已停止调度{because}",
    )
    meaning = Words(
        "No node that accepts jobs now could run it, but some closed nodes could. Administrators cordoned or drained "
        "them, their cluster did, or Danlu did after repeated failures; nobody said until when.",
        "当前可用的节点都无法运行该任务；有些节点可以，但已停止调度：由管理员或其集群停止或排空，或因多次出现故障被丹炉隔离，恢复时间未知。",
    )
    advice = Words(
        "It starts automatically once they are open. Ask an administrator when that is (`danlu uncordon` opens a "
        "node); on other nodes it may start sooner.",
        "节点恢复后任务会自动启动。请向管理员询问何时恢复（`danlu uncordon` 可恢复调度）；改用其他节点可能更快。",
    )
    nodes: int
    node: str
    why: str
    names: str = ""

    def shown(self) -> dict[str, Any]:
        because = f"; {self.node}: {self.why}" if self.why else ""
        return {**_how_many(self.nodes, self.names), "because": because}

    def shown_in_chinese(self) -> dict[str, Any]:
        because = f"；{self.node}：{self.why}" if self.why else ""
        return {**self.params(), "names": f"（{self.names}）" if self.names else "", "because": because}


def _how_many(nodes: int, names: str) -> dict[str, str]:
    one = nodes == 1
    return {
        "nodes": "1 node" if one else f"{nodes} nodes",
        "are": "is" if one else "are",
        "names": f" ({names})" if names else "",
    }


def moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


@dataclass(frozen=True, slots=True)
class NodesLowOnDisk(Reason):
    """`free` and `reserve` are those of `node`, the first of them, in bytes."""

    code = "nodes_low_on_disk"
    asks_administrator = True
    sentence = Words(
        "{nodes} that could hold it {are} short of disk space; {node} has {free} left and keeps {reserve} free",
        "能容纳该任务的 {nodes} 个节点磁盘空间不足；{node} 剩余 {free}，需保留 {reserve}",
    )
    meaning = Words(
        "Danlu starts nothing on a node whose disk has less space left than the setting `disk_reserve`, so that "
        "running jobs can still save their work.",
        "节点磁盘的剩余空间低于设置 `disk_reserve` 时，丹炉不会在其上启动任务，以便运行中的任务仍能保存结果。",
    )
    advice = Words(
        "It starts automatically once there is space: delete what is no longer needed from your personal directory, or "
        "ask an administrator to free some.",
        "有空间后会自动启动：请删除个人目录中不再需要的文件，或联系管理员清理磁盘。",
    )
    nodes: int
    node: str
    free: int
    reserve: int

    def shown(self) -> dict[str, Any]:
        one = self.nodes == 1
        nodes = "1 node" if one else f"{self.nodes} nodes"
        sizes = {"free": show_size(self.free), "reserve": show_size(self.reserve)}
        return {"nodes": nodes, "are": "is" if one else "are", "node": self.node, **sizes}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.params(), "free": show_size(self.free), "reserve": show_size(self.reserve)}


@dataclass(frozen=True, slots=True)
class NodeDrained(Reason):
    code = "node_drained"
    sentence = Words("node {node} was drained", "节点 {node} 已被排空")
    meaning = Words(
        "An administrator drained the node with a deadline, which has passed.",
        "管理员排空该节点并设定了期限，期限已到。",
    )
    advice = _QUEUES_AGAIN
    node: str


@dataclass(frozen=True, slots=True)
class NodeMaintenance(Reason):
    code = "node_maintenance"
    sentence = Words("maintenance {window} of node {node} began", "节点 {node} 的维护（{window}）已开始")
    meaning = Words(
        "During a maintenance, no jobs run on its nodes.",
        "维护期间，相关节点上不运行任何任务。",
    )
    advice = _QUEUES_AGAIN
    node: str
    window: str
