"""The audit log, for those who may read it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.domain.job import Time
from danlu.ports.governance import AuditQuery
from danlu.server.audit import models, render
from danlu.server.http.access import API, COMMON, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.paging import seq_of
from danlu.server.http.reading import Query
from danlu.server.http.streams import Export
from danlu.server.http.tables import CSV
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("audit")

_EXPORT = {
    200: {
        "description": "The entries, oldest first, as JSON Lines or CSV.",
        "content": {
            "application/jsonl": {"schema": {"type": "string"}},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}


@routes.add("GET", f"{API}/audit", AccessRule(P.AUDIT_READ, COMMON), models.AuditList, refusals=(422,))
def list_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.AuditListQuery, Depends(Query(models.AuditListQuery))],
) -> Response:
    """List audit entries: who did what, and from where; latest first.

    A text search reads 25,000 entries per page, so a page may be short or empty and still have a `next_cursor`."""
    wanted = _wanted(query, desk.services.ports.clock.now(), before=seq_of(query.cursor), limit=query.limit)
    page = desk.services.audit.entries(who, wanted)
    more = None if page.before is None else str(page.before)
    return answer({"items": [models.AuditEntry.render(one) for one in page.rows], "next_cursor": more})


@routes.add("GET", f"{API}/audit/export", AccessRule(P.AUDIT_READ, COMMON), refusals=(422,), answers=_EXPORT)
def export_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.AuditExportQuery, Depends(Query(models.AuditExportQuery))],
) -> Response:
    """Export audit entries as a file; JSON Lines can be verified with `danlu audit verify FILE`."""
    found = desk.services.audit.export(who, _wanted(query, desk.services.ports.clock.now()))
    lines, media = (
        (render.table(found), CSV)
        if query.format == "csv"
        else (render.json_lines(found), "application/jsonl")
    )
    headers = {"Content-Disposition": f'attachment; filename="danlu-audit.{query.format}"'}
    return Export(desk.streams, lines, media, headers)


@routes.add(
    "GET", f"{API}/audit/verify", AccessRule(P.AUDIT_READ, COMMON), models.AuditVerdict, refusals=(422,)
)
def verify_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[models.AuditVerifyQuery, Depends(Query(models.AuditVerifyQuery))],
) -> Response:
    """Verify the chain of seals from the first entry to the last."""
    return answer(models.AuditVerdict.render(desk.services.audit.verify(who, query.seq, query.seal)))


def _wanted(query: models.AuditFilter, now: Time, before: int | None = None, limit: int = 50) -> AuditQuery:
    return AuditQuery(
        by=query.by,
        act=query.act,
        subject=query.subject,
        search=query.search,
        since=None if query.since is None else query.since.seen(now),
        until=None if query.until is None else query.until.seen(now),
        before=before,
        limit=limit,
    )
