"""Why a job waits for its inputs, or could not have one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.domain.quantity import show_size, show_time, time_in_chinese
from danlu.domain.reasons.base import Reason
from danlu.domain.words import NOTHING, Words


@dataclass(frozen=True, slots=True)
class InputsPending(Reason):
    """`place` counts from 1; `state` is a code. `percent` and `left` (milliseconds) are None where nobody knows; `said`
    is why it is tried again, and `said_zh` the same in Chinese."""

    code = "inputs_pending"
    sentence = Words(
        "input {place} of {count} {doing}: {source}{far}",
        "第 {place} 项输入（共 {count} 项）{doing}：{source}{far}",
    )
    meaning = Words(
        "The job's inputs are fetched into their volumes before it starts. Meanwhile it holds no nodes, keeps its "
        "place in the queue, and others go past it.",
        "任务启动之前，会先把输入获取到存储卷中。在此期间任务不占用节点，保留顺位，其他任务可先行启动。",
    )
    advice = Words(
        "It starts automatically once all of them are there. How far they are: danlu transfer ls",
        "全部输入就绪后任务会自动启动。查看进度：danlu transfer ls",
    )
    place: int
    count: int
    source: str
    state: str = "waiting"
    percent: int | None = None
    left: int | None = None
    size: int = 0
    said: str = ""
    said_zh: str = ""

    AHEAD, WAITING, FETCHING, RETRYING = "ahead", "waiting", "fetching", "retrying"
    """`ahead`: the job is not queued yet."""

    def shown(self) -> dict[str, Any]:
        if self.percent is not None:
            far = [f"{self.percent} %"]
        else:
            far = [f"{show_size(self.size)} so far"] if self.size else []
        far += [f"about {show_time(self.left)} left"] if self.left is not None else []
        far += [self.said] if self.said else []
        return {**self.params(), "doing": self._doing().en, "far": "".join(f", {part}" for part in far)}

    def shown_in_chinese(self) -> dict[str, Any]:
        if self.percent is not None:
            far = [f"{self.percent}%"]
        else:
            far = [f"已获取 {show_size(self.size)}"] if self.size else []
        far += [f"约剩 {time_in_chinese(self.left)}"] if self.left is not None else []
        far += [self.said_zh or self.said] if self.said else []
        return {**self.params(), "doing": self._doing().zh, "far": "".join(f"，{part}" for part in far)}

    def _doing(self) -> Words:
        return _DOING.get(self.state, _DOING[self.WAITING])


@dataclass(frozen=True, slots=True)
class InputFailed(Reason):
    """`problem` is the code of the transfer's problem, or `cancelled`; `said` is its sentence, `said_zh` the same in
    Chinese."""

    code = "input_failed"
    sentence = Words(
        "input {place} of {count} could not be fetched: {source}: {why}",
        "第 {place} 项输入（共 {count} 项）获取失败：{source}：{why}",
    )
    meaning = Words(
        "The job did not start: one of the inputs that it declares could not be transferred into its volume.",
        "任务未启动：其声明的一项输入无法传输到存储卷。",
    )
    advice = Words(
        "Mend what the sentence names, or change `inputs`, then start the job again: what has come stays, and the "
        "transfer goes on where it stopped. More: `danlu transfer show {transfer}`.",
        "请按提示修正，或修改 `inputs`，然后重新启动任务：已传输的内容会保留，传输从中断处继续。"
        "详情：`danlu transfer show {transfer}`。",
    )
    place: int
    count: int
    source: str
    transfer: str
    problem: str
    said: str = ""
    said_zh: str = ""

    CANCELLED = "cancelled"

    def shown(self) -> dict[str, Any]:
        return {**self.params(), "why": self._why().en}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self.params(), "why": self._why().zh}

    def _why(self) -> Words:
        if self.problem == self.CANCELLED:
            return _CANCELLED
        return Words(self.said, self.said_zh or self.said) if self.said else NOTHING


_DOING = {
    "ahead": Words("is to be fetched first", "须先获取"),
    "waiting": Words("waits for its turn among transfers", "等待传输"),
    "fetching": Words("is being fetched", "正在获取"),
    "retrying": Words("will be tried again", "稍后重试"),
}
_CANCELLED = Words("its transfer was cancelled", "其传输已被取消")
