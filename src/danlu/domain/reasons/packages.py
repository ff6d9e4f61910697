"""Why a job's packages could not be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from danlu.domain.reasons.base import Reason
from danlu.domain.words import Words

_INSTALL = "install"
_WHAT: Mapping[str, Words] = {
    "install": Words("{message}", "{message}"),
    "no_network": Words(
        "the job has no network (network: none), and not everything is on the machine: {message}",
        "任务没有网络（network: none），而所需内容不全在本机：{message}",
    ),
    "no_file": Words("the code has no plain file {message}", "代码中没有普通文件 {message}"),
    "no_tool": Words(
        "the machine or image lacks what it takes: {message}", "机器或镜像缺少所需的工具：{message}"
    ),
    "no_environment": Words("there is no environment at {message}", "{message} 处没有 Python 环境"),
    "no_space": Words(
        "the disk or personal directory is full: {message}", "磁盘或个人目录空间不足：{message}"
    ),
}
"""By `problem`; of one that this version does not know, the message alone is told."""
_REMEDIES: Mapping[str, Words] = {
    "install": Words(
        "Check the names and versions in packages, and that the job's network reaches the package index.",
        "请检查 packages 中的名称和版本，以及任务的网络能否访问软件源。",
    ),
    "no_network": Words(
        "Use network: registries or all; or let a job with a network install the same packages once: they are kept.",
        "请使用 network: registries 或 all；或先由可联网的任务安装一次相同的软件包，安装结果会保留。",
    ),
    "no_file": Words(
        "Check the path in packages, which is below the code folder, and that .gitignore does not exclude the file.",
        "请检查 packages 中的路径（相对于代码目录），并确认该文件未被 .gitignore 排除。",
    ),
    "no_tool": Words(
        "List the packages under packages.pip, or ask an administrator to install it on the machine or in the image.",
        "请在 packages.pip 中列出软件包，或请管理员在机器或镜像中安装该工具。",
    ),
    "no_environment": Words(
        "Make one in your personal directory with python3 -m venv; other people's are not visible to your tasks.",
        "请用 python3 -m venv 在个人目录中创建；你的任务看不到其他人的环境。",
    ),
    "no_space": Words(
        "Delete environments (danlu env ls, danlu env rm) or files that you no longer need, or ask for more space.",
        "请删除不再需要的环境（danlu env ls、danlu env rm）或文件，或申请更多空间。",
    ),
}


@dataclass(frozen=True, slots=True)
class EnvironmentFailed(Reason):
    """`problem` says what kind of trouble it was, `message` what the program that installs said last."""

    code = "environment_failed"
    sentence = Words("{task}: the packages cannot be installed: {what}", "{task} 无法安装软件包：{what}")
    meaning = Words(
        "What packages asks for could not be installed or found, so the command was not run.",
        "packages 中要求的软件包无法安装或找不到，因此没有运行命令。",
    )
    advice = Words("{remedy} The log of {task} says more.", "{remedy}详情见 {task} 的日志。")
    task: str
    problem: str
    message: str

    def shown(self) -> dict[str, Any]:
        return {**self._both(), "what": self._what().en}

    def shown_in_chinese(self) -> dict[str, Any]:
        return {**self._both(), "what": self._what().zh}

    def _both(self) -> dict[str, Any]:
        return {**self.params(), "remedy": _REMEDIES.get(self.problem, _REMEDIES[_INSTALL])}

    def _what(self) -> Words:
        return _WHAT.get(self.problem, _WHAT[_INSTALL]).fill(message=self.message)
