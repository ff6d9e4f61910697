"""The audit log as sent and answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.files.moments import WrittenMoment
from danlu.server.http.models import MAX_NUMBER, Answer, ListQuery, Moment, Request, Text

Part = Annotated[str, Field(min_length=1, max_length=200)]


class AuditFilter(Request):
    """Which entries."""

    by: Part | None = Field(None, description="What this person did.")
    act: Part | None = Field(None, description="This act, such as edited.")
    subject: Part | None = Field(
        None, description="What was done to this, such as project:nlp; `project:` for all projects."
    )
    search: Part | None = Field(None, description="With this in person, act, subject or reason.")
    since: WrittenMoment | None = Field(None, description="From this moment on, or so long ago (-7d).")
    until: WrittenMoment | None = Field(None, description="Before this moment.")


class AuditListQuery(AuditFilter, ListQuery):
    """Which entries, and how many."""


class AuditExportQuery(AuditFilter):
    """Which entries, and as what."""

    format: Literal["jsonl", "csv"] = Field("jsonl", description="Lines of JSON, or CSV.")


class AuditVerifyQuery(Request):
    """A number and its seal, noted earlier."""

    seq: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The number of an entry noted earlier.")
    seal: str | None = Field(None, pattern="^[0-9a-f]{64}$", description="The seal it had then.")


class AuditEntry(Answer):
    """An act: who, when, from where, before and after. `seal` chains it to the entry before."""

    seq: int
    time: Moment
    by: str
    act: str
    subject: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str
    address: str
    means: str
    seal: str
    text: Text


class AuditList(Answer):
    items: list[AuditEntry]
    next_cursor: str | None


class AuditBreak(Answer):
    """Where the chain does not hold, and how."""

    seq: int
    why: str


class AuditVerdict(Answer):
    """How far the chain holds: `count` entries, up to `seq` with its `seal`."""

    ok: bool
    count: int
    seq: int
    seal: str
    broken: AuditBreak | None
