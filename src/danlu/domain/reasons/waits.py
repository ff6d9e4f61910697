"""Why a job waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import show_amount, show_milli, show_size, show_time, time_said
from danlu.domain.reasons.base import Reason, amount_in_chinese
from danlu.domain.reasons.parts import room_for, room_in_chinese, wanted_in_chinese
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class NotEnoughGpus(Reason):
    """`closed` GPUs that it could use are idle on nodes that take no jobs: `on`, closed for `why`, if anybody said."""

    code = "not_enough_gpus"
    sentence = Words(
        "needs {wanted} × {model}; {room}{more}",
        "需要 {wanted} 卡 {model}；{room}{more}",
    )
    meaning = Words(
        "The GPUs it needs are in use, or on nodes that take no jobs.",
        "所需 GPU 正在使用中，或所在节点已停止调度。",
    )
    advice = Words(
        "It starts automatically. With fewer GPUs or another model it may start sooner.",
        "任务会自动启动。减少卡数或更换 GPU 型号可能更快。",
    )
    wanted: int
    model: str
    tasks: int
    fit: int
    closed: int = 0
    on: str = ""
    why: str = ""

    def shown(self) -> dict[str, Any]:
        are, take = ("is" if self.closed == 1 else "are"), ("take" if "," in self.on else "takes")
        more = f"; {self.closed} more {are} on {self.on}, which {take} no jobs" if self.closed else ""
        told = {"room": room_for(self.tasks, self.fit), "more": more + _because(": ", self.why)}
        return {**self.params(), "wanted": show_milli(self.wanted), **told}

    def shown_in_chinese(self) -> dict[str, Any]:
        more = f"；另有 {self.closed} 卡在已停止调度的节点 {self.on} 上" if self.closed else ""
        room = room_in_chinese(self.tasks, self.fit, "空闲卡")
        return {**self.shown(), "room": room, "more": more + _because("：", self.why)}


@dataclass(frozen=True, slots=True)
class NotEnoughRoom(Reason):
    code = "not_enough_room"
    sentence = Words(
        "needs {cpus} CPUs and {memory} for each task; {room}",
        "每个子任务需要 {cpus} 核 CPU 和 {memory} 内存；{room}",
    )
    meaning = Words("The nodes' CPUs or memory are in use.", "节点的 CPU 或内存正在使用中。")
    advice = Words(
        "It starts automatically. With a smaller request it may start sooner.",
        "任务会自动启动。减少申请量可能更快。",
    )
    cpus: int
    memory: int
    tasks: int
    fit: int

    def shown(self) -> dict[str, Any]:
        room = room_for(self.tasks, self.fit)
        return {"cpus": show_milli(self.cpus), "memory": show_size(self.memory), "room": room}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.shown(), "room": room_in_chinese(self.tasks, self.fit, "空闲 CPU 或内存")}


@dataclass(frozen=True, slots=True)
class NodeTaskCap(Reason):
    """`nodes` have room for it, but as many tasks as they may; `node` is the first of them."""

    code = "node_task_cap"
    sentence = Words(
        "{nodes} with room for it {have} as many tasks as allowed; {node} may run {cap}",
        "有空间的 {nodes} 个节点已达到子任务数上限；{node} 最多运行 {cap} 个子任务",
    )
    meaning = Words(
        "Every task costs its node a supervisor and a sandbox, however little it requests, so a node runs a limited "
        "number of tasks (setting `tasks_per_node`).",
        "无论申请多少资源，每个子任务都需要看护进程和沙箱，因此每个节点的子任务数有上限（设置 `tasks_per_node`）。",
    )
    advice = Words(
        "It starts automatically when tasks there have ended. Do more work in fewer tasks, or use other nodes.",
        "其他子任务结束后会自动启动。请合并为更少的子任务，或使用其他节点。",
    )
    nodes: int
    node: str
    cap: int

    def shown(self) -> dict[str, Any]:
        one = self.nodes == 1
        return {
            **self.params(),
            "nodes": "1 node" if one else f"{self.nodes} nodes",
            "have": "has" if one else "have",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        return self.params()


@dataclass(frozen=True, slots=True)
class BackingOff(Reason):
    code = "backing_off"
    sentence = Words("it failed {times}; it restarts in {wait}", "已 {troubles} 次出现故障；{wait}后再次启动")
    meaning = Words(
        "After a failure Danlu waits before the restart, longer each time, so that a job that keeps failing does "
        "not waste resources.",
        "出现故障后，重启前会稍等，每次等待更久，以免无法运行的任务反复占用资源。",
    )
    advice = Words(
        "The job's attempts show what went wrong; stop and start the job to retry at once.",
        "请在运行记录中查看故障原因；停止后重新启动任务可立即重试。",
    )
    troubles: int
    wait: int

    def shown(self) -> dict[str, Any]:
        times = "once" if self.troubles == 1 else f"{self.troubles} times in a row"
        return {"troubles": self.troubles, "times": times, "wait": time_said(self.wait)}


@dataclass(frozen=True, slots=True)
class BehindOthers(Reason):
    """`ahead` is exact below a hundred, and rounded down to two digits beyond."""

    code = "behind_others"
    sentence = Words("behind {jobs} waiting for the same nodes", "前面有 {count} 个任务在等待同样的节点")
    meaning = Words(
        "Jobs start in queue order; no job may delay the one at the head.",
        "任务按队列顺序启动，不得推迟队首任务。",
    )
    advice = Words("It starts automatically when its turn comes.", "轮到时会自动启动。")
    ahead: int

    def shown(self) -> dict[str, Any]:
        if self.ahead >= 100:
            return {"jobs": f"over {self.ahead} jobs", "count": f"{self.ahead}+"}
        return {"jobs": "1 job" if self.ahead == 1 else f"{self.ahead} jobs", "count": self.ahead}


@dataclass(frozen=True, slots=True)
class NoSuchNode(Reason):
    code = "no_such_node"
    sentence = Words(
        "no node in service is large enough for it: {wanted}", "没有可用节点能容纳该任务：{wanted}"
    )
    meaning = Words(
        "The current nodes could not run the job even if they were all idle.",
        "现有节点即使全部空闲，也无法运行该任务。",
    )
    advice = Words(
        "Request less, change node_selector, or wait for a node to come back.",
        "请减少申请量或修改 node_selector，或等待节点恢复。",
    )
    wanted: str

    def shown_in_chinese(self) -> dict[str, Any]:
        return {"wanted": wanted_in_chinese(self.wanted)}


@dataclass(frozen=True, slots=True)
class ReservedFor(Reason):
    """Does not reveal which job is ahead, only its minimum."""

    code = "reserved_for"
    sentence = Words(
        "it would fit, but the nodes are reserved for a job ahead of it that needs {wanted}",
        "资源足够，但已为前面的任务预留，它需要 {wanted}",
    )
    meaning = Words(
        "The job at the head of the queue is waiting for these nodes; only jobs that are sure to end in time may "
        "use them.",
        "队首任务正在等待这些节点；只有确定能及时结束的任务才可使用。",
    )
    advice = Words(
        "Set a max_time short enough to end before that job can start, or use other nodes. If it is not known when "
        "that job can start, only other nodes help.",
        "请缩短 max_time，使其能在前面的任务启动前结束，或改用其他节点；若前面任务的启动时间未知，只能改用其他节点。",
    )
    wanted: str

    def shown_in_chinese(self) -> dict[str, Any]:
        return {"wanted": wanted_in_chinese(self.wanted)}


@dataclass(frozen=True, slots=True)
class MakingRoom(Reason):
    code = "making_room"
    sentence = Words(
        "starts when {leaving} left the nodes it was given", "待 {leaving} 个任务退出所需节点后启动"
    )
    meaning = Words(
        "Its nodes are chosen; the jobs still running there have been told to end.",
        "所需节点已确定，仍在其上运行的任务已收到结束通知。",
    )
    advice = Words("Nothing to do: no other job gets these nodes.", "无需操作：这些资源不会被他人占用。")
    jobs: int

    def shown(self) -> dict[str, Any]:
        return {"leaving": "1 job has" if self.jobs == 1 else f"{self.jobs} jobs have"}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {"leaving": self.jobs}


@dataclass(frozen=True, slots=True)
class NotTogether(Reason):
    code = "not_together"
    sentence = Words(
        "no single {label} has room for all {tasks} tasks; at most {fit} now",
        "没有一个 {label} 能容纳全部 {tasks} 个子任务；当前最多 {fit} 个",
    )
    meaning = Words(
        "The job requires all its tasks on nodes with the same label value.",
        "任务要求所有子任务位于同一拓扑域。",
    )
    advice = Words(
        "It starts automatically; with topology.prefer instead of topology.same it may start sooner.",
        "任务会自动启动；用 topology.prefer 代替 topology.same 可能更快。",
    )
    label: str
    tasks: int
    fit: int


@dataclass(frozen=True, slots=True)
class ProjectClosed(Reason):
    code = "project_closed"
    asks_administrator = True
    sentence = Words("project {project} is closed", "项目组 {project} 已关闭")
    meaning = Words(
        "An administrator closed this project: none of its jobs may start.",
        "管理员已禁止该项目组的任务启动。",
    )
    advice = Words(
        "Ask an administrator to open it, or use another project.", "请联系管理员开放，或使用其他项目组。"
    )
    project: str


@dataclass(frozen=True, slots=True)
class ProjectCap(Reason):
    code = "project_cap"
    asks_administrator = True
    sentence = Words(
        "project {project} uses {used} of at most {cap}; this job needs {wanted}",
        "项目组 {project} 已用 {used}，上限 {cap}；该任务需要 {wanted}",
    )
    meaning = Words("A project never holds more than its cap.", "项目组的占用不得超过其上限。")
    advice = Words(
        "It starts automatically when enough jobs of the project have ended. If it needs more than the cap itself, "
        "it never starts: use another project, request less, or ask for a higher cap.",
        "该项目组有足够的任务结束后会自动启动；若申请量本身超过上限，则无法启动：请改用其他项目组、减少申请量，或申请提高上限。",
    )
    project: str
    resource: str
    wanted: int
    used: int
    cap: int

    def shown(self) -> dict[str, Any]:
        amounts = {
            name: show_amount(self.resource, getattr(self, name)) for name in ("wanted", "used", "cap")
        }
        return {**self.params(), **amounts}

    def shown_in_chinese(self) -> dict[str, Any]:
        amounts = {
            name: amount_in_chinese(self.resource, getattr(self, name)) for name in ("wanted", "used", "cap")
        }
        return {**self.params(), **amounts}


@dataclass(frozen=True, slots=True)
class OverLimit(Reason):
    code = "over_limit"
    sentence = Words(
        "limit {limit}: {used} of {bound} GPUs in use; this job needs {wanted}",
        "限额 {limit}：已用 {used} / {bound} 卡；该任务需要 {wanted} 卡",
    )
    meaning = Words(
        "An administrator limited how many GPUs may be in use at once.", "管理员限制了同时使用的卡数。"
    )
    advice = Words(
        "It starts automatically when other jobs under the same limit have ended. If it needs more than the limit "
        "itself, it never starts. With fewer GPUs it may start sooner.",
        "同一限额下的其他任务结束后会自动启动；若申请量本身超过限额，则无法启动。减少卡数可能更快。",
    )
    limit: str
    wanted: int
    used: int
    bound: int

    def shown(self) -> dict[str, Any]:
        amounts = {name: show_milli(getattr(self, name)) for name in ("wanted", "used", "bound")}
        return {**self.params(), **amounts}


@dataclass(frozen=True, slots=True)
class RunTimeLimit(Reason):
    """`wanted` is empty where the job has no maximum."""

    code = "run_time_limit"
    sentence = Words(
        "limit {limit}: jobs may run for at most {bound}; the max_time of this one: {wanted}",
        "限额 {limit}：任务最长运行 {bound}；该任务的 max_time：{wanted}",
    )
    meaning = Words("An administrator limited how long jobs may run.", "管理员限制了任务的运行时长。")
    advice = Words(
        "Stop it, set max_time to {typed} or less, then start it again.",
        "请停止任务，将 max_time 设为不超过 {typed}，然后重新启动。",
    )
    limit: str
    wanted: str
    bound: int

    def shown(self) -> dict[str, Any]:
        return {
            "limit": self.limit,
            "bound": time_said(self.bound),
            "typed": show_time(self.bound),
            "wanted": self.wanted or "none",
        }

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.shown(), "wanted": self.wanted or "未设置"}


def _because(mark: str, why: str) -> str:
    return f"{mark}{why}" if why else ""
