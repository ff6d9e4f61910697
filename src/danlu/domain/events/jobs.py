"""What happens to jobs: facts with a sentence, fed to the life cycle or only recorded."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from danlu.domain.events.base import Event
from danlu.domain.events.steps import GROUNDS, step_mark, step_said
from danlu.domain.job import Remedy, Task
from danlu.domain.quantity import show_time, time_said
from danlu.domain.reasons import FromLog, Reason, encode
from danlu.domain.story import story
from danlu.domain.terms import STATES
from danlu.domain.words import Words, listed, say

# ── what people do ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _ByPerson(Event):
    by: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by}


@dataclass(frozen=True, slots=True)
class JobCreated(_ByPerson):
    kind = "job_created"
    sentence = Words("created by {by}", "由 {by} 创建")


@dataclass(frozen=True, slots=True)
class JobCloned(Event):
    kind = "job_cloned"
    sentence = Words("cloned from {source} by {by}", "由 {by} 克隆自 {source}")
    by: str
    source: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "source": self.source}


@dataclass(frozen=True, slots=True)
class JobEdited(Event):
    kind = "job_edited"
    sentence = Words("edited by {by}; now version {spec_version}", "由 {by} 编辑，当前为版本 {spec_version}")
    by: str
    spec_version: int

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "spec_version": self.spec_version}


_KEPT = Words("and it keeps its place", "顺位不变")
_ANEW = Words(
    "queued anew because it asks for more or for something else", "因申请量增加或要求改变，重新排队"
)


@dataclass(frozen=True, slots=True)
class JobChanged(Event):
    """Edited while it was queued; without `keeps` it went behind those who waited already."""

    kind = "job_changed"
    sentence = Words(
        "changed by {by} while queued; now version {spec_version}, {place}",
        "由 {by} 在队列中修改，当前为版本 {spec_version}，{place}",
    )
    by: str
    spec_version: int
    keeps: bool

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "spec_version": self.spec_version, "keeps": self.keeps}

    def shown(self) -> dict[str, Any]:
        return {**self.data(), "place": _KEPT if self.keeps else _ANEW}


@dataclass(frozen=True, slots=True)
class JobDeleted(_ByPerson):
    kind = "job_deleted"
    sentence = Words("deleted by {by}", "由 {by} 删除")


@dataclass(frozen=True, slots=True)
class StartRequested(_ByPerson):
    """With `fresh`, from the beginning and not from its last checkpoint."""

    kind = "start_requested"
    sentence = Words("started by {by}", "由 {by} 启动")
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class StopRequested(_ByPerson):
    """With `replaced`, because a newer run of the same name takes its place."""

    kind = "stop_requested"
    sentence = Words("{by} asked it to stop", "{by} 要求停止")
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class RestartRequested(_ByPerson):
    """With `fresh`, from the beginning and not from its last checkpoint."""

    kind = "restart_requested"
    sentence = Words("{by} asked for a restart", "{by} 要求重启")
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class ResetRequested(_ByPerson):
    kind = "reset_requested"
    sentence = Words("reset by {by}", "由 {by} 重置")


@dataclass(frozen=True, slots=True)
class Pinned(_ByPerson):
    kind = "pinned"
    sentence = Words("pinned to the front by {by}", "由 {by} 置顶")


@dataclass(frozen=True, slots=True)
class Unpinned(_ByPerson):
    kind = "unpinned"
    sentence = Words("unpinned by {by}", "由 {by} 取消置顶")


@dataclass(frozen=True, slots=True)
class Reordered(Event):
    """Its owner moved it among their own jobs."""

    kind = "reordered"
    sentence = Words("{by} moved it in the order of their own jobs", "{by} 调整了该任务在自己任务中的顺序")
    by: str
    slot_at: int
    slot_id: str

    def data(self) -> dict[str, Any]:
        return {"by": self.by, "slot_at": self.slot_at, "slot_id": self.slot_id}


# ── what the scheduler decides ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why it was this job's turn: `how` is turn, pinned, passing or promised. `level` is infinite where its project
    deserves nothing of what it was given."""

    how: str = "turn"
    priority: str = ""
    score: float = 0.0
    level: float = 0.0

    def text(self) -> Words:
        level = f"{self.level:.0%}" if math.isfinite(self.level) else "∞"
        return GROUNDS[self.how].fill(score=f"{self.score:.2f}", level=level, priority=self.priority)


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """The scheduler found room: these tasks, on these nodes, with these cards."""

    kind = "placed"
    sentence = Words(
        "placed on {nodes} as attempt {attempt}: {why}", "第 {attempt} 次运行已分配到 {nodes}：{why}"
    )
    number: int
    tasks: tuple[Task, ...]
    grounds: Grounds = Grounds()

    def data(self) -> dict[str, Any]:
        why = self.grounds
        return {
            "attempt": self.number, "nodes": ", ".join(_nodes(self.tasks)),
            "how": why.how, "priority": why.priority, "score": why.score,
            "level": why.level if math.isfinite(why.level) else None,
        }  # fmt: skip

    def shown(self) -> dict[str, Any]:
        return {**self.data(), "nodes": listed(_nodes(self.tasks)), "why": self.grounds.text()}


