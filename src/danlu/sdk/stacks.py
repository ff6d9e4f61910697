"""Where the programs of a job's tasks stood, as methods of the client and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

from danlu.sdk.http import segment

if TYPE_CHECKING:
    from danlu.sdk.http import Http


@dataclass(frozen=True)
class TaskStacks:
    """What the processes of one task were doing; `cause` is hung, or asked where somebody wanted to know."""

    task: str
    attempt: int = 0
    taken_at: str = ""
    text: str = ""
    cause: str = ""


class Stacks:
    """Looking into the programs of tasks."""

    http: Http

    def stacks(self, job: str, task: str | None = None, attempt: int | None = None) -> list[TaskStacks]:
        """Those that were kept, the latest first: from when the job hung, and those somebody asked for."""
        asked = {"task": task, "attempt": attempt}
        return _read(self.http.json("GET", f"jobs/{segment(job)}/stacks", asked))

    def take_stacks(self, job: str, task: str | None = None) -> list[TaskStacks]:
        """Of the tasks that run now, or of one of them; takes seconds."""
        return _read(self.http.json("POST", f"jobs/{segment(job)}/stacks", {"task": task}))


def _read(found: Mapping[str, Any]) -> list[TaskStacks]:
    """Fields that this client does not know are ignored."""
    known = TaskStacks.__dataclass_fields__
    return [
        TaskStacks(**{key: value for key, value in one.items() if key in known}) for one in found["items"]
    ]
