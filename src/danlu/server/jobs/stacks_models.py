"""Where the programs of a job's tasks stood, as asked for and answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from danlu.ports.stacks import Stacks
from danlu.server.http.answering import instant
from danlu.server.http.models import MAX_NUMBER, Answer, RequestBody
from danlu.server.http.rendering import Via


class TakeStacksQuery(RequestBody):
    """Of which task to take them."""

    task: str | None = Field(None, max_length=100, description="Of this task only; default: of all that run.")


class StacksQuery(RequestBody):
    """Which of those that were kept."""

    task: str | None = Field(None, max_length=100, description="Of this task only.")
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="Of this attempt only; default: all.")


class TaskStacks(Answer, of=Stacks):
    """What the processes of one task were doing; `cause` says whether the job hung or somebody asked."""

    task: str
    attempt: int
    taken_at: Annotated[str, Via(instant)]
    text: str
    cause: Literal["hung", "asked"]


class JobStacks(Answer):
    """The latest first; the last few of each task are kept."""

    items: list[TaskStacks]
