"""What comes with Danlu, in words: each language has its own as long as nobody describes it."""

from __future__ import annotations

from collections.abc import Mapping

from danlu.domain.words import NOTHING, Words, same

MEANINGS: Mapping[tuple[str, str], Words] = {
    ("project", "public"): Words("Open to everyone", "对所有人开放"),
    ("priority", "low"): Words("Preempted by any other job in its project", "可被同一项目组的其他任务抢占"),
    ("priority", "normal"): Words("The default for jobs that name no priority", "未指定优先级的任务默认使用"),
    ("priority", "high"): Words(
        "Only for administrators, unless they open it to others", "仅限管理员使用，除非管理员向他人开放"
    ),
    ("pool", "default"): Words(
        "The pool of every node that was not moved to another", "未移入其他资源池的节点都在此池中"
    ),
}
"""By the kind of rule and its name."""


def described(kind: str, name: str, description: str) -> Words:
    """What a rule is for: as somebody described it, else in the words of what comes with Danlu."""
    return same(description) if description else MEANINGS.get((kind, name), NOTHING)
