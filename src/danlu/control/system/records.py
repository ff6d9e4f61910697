"""Whether what Danlu recorded can be believed."""

from __future__ import annotations

from collections.abc import Iterator

from danlu.control.system.facts import SystemFacts
from danlu.domain.weakness import Severity, WeakArea, Weakness
from danlu.domain.words import Words, listed, say

_AHEAD = 60_000
"""How far the last entry may lie in the future: clocks of several servers differ a little."""


def record_weaknesses(facts: SystemFacts) -> Iterator[Weakness]:
    broken, last = facts.records.broken_at, facts.records.last_at
    if broken:
        text = say(
            "the audit log was changed: its chain is broken at entry {seq}",
            "审计日志被改动过：链条在条目 {seq} 处断裂",
            seq=broken,
        )
        yield Weakness("audit_broken", WeakArea.RECORDS, Severity.HIGH, text, _FIND_OUT)
    if last is not None and last > facts.now + _AHEAD:
        text = say(
            "the clock is {seconds} s behind the last entry of the audit log: times in records and expiries are wrong",
            "系统时钟比审计日志的最后一条落后 {seconds} 秒：记录中的时间和过期时间都不正确",
            seconds=(last - facts.now) // 1000,
        )
        yield Weakness("clock_behind", WeakArea.RECORDS, Severity.MEDIUM, text, _SET_CLOCK)
    for names in facts.records.twins:
        text = say(
            "the projects {names} differ in upper and lower case alone; no more such names can be made",
            "项目组 {names} 仅大小写不同；现已不允许再创建此类名称",
            names=listed(names),
        )
        yield Weakness("twin_projects", WeakArea.RECORDS, Severity.LOW, text, _MOVE)


_MOVE = Words(
    "move the jobs of one to the other (danlu edit), then remove the empty one (danlu project rm)",
    "将其中一个的任务移到另一个（danlu edit），再删除空的项目组（danlu project rm）",
)
_FIND_OUT = Words(
    "compare with an export kept elsewhere (danlu audit verify FILE), and find out who had access to the database",
    "与另存的导出文件比对（danlu audit verify FILE），并查明谁能访问数据库",
)
_SET_CLOCK = Words(
    "have the clock set by NTP (timedatectl set-ntp true)", "用 NTP 校准时钟（timedatectl set-ntp true）"
)
