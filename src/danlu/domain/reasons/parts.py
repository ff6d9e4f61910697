"""Parts of reasons that differ by language: what a job wants, and what a task's machine says of a command."""

from __future__ import annotations

import re

_PART = re.compile(r"(\d+) × \(([^()]*)\)")
_AMOUNTS = ((re.compile(r"([\d.]+) CPU"), r"\1 核 CPU"), (re.compile(r"([\d.]+) (.+)"), r"\1 卡 \2"))
_MISSING = tuple(
    (re.compile(english), chinese)
    for english, chinese in (
        (
            r"command not found: (\S+); it comes with (\S+): add (`.*`)",
            r" \1（退出码 127）；它随 \2 安装，请添加 \3",
        ),
        (r"command not found: (\S+); did you mean (\S+)\?", r" \1（退出码 127）；你是想写“\2”吗？"),
        (
            r"command not found: (\S+) does not exist \(looked for (\S+)\)(.*)",
            r" \1（退出码 127）：\2 不存在\3",
        ),
        (r"command not found: (\S+)", r" \1（退出码 127）"),
        (r"command not found", "（退出码 127）"),
    )
)


def room_for(tasks: int, fit: int) -> str:
    return f"room for {fit} of {tasks} tasks now"


def room_in_chinese(tasks: int, fit: int, what: str) -> str:
    """How many of a job's tasks there is room for now."""
    return f"当前只够 {tasks} 个子任务中的 {fit} 个" if fit else f"当前没有足够的{what}"


def wanted_in_chinese(wanted: str) -> str:
    """`2 × (8 A100, 32 CPU, 2GiB)` as `2 ×（8 卡 A100、32 核 CPU、2GiB 内存）`; one alone without the brackets."""
    parts = [_part(found) for found in _PART.finditer(wanted)]
    return " + ".join(parts) if len(parts) > 1 else _alone(parts[0]) if parts else wanted


def _part(found: re.Match[str]) -> str:
    return f"{found[1]} ×（{'、'.join(map(_amount, found[2].split(', ')))}）"


def _alone(part: str) -> str:
    return part[4:-1] if part.startswith("1 ×（") else part


def _amount(text: str) -> str:
    for english, chinese in _AMOUNTS:
        if english.fullmatch(text):
            return english.sub(chinese, text)
    return f"{text} 内存"


def missing_in_chinese(message: str) -> str:
    """What follows `找不到命令`."""
    for english, chinese in _MISSING:
        if english.fullmatch(message):
            return english.sub(chinese, message)
    return f"（退出码 127）：{message}"
