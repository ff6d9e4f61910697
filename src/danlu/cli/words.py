"""Sentences of the command line itself, in the user's language."""

from __future__ import annotations

import os

from danlu.domain import built_in
from danlu.domain.words import NOTHING, Words, listed, say


def language() -> str:
    """`en` or `zh`: from DANLU_LANG, else from the locale."""
    said = (os.environ.get(name) for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, said), "").lower().startswith("zh") else "en"


def own_command() -> str:
    """What to type for `danlu` where this was started: `./dev danlu` in a checkout."""
    return os.environ.get("DANLU_COMMAND") or "danlu"


def spoken(words: Words) -> str:
    """A sentence in the user's language."""
    return words.by_language[language()]


def speak(en: str, zh: str, **params: object) -> str:
    """The same for a new sentence, with its parameters filled in."""
    return spoken(say(en, zh, **params))


def meant(likely: object, otherwise: Words = NOTHING, quoted: bool = True) -> Words:
    """A question that follows another sentence, on what was probably meant; else what to do instead."""
    if not likely:
        return say(" {otherwise}", "{otherwise}", otherwise=otherwise) if otherwise.en else NOTHING
    if quoted:
        return say(" Did you mean '{likely}'?", "你是想写“{likely}”吗？", likely=likely)
    return say(" Did you mean {likely}?", "你是想写“{likely}”吗？", likely=likely)


def either(*names: str) -> Words:
    """`--gpus, --cpus or --memory`."""
    if len(names) < 2:
        return listed(names)
    return say("{first} or {last}", "{first} 或 {last}", first=listed(names[:-1]), last=names[-1])


def described(kind: str, name: str, description: str) -> str:
    """What a rule is for; what comes with Danlu is described in the user's language."""
    return spoken(built_in.described(kind, name, description))


def done_said(done: str) -> Words:
    """What was done, at the beginning of a sentence."""
    return Words(done, _DONE.get(done, done))


def noun_said(noun: str) -> Words:
    return Words(noun, _NOUNS.get(noun, noun))


_DONE = {
    "Submitted": "已提交",
    "Created": "已创建",
    "Planned": "已安排",
    "Cloned": "已克隆",
    "Changed": "已修改",
    "Edited": "已编辑",
    "Started": "已启动",
    "Stopping": "正在停止",
    "Stopped": "已停止",
    "Restarted": "已重启",
    "Reset": "已重置",
    "Added": "已添加",
    "Removed": "已移除",
    "Disabled": "已停用",
    "Enabled": "已启用",
    "Approved": "已批准",
    "Refused": "已拒绝",
    "Withdrew": "已撤回",
}
_NOUNS = {
    "flavor": "套餐",
    "project": "项目组",
    "maintenance": "维护",
    "cluster": "集群",
    "limit": "限额",
    "priority class": "优先级",
    "pool": "资源池",
    "template": "模板",
    "transfer": "传输",
    "schedule": "定时传输",
    "volume": "存储卷",
    "group": "用户组",
}
