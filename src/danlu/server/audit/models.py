"""The audit log as sent and answered."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from danlu.control import audit
from danlu.domain.acts import sentence
from danlu.domain.audit import Broken, Noted
from danlu.domain.words import Words
from danlu.files.moments import WrittenMoment
from danlu.server.http.models import MAX_NUMBER, Answer, ListQuery, Moment, RequestBody, Text
from danlu.server.http.rendering import At, By

FilterText = Annotated[str, Field(min_length=1, max_length=200)]


class AuditFilter(RequestBody):
    """Which entries."""

    by: FilterText | None = Field(None, description="What this person did.")
    act: FilterText | None = Field(None, description="This act, such as edited.")
    subject: FilterText | None = Field(
        None, description="What was done to this, such as project:nlp; `project:` for all projects."
    )
    search: FilterText | None = Field(None, description="With this in person, act, subject or reason.")
    since: WrittenMoment | None = Field(None, description="From this moment on, or so long ago (-7d).")
    until: WrittenMoment | None = Field(None, description="Before this moment.")


class AuditListQuery(AuditFilter, ListQuery):
    """Which entries, and how many."""


class AuditExportQuery(AuditFilter):
    """Which entries, and as what."""

    format: Literal["jsonl", "csv"] = Field("jsonl", description="Lines of JSON, or CSV.")


class AuditVerifyQuery(RequestBody):
    """A number and its seal, noted earlier."""

    seq: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The number of an entry noted earlier.")
    seal: str | None = Field(None, pattern="^[0-9a-f]{64}$", description="The seal it had then.")


class ExportedEntry(Answer, of=Noted):
    """An act, without a sentence about it."""

    seq: int
    time: Moment
    by: Annotated[str, At("entry.by")]
    act: Annotated[str, At("entry.act")]
    subject: Annotated[str, At("entry.subject")]
    before: Annotated[dict[str, Any] | None, At("entry.before")]
    after: Annotated[dict[str, Any] | None, At("entry.after")]
    reason: Annotated[str, At("entry.reason")]
    address: Annotated[str, At("entry.address")]
    means: Annotated[str, At("entry.means")]
    seal: str


def _sentence(noted: Noted) -> Words:
    return sentence(noted.entry)


class AuditEntry(ExportedEntry):
    """An act: who, when, from where, before and after. `seal` chains it to the entry before."""

    text: Annotated[Text, By(_sentence)]


class AuditList(Answer):
    items: list[AuditEntry]
    next_cursor: str | None


class AuditBreak(Answer, of=Broken):
    """Where the chain does not hold, and how."""

    seq: int
    why: str


def _holds(one: audit.AuditVerdict) -> bool:
    return one.broken is None


class AuditVerdict(Answer, of=audit.AuditVerdict):
    """How far the chain holds: `count` entries, up to `seq` with its `seal`."""

    ok: Annotated[bool, By(_holds)]
    count: int
    seq: int
    seal: str
    broken: AuditBreak | None
