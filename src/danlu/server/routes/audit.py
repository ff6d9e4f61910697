"""The audit log, for those who may read it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response, StreamingResponse

from danlu.domain.job import Time
from danlu.ports.governance import AuditQuery
from danlu.server import render, render_audit
from danlu.server.paging import seq_of
from danlu.server.reading import Query
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.rules import API
from danlu.server.tables import CSV
from danlu.wire import audit as wire

routes = Routes("audit")

_EXPORT = {
    200: {
        "description": "The entries, the oldest first: a line of JSON each, or a table.",
        "content": {
            "application/jsonl": {"schema": {"type": "string"}},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}


@routes.add("GET", f"{API}/audit", wire.AuditList, refusals=(422,))
def list_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[wire.AuditListQuery, Depends(Query(wire.AuditListQuery))],
) -> Response:
    """What was done, by whom, from where; the latest first.

    A search for words alone reads 25,000 entries for each page, which may then be short or empty and have a
    `next_cursor` all the same."""
    wanted = _wanted(query, desk.services.clock.now(), before=seq_of(query.cursor), limit=query.limit)
    page = desk.services.audit.entries(who, wanted)
    more = None if page.before is None else str(page.before)
    return render.answer({"items": [render_audit.entry(one) for one in page.rows], "next_cursor": more})


@routes.add("GET", f"{API}/audit/export", refusals=(422,), answers=_EXPORT)
def export_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[wire.AuditExportQuery, Depends(Query(wire.AuditExportQuery))],
) -> Response:
    """All that was done, as a file; lines of JSON can be verified with `danlu audit verify FILE`."""
    found = desk.services.audit.export(who, _wanted(query, desk.services.clock.now()))
    lines, media = (
        (render_audit.table(found), CSV)
        if query.format == "csv"
        else (render_audit.json_lines(found), "application/jsonl")
    )
    headers = {"Content-Disposition": f'attachment; filename="danlu-audit.{query.format}"'}
    return StreamingResponse(lines, headers=headers, media_type=media)


@routes.add("GET", f"{API}/audit/verify", wire.AuditVerdict, refusals=(422,))
def verify_audit(
    desk: AtDesk,
    who: Who,
    query: Annotated[wire.AuditVerifyQuery, Depends(Query(wire.AuditVerifyQuery))],
) -> Response:
    """Follow the chain of seals from the first entry to the last."""
    return render.answer(render_audit.verdict(desk.services.audit.verify(who, query.seq, query.seal)))


def _wanted(query: wire.AuditFilter, now: Time, before: int | None = None, limit: int = 50) -> AuditQuery:
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
