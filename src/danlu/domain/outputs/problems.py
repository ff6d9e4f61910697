"""Why an output could not be kept: a code, its parameters, and a sentence in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.transfers.problems import KINDS, Problem, ProblemKind, bounded
from danlu.domain.words import Words


@dataclass(frozen=True, slots=True)
class OutputProblem(Problem):
    """As of a transfer, whose codes it has besides its own."""

    @property
    def kind(self) -> ProblemKind:
        known = OUTPUT_KINDS.get(self.code)
        if known is not None:
            return known
        of_transfer = KINDS.get(self.code)
        return ProblemKind(of_transfer.sentence, _AGAIN) if of_transfer else OUTPUT_KINDS["failed"]


def output_problem(code: str, **params: Any) -> OutputProblem:
    return OutputProblem(code, {key: bounded(value) for key, value in params.items()})


def of_act(name: str, failure: str | None, error: tuple[str, str] | None) -> OutputProblem:
    """Of an act on a dataset that failed."""
    code = failure if failure in _OF_ACTS else "no_dataset" if failure else "failed"
    why = Words(*error) if error else Words("no reason was given", "未说明原因")
    return output_problem(code, name=name, why=why)


_AGAIN = Words("then make it again: danlu outputs JOB --retry", "处理后重新生成：danlu outputs JOB --retry")
_SHARE = Words(
    "ask its owner to share it again with mode rw, then: danlu outputs JOB --retry",
    "请联系所有者重新以 rw 方式共享，然后：danlu outputs JOB --retry",
)
_WHY = Words("{why}", "{why}")
_OF_ACTS = ("over_quota", "too_deep", "full", "missing", "failed", "internal")

OUTPUT_KINDS: Mapping[str, ProblemKind] = {
    **{code: ProblemKind(_WHY, _AGAIN) for code in _OF_ACTS},
    "not_kept": ProblemKind(
        Words(
            "nothing is kept of what {task} left: it did not get as far as running, or its results are gone",
            "没有保留 {task} 的任何结果：它未能开始运行，或结果已被清除",
        ),
        Words(
            "run the job again; results stay until their outputs are made",
            "请重新运行任务；输出生成之前结果会一直保留",
        ),
    ),
    "no_task": ProblemKind(
        Words("this attempt had no task {task}", "这次运行没有子任务 {task}"),
        Words("correct `task` of the output: danlu edit JOB", "请修改输出的 `task`：danlu edit JOB"),
    ),
    "nothing_there": ProblemKind(
        Words("there is nothing at {path} in the working folder", "工作目录中没有 {path}"),
        Words(
            "danlu get JOB --list shows what is there; correct `path` of the output (danlu edit JOB), and run the job "
            "again",
            "可用 danlu get JOB --list 查看目录内容；请修改输出的 `path`（danlu edit JOB）后重新运行任务",
        ),
    ),
    "not_a_folder": ProblemKind(
        Words(
            "{path} is no folder, and a version of a dataset is made of one",
            "{path} 不是目录，而数据集的版本须由目录生成",
        ),
        Words("write to a folder, or copy the file `to` a volume", "请写入目录，或用 `to` 复制到存储卷"),
    ),
    "link": ProblemKind(
        Words(
            "a link is on the way to {path}: what it leads to is not the job's to give",
            "到 {path} 的途中有链接：链接指向的内容不属于该任务",
        ),
        Words("write plain files and folders there", "请在该处写入普通的文件和目录"),
    ),
    "owner_gone": ProblemKind(
        Words(
            "the account of {owner} is disabled or gone, and outputs are made in the name of their owner",
            "{owner} 的账号已停用或不存在，而输出以所有者的名义生成",
        ),
    ),
    "no_dataset": ProblemKind(
        Words("no version of {name} can be made: {why}", "无法为 {name} 生成版本：{why}"), _SHARE
    ),
    "no_access": ProblemKind(
        Words("volume {volume} cannot be used any more: {why}", "已不能使用存储卷 {volume}：{why}"), _SHARE
    ),
    "cancelled": ProblemKind(Words("somebody cancelled it", "已被取消"), _AGAIN),
}
