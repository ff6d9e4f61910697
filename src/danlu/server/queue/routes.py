"""The queue: who waits and why, pins, the order of one's own jobs, and scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends
from starlette.responses import Response

from danlu.control.queue.everybodys import EverybodysQuery, SeenUpTo
from danlu.control.queue.queue import Place, PlaceQuery, Side
from danlu.control.usage.holders import Holder
from danlu.domain.errors import FieldError, Invalid
from danlu.domain.job import JobClass
from danlu.domain.words import Words
from danlu.scheduler import Lane
from danlu.server.http.access import API, COMMON, JOB, ONESELF, SCORE, AccessRule, P
from danlu.server.http.answering import answer, moment
from danlu.server.http.models import ListQuery
from danlu.server.http.paging import page_of
from danlu.server.http.problems import asking
from danlu.server.http.reading import Body, Query, in_query
from danlu.server.jobs.models import JobDetail
from danlu.server.jobs.render import row_of
from danlu.server.jobs.routes import detail
from danlu.server.queue import models, render
from danlu.server.route import AtDesk, Routes, Who

routes = Routes("queue")
HOLDERS_NAMED = 5
"""How many of those that hold what a job waits for its reasons name."""
_SEEN = re.compile(r"(\d{1,15})\.(\d{1,4})")
_RANK = re.compile(r"(\d{1,9})\.(.+)")
_CURSOR = re.compile(rf"(\d{{1,9}})\.({'|'.join(JobClass)})\.(.+)")


@routes.add("GET", f"{API}/queue", AccessRule(P.QUEUE_READ, COMMON), models.QueuePage, refusals=(422,))
def list_queue(
    desk: AtDesk, who: Who, query: Annotated[models.QueueQuery, Depends(Query(models.QueueQuery))]
) -> Response:
    """List all waiting jobs in queue order; for jobs of others, only who waits for how much."""
    queue = desk.services.queue.queue
    owner = who.name if query.owner == "me" else query.owner
    after = _read_cursor(query.cursor)
    wanted = PlaceQuery(query.lane, query.job_class, query.project, owner, query.limit, after)
    places, more = queue.places(who, wanted)
    return answer(
        {
            "items": [render.place(one, who) for one in places],
            "next_cursor": _cursor(places[-1]) if more else None,
            **render.backlog(queue.backlog(who)),
            "decided_at": moment(queue.decided_at),
        }
    )


@routes.add(
    "GET", f"{API}/queue/holders", AccessRule(P.QUEUE_READ, COMMON), models.HolderPage, refusals=(422,)
)
def list_holders(
    desk: AtDesk, who: Who, query: Annotated[models.HolderQuery, Depends(Query(models.HolderQuery))]
) -> Response:
    """List who holds GPUs and until when; for jobs of others, only owner, kind, size and times."""
    wanted = None if query.lane is None else {query.lane}
    after = _read_rank(query.cursor)
    found = desk.services.usage.holders.of(who, wanted, query.limit, after)
    told = render.holding(found, who)
    return answer(
        {
            "items": told["holders"],
            "next_cursor": _rank_cursor(found.holders, after) if found.more else None,
            "models": told["models"],
        }
    )


@routes.add(
    "GET", f"{API}/queue/jobs", AccessRule(P.QUEUE_READ, COMMON), models.AnybodysJobPage, refusals=(422,)
)
def list_everybodys_jobs(
    desk: AtDesk, who: Who, query: Annotated[models.EverybodysQuery, Depends(Query(models.EverybodysQuery))]
) -> Response:
    """List everybody's jobs in every state, newest first; for jobs of others, only owner, kind, size and times."""
    owner = who.name if query.owner == "me" else query.owner
    after = _matched(_SEEN, query.cursor)
    seen = None if after is None else SeenUpTo(int(after[1]), int(after[2]))
    wanted = EverybodysQuery(tuple(query.state), query.kind, query.project, owner, query.limit, seen)
    page = desk.services.queue.everybodys.page(who, wanted)
    more = None if page.next is None else f"{page.next.created}.{page.next.jobs}"
    items = [render.anybodys(one, who) for one in page.jobs]
    return answer({"items": items, "next_cursor": more, "total": page.total})


@routes.add("GET", f"{API}/jobs/{{job}}/why", AccessRule(P.QUEUE_READ, JOB, P.JOB_READ), models.Why)
def why_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Explain why a job waits, who is ahead, what would start it now, who holds what it waits for; or why it ended."""
    queue, holders = desk.services.queue.queue, desk.services.usage.holders
    found = queue.why(who, job)
    held = holders.of(who, {place.lane[0] for place in found.places}, HOLDERS_NAMED)
    asks = found.reason is not None and found.reason.asks_administrator
    whom = desk.services.people.administrators.for_(who.user) if asks else None
    return answer({**render.wait(found, held, queue.backlog(who), who), **asking(whom)})


@routes.add("PUT", f"{API}/jobs/{{job}}/pin", AccessRule(P.QUEUE_PIN, JOB), JobDetail, refusals=(409,))
def pin_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Pin a job to the front of its lanes; of several pinned jobs, the latest pin goes first."""
    return detail(desk, who, desk.services.queue.queue.pin(who, job))


