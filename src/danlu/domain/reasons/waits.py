"""Why a job waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import show_amount, show_milli, show_size, show_time
from danlu.domain.reasons.base import Reason
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class NotEnoughGpus(Reason):
    code = "not_enough_gpus"
    sentence = Words(
        "needs {wanted} × {model}; room for {fit} of {tasks} tasks now",
        "需要 {wanted} × {model}；当前可容纳 {tasks} 个子任务中的 {fit} 个",
    )
    meaning = Words("The cards it needs are in use.", "所需显卡正在使用中。")
    advice = Words(
        "It starts by itself. Fewer GPUs or another model may start sooner.",
        "将自动启动。减少 GPU 或更换型号可能更快。",
    )
    wanted: int
    model: str
    tasks: int
    fit: int

    def shown(self) -> dict[str, Any]:
        return {**self.params(), "wanted": show_milli(self.wanted)}


@dataclass(frozen=True, slots=True)
class NotEnoughRoom(Reason):
    code = "not_enough_room"
    sentence = Words(
        "needs {cpus} CPUs and {memory} for each task; room for {fit} of {tasks} tasks now",
        "每个子任务需要 {cpus} CPU 与 {memory}；当前可容纳 {tasks} 个子任务中的 {fit} 个",
    )
    meaning = Words("The machines' processors or memory are in use.", "机器的处理器或内存正在使用中。")
    advice = Words(
        "It starts by itself. Asking for less may start sooner.", "将自动启动。减少申请量可能更快。"
    )
    cpus: int
    memory: int
    tasks: int
    fit: int

    def shown(self) -> dict[str, Any]:
        return {**self.params(), "cpus": show_milli(self.cpus), "memory": show_size(self.memory)}


@dataclass(frozen=True, slots=True)
class BehindOthers(Reason):
    """`ahead` is exact below a hundred, and rounded down to two digits beyond."""

    code = "behind_others"
    sentence = Words("behind {jobs} for the same machines", "前面有 {count} 个任务等待同样的机器")
    meaning = Words(
        "Jobs are served in order; nobody may delay the one at the head.", "任务按顺序服务，不可延误队首。"
    )
    advice = Words("It starts by itself when its turn comes.", "轮到时将自动启动。")
    ahead: int

    def shown(self) -> dict[str, Any]:
        if self.ahead >= 100:
            return {"jobs": f"over {self.ahead} jobs", "count": f"{self.ahead} 余"}
        return {"jobs": "1 job" if self.ahead == 1 else f"{self.ahead} jobs", "count": self.ahead}


@dataclass(frozen=True, slots=True)
class NoSuchNode(Reason):
    code = "no_such_node"
    sentence = Words("no node in service can hold it: {wanted}", "没有可用节点能容纳：{wanted}")
    meaning = Words(
        "Even with everything idle, the nodes there are now could not run the job.",
        "即使全部空闲，现有节点也无法运行该任务。",
    )
    advice = Words(
        "Ask for less or change node_selector; or wait for a node to come back.",
        "减少申请量或修改 node_selector；或等待节点恢复。",
    )
    wanted: str


@dataclass(frozen=True, slots=True)
class ReservedFor(Reason):
    """Whose job it is that is ahead is not told, only what its minimum is."""

    code = "reserved_for"
    sentence = Words(
        "would fit, but the room is kept for a job ahead of it that needs {wanted}",
        "空间足够，但已为前面需要 {wanted} 的任务保留",
    )
    meaning = Words(
        "The job at the head of the queue waits for these nodes; only what surely ends in time may use them.",
        "队首任务正在等待这些节点；只有确定能及时结束的任务才可使用。",
    )
    advice = Words(
        "With a max_time that ends before that job can start, or on other nodes, it may pass; where nobody knows "
        "when that job can start, on other nodes only.",
        "若 max_time 早于该任务可启动的时间，或使用其他节点，即可先行；若该时间未知，则只能使用其他节点。",
    )
    wanted: str


@dataclass(frozen=True, slots=True)
class MakingRoom(Reason):
    code = "making_room"
    sentence = Words("starts when {leaving} left its nodes", "待 {leaving} 离开其节点后启动")
    meaning = Words(
        "Its room is settled; those who still are there have been told to end.",
        "其位置已确定；仍在其上的任务已被通知结束。",
    )
    advice = Words("Nothing to do: nobody else gets this room.", "无需操作：他人无法占用该位置。")
    jobs: int

    def shown(self) -> dict[str, Any]:
        return {"leaving": "1 job has" if self.jobs == 1 else f"{self.jobs} jobs have"}

    def text(self) -> Words:
        return Words(
            self.sentence.en.format(**self.shown()), self.sentence.zh.format(leaving=f"{self.jobs} 个任务")
        )


@dataclass(frozen=True, slots=True)
class NotTogether(Reason):
    code = "not_together"
    sentence = Words(
        "no single {label} has room for all {tasks} tasks; at most {fit} now",
        "没有一个 {label} 能容纳全部 {tasks} 个子任务；当前最多 {fit} 个",
    )
    meaning = Words("It asked for all tasks to be on alike nodes.", "任务要求所有子任务位于同一拓扑域。")
    advice = Words(
        "It starts by itself; with topology.prefer instead of topology.same it may start sooner.",
        "将自动启动；用 topology.prefer 代替 topology.same 可能更快。",
    )
    label: str
    tasks: int
    fit: int


@dataclass(frozen=True, slots=True)
class ProjectClosed(Reason):
    code = "project_closed"
    sentence = Words("project {project} is closed", "项目组 {project} 已关闭")
    meaning = Words("An administrator lets no job of this project start.", "管理员暂停了该项目组的任务启动。")
    advice = Words(
        "Ask an administrator to open it, or use another project.", "请联系管理员开放，或使用其他项目组。"
    )
    project: str


@dataclass(frozen=True, slots=True)
class ProjectCap(Reason):
    code = "project_cap"
    sentence = Words(
        "project {project} uses {used} of at most {cap}; this job needs {wanted}",
        "项目组 {project} 已用 {used}，上限 {cap}；此任务需要 {wanted}",
    )
    meaning = Words("A project never holds more than its cap.", "项目组的占用不会超过其上限。")
    advice = Words(
        "It starts when enough jobs of the project have ended, but never while it needs more than the cap itself: then "
        "use another project, ask for less, or for a higher cap.",
        "该项目组足够多的任务结束后将启动；若其需求本身超过上限则永远无法启动：请使用其他项目组、减少申请量或申请提高上限。",
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


@dataclass(frozen=True, slots=True)
class OverLimit(Reason):
    code = "over_limit"
    sentence = Words(
        "limit {limit}: {used} of {bound} GPUs in use; this job needs {wanted}",
        "限制 {limit}：已用 {used}/{bound} GPU；此任务需要 {wanted}",
    )
    meaning = Words("An administrator bounded the GPUs in use at once.", "管理员限制了同时使用的 GPU 数。")
    advice = Words(
        "It starts when others under the same limit have ended, but never while it needs more than the limit itself; "
        "fewer GPUs may start sooner.",
        "同一限制下的其他任务结束后将启动；若其需求本身超过限制则永远无法启动；减少 GPU 可能更快。",
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
        "limit {limit}: jobs may run {bound} at most; this one asks for {wanted}",
        "限制 {limit}：任务最长运行 {bound}；此任务申请 {wanted}",
    )
    meaning = Words("An administrator bounded how long jobs may run.", "管理员限制了任务的运行时长。")
    advice = Words(
        "Stop it, set max_time to {bound} or less, start it again.",
        "停止任务，将 max_time 设为不超过 {bound} 后重新启动。",
    )
    limit: str
    wanted: str
    bound: int

    def shown(self) -> dict[str, Any]:
        return {"limit": self.limit, "bound": show_time(self.bound), "wanted": self.wanted or "no maximum"}

    def text(self) -> Words:
        shown = self.shown()
        chinese = {**shown, "wanted": self.wanted or "无上限"}
        return Words(self.sentence.en.format(**shown), self.sentence.zh.format(**chinese))
