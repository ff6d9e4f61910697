"""What was allocated, requested and used over time."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.usage.trends import GroupBy, Interval, WantedTrend
from danlu.domain.errors import Invalid
from danlu.domain.job import Time
from danlu.domain.permissions import Caller
from danlu.server.http.access import API, USAGE, AccessRule, P
from danlu.server.http.answering import answer
from danlu.server.http.reading import Query, in_query
from danlu.server.http.streams import Export
from danlu.server.http.tables import CSV
from danlu.server.route import AtDesk, Routes, Who
from danlu.server.usage import trends_models as models
from danlu.server.usage import trends_render

routes = Routes("trends")

_WEEK = 7 * 86_400_000
_TABLE = {
    200: {
        "description": "The lines; with `format=csv` all their points as a table.",
        "content": {"text/csv": {"schema": {"type": "string"}}},
    }
}


@routes.add(
    "GET", f"{API}/trends", AccessRule(P.USAGE_READ, USAGE), models.Trend, refusals=(422,), answers=_TABLE
)
def get_trends(
    desk: AtDesk, who: Who, query: Annotated[models.TrendQuery, Depends(Query(models.TrendQuery))]
) -> Response:
    """Get GPUs allocated, requested and used, and how long jobs waited, by hour, day or week."""
    wanted = _wanted(query, who, desk.services.ports.clock.now())
    try:
        found = desk.services.usage.trends.read(who, wanted)
    except Invalid as error:
        raise in_query(error) from None
    if query.format == "json":
        return answer(models.Trend.render(found))
    headers = {"Content-Disposition": 'attachment; filename="danlu-trends.csv"'}
    return Export(desk.streams, trends_render.table(found, wanted.by), CSV, headers)


def _wanted(query: models.TrendQuery, who: Caller, now: Time) -> WantedTrend:
    return WantedTrend(
        since=now - _WEEK if query.since is None else query.since.seen(now),
        until=None if query.until is None else query.until.seen(now),
        step=Interval(query.step),
        by=None if query.by is None else GroupBy(query.by),
        project=query.project,
        user=who.name if query.user == "me" else query.user,
        model=query.model,
        job_class=query.job_class,
    )