@routes.add("DELETE", f"{API}/jobs/{{job}}/pin", AccessRule(P.QUEUE_PIN, JOB), JobDetail, refusals=(409,))
def unpin_job(desk: AtDesk, who: Who, job: str) -> Response:
    """Unpin a job: it returns to its normal place."""
    return detail(desk, who, desk.services.queue.queue.unpin(who, job))


@routes.add(
    "POST",
    f"{API}/jobs/{{job}}/order",
    AccessRule(P.QUEUE_ORDER, JOB),
    models.Reordered,
    refusals=(409, 413, 422),
)
def order_job(
    desk: AtDesk, who: Who, job: str, body: Annotated[models.OrderRequest, Depends(Body(models.OrderRequest))]
) -> Response:
    """Move one of one's own queued jobs right before or after another; nobody else is affected."""
    moved = desk.services.queue.queue.order(who, job, *_beside(body))
    waiting = desk.services.jobs.jobs.waiting
    return answer({"items": [row_of(one, waiting(one)) for one in moved]})


@routes.add("GET", f"{API}/scores", AccessRule(P.SCORE_READ, ONESELF), models.ScorePage, refusals=(422,))
def list_scores(desk: AtDesk, who: Who, query: Annotated[ListQuery, Depends(Query(ListQuery))]) -> Response:
    """List one's own scores by GPU model, or everybody's if the caller may see them."""
    queue = desk.services.queue.queue
    everybody = render.scores(queue.scores(who), queue.score_time)
    items, more = page_of(everybody, lambda one: str(one["user"]), query)
    return answer({"items": items, "next_cursor": more})


@routes.add("GET", f"{API}/scores/{{user}}", AccessRule(P.SCORE_READ, SCORE), models.Score)
def get_score(desk: AtDesk, who: Who, user: str) -> Response:
    """Get a person's scores by GPU model."""
    queue = desk.services.queue.queue
    return answer(render.score(user, queue.scores(who, user), queue.score_time))


@routes.add(
    "GET",
    f"{API}/scores/{{user}}/ledger",
    AccessRule(P.SCORE_READ, SCORE),
    models.LedgerPage,
    refusals=(422,),
)
def list_ledger(
    desk: AtDesk,
    who: Who,
    user: str,
    query: Annotated[models.LedgerQuery, Depends(Query(models.LedgerQuery))],
) -> Response:
    """List what a person's scores are made of: current use, then past use."""
    try:
        rows, more = desk.services.queue.queue.ledger(who, user, query.model, query.limit, query.cursor)
    except Invalid as error:
        raise in_query(error) from None
    return answer({"items": [models.LedgerRow.render(row) for row in rows], "next_cursor": more})


def _beside(body: models.OrderRequest) -> tuple[Side, str]:
    given = [(Side.BEFORE, body.before), (Side.AFTER, body.after)]
    named = [(side, other) for side, other in given if other is not None]
    if len(named) != 1:
        raise Invalid(
            (
                FieldError(
                    ("before",),
                    "one_of",
                    Words(
                        "name either the job to go before, or the job to go after",
                        "请指定排在哪个任务之前，或排在哪个任务之后",
                    ),
                ),
            )
        )
    return named[0]


def _cursor(last: Place) -> str:
    model, job_class = last.lane
    return f"{last.position}.{job_class}.{model}"


def _read_cursor(cursor: str | None) -> tuple[Lane, int] | None:
    match = _matched(_CURSOR, cursor)
    return None if match is None else ((match[3], JobClass(match[2])), int(match[1]))


def _rank_cursor(page: Sequence[Holder], after: tuple[str, int] | None) -> str:
    """The model of the last holder and its rank there."""
    model = page[-1].model
    before = after[1] if after is not None and after[0] == model else 0
    return f"{before + sum(one.model == model for one in page)}.{model}"


def _read_rank(cursor: str | None) -> tuple[str, int] | None:
    match = _matched(_RANK, cursor)
    return None if match is None else (match[2], int(match[1]))


def _matched(form: re.Pattern[str], cursor: str | None) -> re.Match[str] | None:
    if cursor is None:
        return None
    match = form.fullmatch(cursor)
    if match is None:
        message = Words(
            "this cursor does not belong to the queue; start again without a cursor",
            "该游标不属于此队列，请去掉游标重新开始",
        )
        raise Invalid((FieldError(("query", "cursor"), "bad_cursor", message, cursor),))
    return match
