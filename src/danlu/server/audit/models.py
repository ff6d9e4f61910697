"""The audit log: queries and answers."""

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

    by: FilterText | None = Field(None, description="Only actions of this person.")
    act: FilterText | None = Field(None, description="Only this action, such as edited.")
    subject: FilterText | None = Field(
        None, description="Only actions on this subject, such as project:nlp; `project:` for all projects."
    )
    search: FilterText | None = Field(
        None, description="Only entries that contain this text in person, action, subject or reason."
    )
    since: WrittenMoment | None = Field(
        None, description="Only entries from this time on; relative times such as -7d work too."
    )
    until: WrittenMoment | None = Field(None, description="Only entries before this time.")


class AuditListQuery(AuditFilter, ListQuery):
    """Which entries, and how many."""


class AuditExportQuery(AuditFilter):
    """Which entries, and in which format."""

    format: Literal["jsonl", "csv"] = Field("jsonl", description="JSON Lines or CSV.")


class AuditVerifyQuery(RequestBody):
    """The number and seal of an entry, noted earlier."""

    seq: int | None = Field(None, ge=1, le=MAX_NUMBER, description="The number of an entry noted earlier.")
    seal: str | None = Field(None, pattern="^[0-9a-f]{64}$", description="The seal it had then.")


class ExportedEntry(Answer, of=Noted):
    """An entry, without a sentence for people."""

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
    """An entry: who did what, when, from where, with the values before and after. `seal` chains it to the previous
    entry."""

    text: Annotated[Text, By(_sentence)]


class AuditList(Answer):
    items: list[AuditEntry]
    next_cursor: str | None


class AuditBreak(Answer, of=Broken):
    """Where the chain of seals is broken, and how."""

    seq: int
    why: Annotated[str, At("why.en")]
    text: Annotated[Text, At("why")]


def _holds(one: audit.AuditVerdict) -> bool:
    return one.broken is None


class AuditVerdict(Answer, of=audit.AuditVerdict):
    """How far the chain of seals is intact: `count` entries, up to `seq` with its `seal`. Entries from `signed_since`
    on are signed with a key that is not in the database."""

    ok: Annotated[bool, By(_holds)]
    count: int
    seq: int
    seal: str
    broken: AuditBreak | None
    signed_since: int | None
