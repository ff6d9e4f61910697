"""Stacks of a job's tasks: queries and answers."""

from typing import Annotated, Literal

from pydantic import Field

from danlu.ports.stacks import Stacks
from danlu.server.http.answering import instant
from danlu.server.http.models import MAX_NUMBER, Answer, RequestBody
from danlu.server.http.rendering import Via


class TakeStacksQuery(RequestBody):
    """Which task to take stacks of."""

    task: str | None = Field(
        None, max_length=100, description="Only of this task; default: all running tasks."
    )


class StacksQuery(RequestBody):
    """Which stored stacks."""

    task: str | None = Field(None, max_length=100, description="Of this task only.")
    attempt: int | None = Field(
        None, ge=1, le=MAX_NUMBER, description="Only of this attempt; default: all attempts."
    )


class TaskStacks(Answer, of=Stacks):
    """The stacks of one task's processes; `cause` says whether the job hung or somebody requested them."""

    task: str
    attempt: int
    taken_at: Annotated[str, Via(instant)]
    text: str
    cause: Literal["hung", "asked"]


class JobStacks(Answer):
    """Stored stacks, latest first; only the last few of each task are stored."""

    items: list[TaskStacks]
