"""What may be said of trouble: remedies that make no sense are refused where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from danlu.domain.errors import FieldError
from danlu.domain.job import Remedy, Trouble
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
"""What may befall one role alone; the rest is trouble of the whole job."""


def policy_mistakes(file: JobFile) -> Iterator[FieldError]:
    """Remedies that cannot be, of the job and of each role."""
    yield from _impossible(("on",), file.on)
    for place, role in enumerate(file.roles or ()):
        yield from _impossible(("roles", place, "on"), role.on)
        for trouble in role.on:
            if trouble not in OF_ROLES:
                message = f"{trouble} is trouble of the whole job, not of one role"
                yield FieldError(
                    ("roles", place, "on", trouble),
                    "contradiction",
                    message,
                    hint="say it under the job's own `on`",
                )
        if role.replicas == 0:
            message = "a role has at least 1 task; you asked for 0"
            yield FieldError(
                ("roles", place, "replicas"), "out_of_range", message, 0, 1, "or leave the role out"
            )
    if file.roles and all(role.serves for role in file.roles):
        message = "every role serves others, so the job would never be done"
        yield FieldError(("roles",), "contradiction", message, hint="leave `serves` out of one of them")
    if file.backoff.first > file.backoff.most:
        message = "backoff.first is longer than backoff.most"
        yield FieldError(("backoff", "first"), "contradiction", message, hint="raise most or lower first")


def _impossible(loc: Loc, on: Mapping[Trouble, Remedy]) -> Iterator[FieldError]:
    for trouble, remedy in on.items():
        allowed = [each.value for each in ALLOWED[trouble]]
        if remedy not in allowed:
            message = f"'{remedy}' is no answer to {trouble}: {', '.join(allowed)}"
            yield FieldError((*loc, trouble.value), "bad_value", message, remedy.value, allowed)
