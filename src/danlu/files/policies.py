"""Which remedies are possible for which trouble; others are refused at their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from danlu.domain.errors import FieldError
from danlu.domain.job import Remedy, Trouble
from danlu.domain.words import Words, listed, say
from danlu.files.job_file import JobFile
from danlu.files.mistakes import Loc

ALLOWED: Mapping[Trouble, tuple[Remedy, ...]] = {
    Trouble.TASK_FAILED: tuple(Remedy),
    Trouble.OUT_OF_MEMORY: tuple(Remedy),
    Trouble.NODE_LOST: (
        Remedy.FAIL, Remedy.RESTART_JOB, Remedy.REQUEUE, Remedy.COMPLETE, Remedy.IGNORE,
    ),
    Trouble.EVICTED: (Remedy.REQUEUE, Remedy.FAIL, Remedy.COMPLETE),
    Trouble.HUNG: (Remedy.FAIL, Remedy.RESTART_JOB, Remedy.REQUEUE, Remedy.COMPLETE),
    Trouble.TASK_COMPLETED: (Remedy.IGNORE, Remedy.COMPLETE, Remedy.RESTART_TASK),
}  # fmt: skip
"""What may be done about each trouble."""
OF_ROLES = frozenset({Trouble.TASK_FAILED, Trouble.OUT_OF_MEMORY, Trouble.NODE_LOST, Trouble.TASK_COMPLETED})
"""Trouble that can concern one role alone; the rest concerns the whole job."""


def policy_mistakes(file: JobFile) -> Iterator[FieldError]:
    """Errors for impossible remedies, of the job and of each role."""
    yield from _impossible(("on",), file.on)
    for place, role in enumerate(file.roles or ()):
        yield from _impossible(("roles", place, "on"), role.on)
        for trouble in role.on:
            if trouble not in OF_ROLES:
                text = say(
                    "{trouble} concerns the whole job, not one role",
                    "{trouble} 针对整个任务，而不是单个角色",
                    trouble=trouble.value,
                )
                hint = Words("put it under the job's own `on`", "请写在任务自身的 `on` 中")
                yield FieldError(("roles", place, "on", trouble), "contradiction", text, hint=hint)
        if role.replicas == 0:
            text = Words(
                "a role needs at least 1 task; this one has 0", "一个角色至少有 1 个子任务，这里为 0"
            )
            hint = Words("or leave the role out", "也可以去掉该角色")
            yield FieldError(("roles", place, "replicas"), "out_of_range", text, 0, 1, hint)
    if file.roles and all(role.serves for role in file.roles):
        text = Words(
            "every role only serves others, so the job would never complete",
            "所有角色都设为 serves，任务永远不会完成",
        )
        hint = Words("remove `serves` from at least one role", "请去掉其中一个角色的 `serves`")
        yield FieldError(("roles",), "contradiction", text, hint=hint)
    if file.backoff.first > file.backoff.most:
        text = Words("backoff.first is longer than backoff.most", "backoff.first 大于 backoff.most")
        hint = Words("raise most or lower first", "请调大 most 或调小 first")
        yield FieldError(("backoff", "first"), "contradiction", text, hint=hint)


def _impossible(loc: Loc, on: Mapping[Trouble, Remedy]) -> Iterator[FieldError]:
    for trouble, remedy in on.items():
        allowed = [each.value for each in ALLOWED[trouble]]
        if remedy not in allowed:
            text = say(
                "'{remedy}' is not possible for {trouble}: {allowed}",
                "{trouble} 不能使用处置“{remedy}”，可选：{allowed}",
                remedy=remedy.value,
                trouble=trouble.value,
                allowed=listed(allowed),
            )
            yield FieldError((*loc, trouble.value), "bad_value", text, remedy.value, allowed)