@dataclass(frozen=True, slots=True)
class Nominated(Event):
    """Room is being made for this job: it starts there as soon as the others have left."""

    kind = "nominated"
    sentence = Words(
        "making room on {nodes}; waiting for these jobs to leave: {jobs}",
        "正在 {nodes} 上腾出资源；还需等待 {jobs} 个任务退出",
    )
    tasks: tuple[Task, ...]
    after: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        return {"nodes": ", ".join(_nodes(self.tasks)), "jobs": len(self.after)}

    def shown(self) -> dict[str, Any]:
        return {**self.data(), "nodes": listed(_nodes(self.tasks))}


@dataclass(frozen=True, slots=True)
class Grown(Event):
    """A running job that can use more was given more tasks."""

    kind = "grown"
    sentence = Words("grew by {tasks} on {nodes}", "在 {nodes} 上增加了子任务 {tasks}")
    number: int
    tasks: tuple[Task, ...]

    def data(self) -> dict[str, Any]:
        names = ", ".join(task.name for task in self.tasks)
        return {"tasks": names, "nodes": ", ".join(_nodes(self.tasks))}

    def shown(self) -> dict[str, Any]:
        return {"tasks": listed(task.name for task in self.tasks), "nodes": listed(_nodes(self.tasks))}


@dataclass(frozen=True, slots=True)
class Evicted(Event):
    """The job makes room for another, or leaves a node that closes (then `made_for` is empty), and is requeued; with
    tasks named, only those end and the job keeps running."""

    kind = "evicted"
    number: int
    made_for: str
    reason: Reason
    tasks: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        return {"reason": encode(self.reason), "tasks": list(self.tasks)}

    def text(self) -> Words:
        why = self.reason.text()
        if self.tasks:
            return say(
                "{tasks} must leave: {why}", "{tasks} 需让出资源：{why}", tasks=listed(self.tasks), why=why
            )
        if not self.made_for:
            return Words(f"must leave: {why.en}", f"需退出节点：{why.zh}")
        return Words(f"must make room: {why.en}", f"需让出资源：{why.zh}")


# ── what engines see ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TaskEvent(Event):
    """Something an engine saw of one task; an attempt that is not the job's latest is ignored."""

    attempt_id: str
    task: str


@dataclass(frozen=True, slots=True)
class TaskStarting(TaskEvent):
    """A step on a task's way to running, by the name its supervisor gives it, or what an engine has to say in words;
    of one that takes long, how far it is, and with what."""

    kind = "task_starting"
    step: str
    percent: int = 0
    size: int = 0
    title: str = ""

    @property
    def mark(self) -> str:
        """As the task keeps it: what differs is news."""
        return step_mark(self.step, self.percent)

    def data(self) -> dict[str, Any]:
        numbers = {"percent": self.percent, "size": self.size, "title": self.title} if self.title else {}
        return {"task": self.task, "step": self.step, **numbers}

    def text(self) -> Words:
        step = step_said(self.step, percent=self.percent, size=self.size, title=self.title)
        return Words(f"{self.task}: {step.en}", f"{self.task}：{step.zh}")


@dataclass(frozen=True, slots=True)
class TaskDelayed(TaskEvent):
    """The task could not be launched yet, and why: a word for it with its numbers, or what an engine has to say, in
    Chinese too where that is known; it is tried again."""

    kind = "task_delayed"
    sentence = Words("{task} is waiting: {why}", "{task} 正在等待：{why}")
    why: str
    zh: str = ""
    percent: int = 0
    size: int = 0

    @property
    def step(self) -> str:
        """As the task keeps it: what differs is news."""
        return step_mark(self.why, self.percent)

    def data(self) -> dict[str, Any]:
        numbers = {"percent": self.percent, "size": self.size} if self.size else {}
        return {"task": self.task, "why": self.why, **numbers}

    def text(self) -> Words:
        why = step_said(self.why, self.zh, percent=self.percent, size=self.size)
        return self.sentence.fill(task=self.task, why=why)


@dataclass(frozen=True, slots=True)
class TaskRunning(TaskEvent):
    kind = "task_running"
    sentence = Words("{task} is running ({isolation})", "{task} 正在运行（{isolation}）")
    at: int
    isolation: str = ""

    def data(self) -> dict[str, Any]:
        return {"task": self.task, "isolation": self.isolation}


