"""Events and logs: queries and answers."""

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.ports.store import Recorded
from danlu.server.http.models import MAX_NUMBER, Answer, Moment, RequestBody, Text

TRY = "Which try of a task that was restarted within its attempt, from 0; default: the latest."


class LogQuery(RequestBody):
    """Which part of which log."""

    task: str | None = Field(
        None, max_length=100, description="The task, such as worker-0; default: the first task."
    )
    try_: int | None = Field(None, alias="try", ge=0, le=MAX_NUMBER, description=TRY)
    attempt: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The attempt; default: the latest.")
    offset: int | None = Field(None, ge=0, le=MAX_NUMBER, description="The offset to start from, in bytes.")
    tail: int | None = Field(None, ge=0, le=1_000_000, description="Start this many lines before the end.")
    limit_bytes: int = Field(
        1 << 20, ge=1, le=8 << 20, description="Approximate size of the answer, in bytes."
    )
    search: str | None = Field(
        None, min_length=1, max_length=200, description="Only lines that contain this text, ignoring case."
    )
    follow: bool = Field(
        False, description="Keep the connection open and send lines as they are written (server-sent events)."
    )
    timestamps: bool = Field(False, description="In a plain-text answer, start each line with its time.")


class LiveLog(RequestBody):
    """A log to follow over the console's WebSocket."""

    job: Annotated[str, Field(min_length=1, max_length=200)]
    task: Annotated[str, Field(max_length=100)] | None = None
    try_: Annotated[int | None, Field(alias="try", ge=0, le=MAX_NUMBER)] = None
    attempt: Annotated[int, Field(ge=1, le=MAX_NUMBER)] | None = None
    offset: Annotated[int, Field(ge=0, le=MAX_NUMBER)] = 0


class LiveWish(RequestBody):
    """Everything a client of the WebSocket wants from now on: topics, and logs under names that the client chooses."""

    subscribe: list[str] = Field(default=[])
    logs: Annotated[dict[Annotated[str, Field(max_length=40)], LiveLog], Field(max_length=16)] = Field(
        default={}
    )


class Event(Answer, of=Recorded):
    """Something that happened; `seq` grows and is never reused."""

    seq: int
    time: Moment
    kind: str
    job_id: str | None
    actor: str | None
    data: dict[str, Any]
    text: Text


class EventPage(Answer):
    items: list[Event]
    next_cursor: str | None


class LogLine(Answer):
    """One line; `offset` is where it starts, `stream` is o (stdout) or e (stderr)."""

    offset: int
    time: Moment
    stream: Literal["o", "e"]
    text: str


class LogPage(Answer):
    """Lines, the offset to continue from, and whether the task is over and this was everything. `more`: a search
    stopped there before the end of what is written (after 64 MiB, or 1,000 lines found); ask again from there."""

    lines: list[LogLine]
    next_offset: int
    end: bool
    more: bool