@dataclass(frozen=True, slots=True)
class TaskEnded(TaskEvent):
    """The task is over; no reason means it succeeded."""

    kind = "task_ended"
    sentence = Words("{task} ended: {outcome}", "{task} 已结束：{outcome}")
    at: int
    reason: Reason | None = None
    exit_code: int | None = None

    def data(self) -> dict[str, Any]:
        return {"task": self.task, "reason": encode(self.reason), "exit_code": self.exit_code}

    def text(self) -> Words:
        outcome = self.reason.text() if self.reason else Words("succeeded", "成功")
        return Words(
            self.sentence.en.format(task=self.task, outcome=outcome.en),
            self.sentence.zh.format(task=self.task, outcome=outcome.zh),
        )


@dataclass(frozen=True, slots=True)
class CheckpointSaved(TaskEvent):
    """The task has saved a checkpoint; this may arrive after the task is over."""

    kind = "checkpoint_saved"
    at: int
    path: str
    step: int | None = None

    def data(self) -> dict[str, Any]:
        return {"task": self.task, "path": self.path, "step": self.step}

    def text(self) -> Words:
        if self.step is None:
            return Words(f"checkpoint saved at {self.path}", f"检查点已保存到 {self.path}")
        return Words(
            f"checkpoint of step {self.step:,} saved at {self.path}",
            f"第 {self.step:,} 步的检查点已保存到 {self.path}",
        )


# ── what time brings ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ExpectedTimePassed(Event):
    kind = "expected_time_passed"
    sentence = Words(
        "alert: running longer than expected ({expected})", "告警：已超过预计运行时间（{expected}）"
    )
    expected: int

    def data(self) -> dict[str, Any]:
        return {"expected": show_time(self.expected)}

    def shown(self) -> dict[str, Any]:
        return {"expected": time_said(self.expected)}


@dataclass(frozen=True, slots=True)
class MaxTimePassed(Event):
    kind = "max_time_passed"
    sentence = Words("reached its max_time of {limit}", "已达到最长运行时间（{limit}）")
    limit: int

    def data(self) -> dict[str, Any]:
        return {"limit": show_time(self.limit)}

    def shown(self) -> dict[str, Any]:
        return {"limit": time_said(self.limit)}


@dataclass(frozen=True, slots=True)
class JobHung(Event):
    """No task of this attempt has shown progress for this long."""

    kind = "job_hung"
    sentence = Words("no sign of progress for {quiet}", "已 {quiet}无任何进展")
    attempt_id: str
    quiet: int

    def data(self) -> dict[str, Any]:
        return {"quiet": show_time(self.quiet)}

    def shown(self) -> dict[str, Any]:
        return {"quiet": time_said(self.quiet)}


@dataclass(frozen=True, slots=True)
class FailureRead(Event):
    """The log of an attempt that failed was read: a better word for its reason."""

    kind = "failure_read"
    attempt_id: str
    reason: FromLog

    def data(self) -> dict[str, Any]:
        return {"reason": encode(self.reason)}

    def text(self) -> Words:
        return self.reason.text()


@dataclass(frozen=True, slots=True)
class RestartDue(TaskEvent):
    """The wait before a task's own restart is over."""

    kind = "restart_due"
    sentence = Words("restarting {task}", "正在重启 {task}")

    def data(self) -> dict[str, Any]:
        return {"task": self.task}


@dataclass(frozen=True, slots=True)
class StopOverdue(Event):
    kind = "stop_overdue"
    sentence = Words(
        "its tasks have not ended {waited} after being told to stop", "已等待 {waited}，子任务仍未结束"
    )
    waited: int

    def data(self) -> dict[str, Any]:
        return {"waited": show_time(self.waited)}

    def shown(self) -> dict[str, Any]:
        return {"waited": time_said(self.waited)}


# ── what follows from them ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class StateChanged(Event):
    """The job's state moved; recorded by the life cycle, never fed to it."""

    kind = "state_changed"
    old: str
    new: str
    reason: Reason | None = None

    def data(self) -> dict[str, Any]:
        return {"from": self.old, "to": self.new, "reason": encode(self.reason)}

    def text(self) -> Words:
        why = self.reason.text() if self.reason else None
        return Words(
            f"{self.old} → {self.new}" + (f": {why.en}" if why else ""),
            f"{STATES[self.old].zh} → {STATES[self.new].zh}" + (f"：{why.zh}" if why else ""),
        )


@dataclass(frozen=True, slots=True)
class TroubleMet(Event):
    """What happened and what was done about it, as one sentence; recorded by the life cycle, never fed to it."""

    kind = "trouble_met"
    reason: Reason
    remedy: Remedy
    step: int | None = None
    """The step of the checkpoint that a restart continues from; None: from the beginning."""
    saved: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "reason": encode(self.reason), "remedy": self.remedy.value, "step": self.step, "saved": self.saved,
        }  # fmt: skip

    def text(self) -> Words:
        return story(self.reason, self.remedy, saved=self.saved, step=self.step)


def _nodes(tasks: Iterable[Task]) -> list[str]:
    return sorted({task.node for task in tasks})
